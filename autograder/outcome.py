"""The six things a check can conclude. Parts are data; `autograder.report` turns them into text, HTML and JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def display_unless_shown(result) -> None:
    """What IPython calls for the last value of a cell: `check` and `race` have shown it already, once."""
    from autograder.notebook import display

    if getattr(result, "_already_shown", False):
        object.__setattr__(result, "_already_shown", False)
    else:
        display.show(result)


@dataclass(frozen=True)
class Cause:
    """Why something is wrong: one cause, its lines, and one thing to do."""

    kind: str  # a finding kind ("race") or a diagnosis ("wrong_output", "float64_arithmetic", "over_budget")
    misconception: str  # keys the hint, as in "missing_barrier"
    says: str  # one or two sentences in the learner's terms
    remedy: str = ""  # one thing to do
    lines: tuple[int, ...] = ()  # 1-based lines of the learner's cell or file, the offending one first
    threads: tuple[tuple[int, int, int], ...] = ()
    array: str = ""


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

    @property
    def met(self) -> bool:
        return self.value <= self.at_most


@dataclass(frozen=True, repr=False)
class Speed:
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
    details: dict[str, Any] = field(default_factory=dict)  # rounds, interval, sizes, raw ratios

    def __float__(self) -> float:
        return float(self.points)

    def __str__(self) -> str:
        from autograder.report.speed import render_text

        return render_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from autograder.report.speed import render_html

        return render_html(self)

    def _ipython_display_(self) -> None:
        display_unless_shown(self)


@dataclass(frozen=True, repr=False)
class Outcome:
    """What a check concluded. `points` is always a finite float in [0, max_points]."""

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
    def misconception(self) -> str:
        """The key of the hint that answers this outcome; "" when nothing was found."""
        return self.causes[0].misconception if self.causes else ""

    def __float__(self) -> float:
        return float(self.points)

    def __str__(self) -> str:
        from autograder.report.text import render_text

        return render_text(self)

    __repr__ = __str__  # a verdict at the end of a cell or a prompt is read, not parsed

    def _repr_html_(self) -> str:
        from autograder.report.html import render_html

        return render_html(self)

    def _ipython_display_(self) -> None:
        display_unless_shown(self)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document: Exercism results.json version 3 plus a "warpbook" object with every part."""
        from autograder.report.results_json import to_results

        return to_results(self)


class Passed(Outcome):
    """Right on every case, no findings, every budget met."""


class NotAttempted(Outcome):
    """The stub is still there; decided from source before anything runs."""


class Wrong(Outcome):
    """A wrong output, a finding, a compile error or a missed budget."""


class Crashed(Outcome):
    """The learner's code, or the process that ran it, died."""


class TimedOut(Outcome):
    """The learner's code did not end within its limit."""


class NotCheckable(Outcome):
    """This machine cannot judge the exercise; says what is missing and the command that mends it."""
