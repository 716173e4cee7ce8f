"""One finding of a program, over all the launches that showed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simt.events import Finding
from simt.programs.fixed_points import REPEATED

MOST_LAUNCHES = 100  # whose numbers and call sites are kept

HAPPENED = "it happened in this run"
UNORDERED = "nothing orders the two accesses, whatever a GPU does first; results may look right all the same"
FENCED = "the order holds as long as every thread keeps to it"
REFUSED = "numba refuses this, too, unless the program teaches its compiler"
ON_A_GPU = "a GPU refuses this launch"
EXPECTED = "the test expected the error that it raises"
FROM_THE_END = "numba counts it from the end: it is a mistake only where that is not meant"


class Where(NamedTuple):
    """A line of a file."""

    file: str
    line: int


def certainty_of(finding: Finding) -> str:
    """How sure a finding is, and on what grounds, in a clause."""
    if "unsure" in finding.detail:
        return finding.detail["unsure"]
    if finding.kind == "race":
        return FENCED if finding.detail.get("fenced") else UNORDERED
    if finding.detail.get("wraps"):
        return FROM_THE_END
    return {"unsupported": REFUSED, "invalid_launch": ON_A_GPU}.get(finding.kind, HAPPENED)


def key_of(finding: Finding, places: tuple[Where, ...], kernel: str) -> tuple:
    """What makes two findings one: in another process, too."""
    return finding.kind, finding.note, places, kernel, certainty_of(finding)


class Heard(NamedTuple):
    """What tests made of findings, by their keys. expected: they raised on purpose what a launch refused."""

    keys: tuple[tuple, ...]
    expected: bool


@dataclass
class Report:
    """A finding, the lines that it names with their files, and the launches that it occurred in.

    kernel: its name, "" for host code. shape: of the first launch, as in "[4, 128]". launches: their numbers, from 1.
    called_at: where host code launched them. total: lanes (or pairs) of all launches together.
    """

    finding: Finding
    places: tuple[Where, ...]
    kernel: str
    shape: str
    launches: list[int]
    called_at: list[Where]
    n_launches: int = 1
    total: int = 0
    arrays: list[str] = field(default_factory=list)
    told: bool = False  # to a test, which fails for it unless it is expected to
    expected: bool = False  # the program raised it on purpose and went on, as a test of an error does
    made_up_for: bool = False  # a race that a later launch does no harm after: `fixed_points`
    latest: int = 0  # the launch that showed it last; one launch may show it several times, at several lanes or arrays

    def __post_init__(self) -> None:
        self.total, self.latest = self.finding.count, self.launches[-1]
        self.arrays = [self.finding.array] if self.finding.array else []

    @property
    def key(self) -> tuple:
        return key_of(self.finding, self.places, self.kernel)

    @property
    def kind(self) -> str:
        return self.finding.kind

    @property
    def note(self) -> bool:
        """Worth knowing, and not a mistake."""
        return (
            self.expected
            or self.made_up_for
            or self.finding.note
            or (bool(self.finding.detail.get("wraps")) and self.finding.detail["access"] == "load")
        )

    @property
    def array(self) -> str:
        """The arrays that it concerns, by the names of the launches' arguments."""
        return ", ".join(self.arrays)

    @property
    def certainty(self) -> str:
        if self.made_up_for:
            return REPEATED
        return EXPECTED if self.expected else certainty_of(self.finding)

    @property
    def remedy(self) -> str:
        """What to change; "" for what is right as it is."""
        return "" if self.made_up_for else self.finding.remedy

    def again(self, finding: Finding, number: int, called_at: Where) -> None:
        """The same was found in another launch."""
        self.total += finding.count
        if finding.array and finding.array not in self.arrays:
            self.arrays.append(finding.array)
        if number == self.latest:
            return
        self.latest = number
        self.n_launches += 1
        if len(self.launches) < MOST_LAUNCHES:
            self.launches.append(number)
        if called_at not in self.called_at and len(self.called_at) < MOST_LAUNCHES:
            self.called_at.append(called_at)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        finding = self.finding
        return {
            "kind": finding.kind,
            "message": finding.message,
            "remedy": self.remedy,
            "certainty": self.certainty,
            "places": [{"file": where.file, "line": where.line} for where in self.places],
            "kernel": self.kernel,
            "arrays": self.arrays,
            "threads": [list(thread) for thread in finding.threads],
            "blocks": [list(block) for block in finding.blocks],
            "count": self.total,
            "launches": {
                "count": self.n_launches,
                "numbers": self.launches if self.kernel else [],
                "first_shape": self.shape,
                "called_at": [{"file": where.file, "line": where.line} for where in self.called_at if where.file],
            },
        }
