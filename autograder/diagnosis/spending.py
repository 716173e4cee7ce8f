"""Which line of a right answer spends what a budget counts: what is measured in this answer, before what is wanted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autograder.outcome import BudgetResult
from autograder.report.wording import number
from simt.analyses.counters import MAXIMA
from simt.tracing import Trace

Counted = tuple[str, int, dict[str, float]]  # function, line, counters
PER_REQUEST = "_per_request"
PARTS = {  # of a ratio: the counter that a line spends
    "shared_load_conflicts_per_request": "shared_load_bank_conflicts",
    "shared_store_conflicts_per_request": "shared_store_bank_conflicts",
    "divergent_branch_share": "divergent_branches",
}
SHARES = ("divergent_branch_share",)  # a number, and no things
ENOUGH = 0.8  # of all that is spent: the lines that account for so much are named
MOST_LINES = 3  # lines that are worth a look; more are the whole kernel


def rows_of(trace: Trace) -> list[Counted]:
    """What each line of a traced run spent, as plain data: (function, line, counters that are not 0)."""
    return [
        (row["function"], row["line"], {name: n for name, n in row.items() if n and not isinstance(n, str)})
        for row in trace.by_line()
    ]


def sentence(missed: BudgetResult, rows: Sequence[Counted], functions: Collection[str]) -> str:
    """The lines that spend most of a counter that is over its limit; "" where no few lines of the answer do.

    rows: of the case that was measured; functions: of the learner's cell, whose lines can be named.
    """
    counter = PARTS.get(missed.counter, missed.counter.removesuffix(PER_REQUEST))
    spent = [(counts[counter], line, function) for function, line, counts in rows if counts.get(counter)]
    if missed.floor or not spent:
        return ""
    spent.sort(reverse=True)
    if counter in MAXIMA:
        most, line, function = spent[0]
        return f"It is line {line}." if function in functions and most >= missed.value else ""
    total = sum(n for n, _, _ in spent)
    named, so_far = list[int](), 0.0
    for n, line, function in spent[:MOST_LINES]:
        if function not in functions:
            return ""
        named.append(line)
        so_far += n
        if so_far >= ENOUGH * total:
            return _accounting(sorted(named), so_far, total, missed.counter)
    return ""


def _accounting(lines: list[int], so_far: float, total: float, counter: str) -> str:
    several = f"Lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} account"
    who = several if len(lines) > 1 else f"Line {lines[0]} accounts"
    them = "them" if counter not in SHARES else "it"
    how_many = (
        "all" if so_far == total else "most" if counter in PARTS or counter.endswith(PER_REQUEST) else number(so_far)
    )
    return f"{who} for {how_many} of {them}."
