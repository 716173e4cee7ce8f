"""The six things a check can conclude. Everything here is data: `autograder.report` registers what turns it into text
and HTML, and the notebook what displays it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from autograder import plain_data

RENDERERS: dict[tuple[type, str], Callable[[Any], Any]] = {}  # (Outcome or Speed, "text", "html" or "display")


class Rendered:
    """What a terminal and a notebook can show, once somebody has registered how."""

    def _renderer(self, form: str) -> Callable[[Any], Any] | None:
        found = (RENDERERS.get((kind, form)) for kind in type(self).__mro__)
        return next(filter(None, found), None)

    def __str__(self) -> str:
        render = self._renderer("text")
        return render(self) if render else object.__repr__(self)

    __repr__ = __str__  # a verdict at the end of a cell or a prompt is read, not parsed

    def _repr_html_(self) -> str | None:
        render = self._renderer("html")
        return render(self) if render else None

    def _ipython_display_(self) -> None:
        """What IPython calls for the last value of a cell. It goes on to the other forms where this one is missing."""
        render = self._renderer("display")
        if render is None:
            raise NotImplementedError
        render(self)


class Points(float):
    """Points. A cell that ends with them shows them only where nbgrader reads them: the verdict above has told them."""

    def _ipython_display_(self) -> None:
        if "NBGRADER_EXECUTION" in os.environ:
            raise NotImplementedError  # IPython goes on to the number itself


@dataclass(frozen=True)
class Look:
    """How a status is shown. The sign and the words always stand together: a colour alone says nothing."""

    words: str  # the verdict in two or three words
    mark: str
    colour: str  # of a border or a badge, dark enough for white letters


COSTLY = Look("right, but costly", "◐", "#b45309")


@dataclass(frozen=True)
class Cause:
    """Why something is wrong: one cause, its lines, and one thing to do.

    What later stages ask of a cause are fields: its sentences are for people, and may be worded anew.
    """

    kind: str  # a finding kind ("race") or a diagnosis ("wrong_output", "float64_arithmetic", "over_budget")
    misconception: str  # keys the hint, as in "missing_barrier"
    says: str  # one or two sentences in the learner's terms
    remedy: str = ""  # one thing to do
    lines: tuple[int, ...] = ()  # 1-based lines of the learner's cell or file, the offending one first
    threads: tuple[tuple[int, int, int], ...] = ()
    array: str = ""
    unstored: str = ""  # the output, by the contract's name, that holds nothing but what it held before
    is_slip: bool = False  # True: a slip of the exercise gives exactly what came out
    compared: bool = False  # True: it says where the answer first goes another way than the solution
    missed: BudgetResult | None = None  # the budget that is missed
    edit: str = ""  # a line as it would pass, which only the last hint shows


@dataclass(frozen=True)
class CaseResult:
    """One case on one device. status: "right", "wrong", "crashed", "timed_out" or "not_run"."""

    name: str
    device: str  # "simt" or "cuda"
    status: str
    detail: str = ""  # the first wrong element in words, or the error


@dataclass(frozen=True)
class BudgetResult:
    """One counter against its budget."""

    counter: str
    value: float
    at_most: float
    why: str
    floor: bool = False  # True: at least so much, in place of at most

    @property
    def met(self) -> bool:
        return self.value >= self.at_most if self.floor else self.value <= self.at_most

    @property
    def limit(self) -> str:
        """Which way the limit lies: "at most" or "at least"."""
        return "at least" if self.floor else "at most"


@dataclass(frozen=True, repr=False)
class Speed(Rendered):
    """Speed on this GPU, or why it is not graded. Times in microseconds, rates in GB/s."""

    graded: bool
    says: str
    time_us: float | None = None
    reference_us: float | None = None
    naive_us: float | None = None
    copy_rate_gbs: float | None = None  # what a copy of the same footprint reaches, same run
    rate_gbs: float | None = None  # compulsory bytes over time
    position: float | None = None  # 0 naive, 1 reference
    points: float = 0.0
    max_points: float = 0.0
    device: str = ""
    details: dict[str, Any] = field(default_factory=dict)  # rounds, interval, sizes, every sample
    review: str = ""  # why an instructor has to look at the time, which is then not graded

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", Points(self.points))

    def __float__(self) -> float:
        return float(self.points)


@dataclass(frozen=True, repr=False)
class Outcome(Rendered):
    """What a check concluded. `points` is always a finite float in [0, max_points].

    look: of the status, as every page and terminal shows it; exercism: its status in Exercism's results.json.
    """

    look: ClassVar[Look]
    exercism: ClassVar[str]

    exercise: str
    points: float
    max_points: float
    headline: str  # "block_sum_sequential: not right yet"
    observed: str = ""  # first what the learner sees: "n = 1025: block 4 gives 0.9312, expected 0.3107"
    causes: tuple[Cause, ...] = ()  # most explanatory first; a report shows the first and counts the others
    cases: tuple[CaseResult, ...] = ()
    budgets: tuple[BudgetResult, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)  # compile facts by architecture, counters of the shown case
    notes: tuple[str, ...] = ()  # remarks that cost nothing: float64 on purpose, int64 registers, launch notes
    speed: Speed | None = None
    source: str = ""  # the learner's source, for quoting lines
    first_line: int = 1  # line number of the first line of `source`
    next_step: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", Points(self.points))

    @property
    def status(self) -> str:
        """The class name: "Passed", "NotAttempted", "Wrong", "Crashed", "TimedOut" or "NotCheckable"."""
        return type(self).__name__

    @property
    def passed(self) -> bool:
        return isinstance(self, Passed)

    @property
    def costly(self) -> bool:
        """True for a right answer that only misses a budget: nothing is wrong with what it computes."""
        return bool(self.causes) and all(cause.kind == "over_budget" for cause in self.causes)

    @property
    def shown_as(self) -> Look:
        """The look of this very outcome: a right answer that only misses a budget has one of its own."""
        return COSTLY if self.costly else self.look

    @property
    def misconception(self) -> str:
        """The key of the hint that answers this outcome; "" when nothing was found."""
        return self.causes[0].misconception if self.causes else ""

    def __float__(self) -> float:
        return float(self.points)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document with every part, which `from_json` reads back."""
        return {"status": self.status, "misconception": self.misconception, **plain_data.to_json(self)}

    @staticmethod
    def from_json(document: dict[str, Any]) -> Outcome:
        """The outcome that `to_json` wrote. Raises KeyError or TypeError for anything else."""
        parts = dict(document)
        kind = STATUSES[parts.pop("status")]
        parts.pop("misconception")
        return plain_data.from_json(kind, parts)


class Passed(Outcome):
    """Right on every case, no findings, every budget met."""

    look = Look("right", "✓", "#1a7f5a")
    exercism = "pass"


class NotAttempted(Outcome):
    """The stub is still there; decided from source before anything runs."""

    look = Look("not attempted", "–", "#6b7280")
    exercism = "fail"


class Wrong(Outcome):
    """A wrong output, a finding, a compile error or a missed budget."""

    look = Look("not right yet", "✗", "#b45309")
    exercism = "fail"


class Crashed(Outcome):
    """The learner's code, or the process that ran it, died."""

    look = Look("crashed", "!", "#b91c1c")
    exercism = "error"


class TimedOut(Outcome):
    """The learner's code did not end within its limit."""

    look = Look("took too long", "…", "#b91c1c")
    exercism = "fail"


class NotCheckable(Outcome):
    """This machine cannot judge the exercise; says what is missing and the command that mends it."""

    look = Look("cannot be checked here", "?", "#6b7280")
    exercism = "error"


STATUSES: dict[str, type[Outcome]] = {
    kind.__name__: kind for kind in (Passed, NotAttempted, Wrong, Crashed, TimedOut, NotCheckable)
}
