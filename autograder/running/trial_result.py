"""What happened on one device, over all cases."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.outcome import CaseResult, Cause
from autograder.running.runs import Launched


@dataclass
class Trial:
    """What happened on one device. `ended` is "" when every case ran, else "timed_out" or "crashed"."""

    device: str
    cases: list[CaseResult] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    observed: str = ""  # the smallest failing case in words
    counters: dict[str, dict[str, float]] = field(default_factory=dict)  # by name of the traced case
    lines: dict[str, list[tuple[str, int, dict[str, float]]]] = field(default_factory=dict)  # what each spent, so too
    compulsory: dict[str, int] = field(default_factory=dict)  # bytes, by name of the traced case
    notes: list[str] = field(default_factory=list)
    repeats: list[Cause] = field(default_factory=list)  # work that is done several times over, without harm
    printed: str = ""
    told_sizes: dict[str, int] = field(default_factory=dict)  # of the case that shows the first cause
    ended: str = ""
    launches: list[Launched] = field(default_factory=list)  # of the smallest traced case, for lint

    @property
    def nothing_wrong(self) -> bool:
        """Whether every case that ran is right."""
        known = ("right", "not_run")
        return not self.causes and not self.ended and all(case.status in known for case in self.cases)
