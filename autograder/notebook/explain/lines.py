"""Questions that the counters of single lines answer: sectors, bank conflicts, guards, divergence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograder.answer.syntax import functions_of_cell
from autograder.notebook.explain.asked import Probe, Seen

ACCESSES = (  # how a line's accesses are named; counter of requests; of what they cost; what that is called; of where
    ("load", "global_load_requests", "global_load_sectors", "32-byte sectors of global memory"),
    ("store", "global_store_requests", "global_store_sectors", "32-byte sectors of global memory"),
    ("load", "shared_load_requests", "shared_load_wavefronts", "passes over the banks of shared memory"),
    ("store", "shared_store_requests", "shared_store_wavefronts", "passes over the banks of shared memory"),
)


def own_rows(seen: Seen) -> list[dict[str, Any]]:
    """The counters of the lines of the learner's own cell."""
    ours = {seen.program.function, *seen.program.helpers}
    return [row for row in seen.trace.by_line() if row["function"] in ours]


def cost_of_accesses(seen: Seen) -> Iterator[Probe]:
    """How many sectors or passes a request takes, for each line that accesses memory: the dearest first."""
    found = []
    for row in own_rows(seen):
        for verb, requests, cost, what in ACCESSES:
            if row[requests]:
                found.append((row[cost] / row[requests], row, verb, requests, cost, what))
    for each, row, verb, requests, cost, what in sorted(found, key=lambda one: (-one[0], one[1]["line"])):
        yield Probe(
            f"{seen.on}: how many {what} does one warp's {verb} in {seen.quoted(row['line'])} touch, on average?",
            (round(each, 4),),
            f"{row[requests]:,} {verb} requests there touch {row[cost]:,} in all.",
        )


def past_a_guard(seen: Seen) -> Iterator[Probe]:
    """How many threads get past an `if` of theirs, where some do not."""
    counts = {row["line"]: row["thread_instructions"] for row in own_rows(seen)}
    for node in _conditions(seen):
        first = node.body[0].lineno
        reached, past = counts.get(node.lineno, 0), counts.get(first, 0)
        if reached and reached != past:
            yield Probe(
                f"{seen.on}: how often does a thread get past the condition in {seen.quoted(node.lineno)}? "
                "Count every thread each time.",
                (past,),
                f"{reached:,} times a thread evaluates it, and {past:,} times one goes on to line {first}.",
            )


def divergent_warps(seen: Seen) -> Iterator[Probe]:
    """How often lanes of one warp go both ways at a condition."""
    for row in sorted(own_rows(seen), key=lambda row: -row["divergent_branches"]):
        if row["divergent_branches"]:
            yield Probe(
                f"{seen.on}: how often do lanes of one warp go both ways at the condition in "
                f"{seen.quoted(row['line'])}, over all warps?",
                (row["divergent_branches"],),
                f"Warps evaluate it {row['branches']:,} times; {row['divergent_branches']:,} times their lanes part.",
            )


def _conditions(seen: Seen) -> list[ast.If]:
    ours = {seen.program.function, *seen.program.helpers}
    functions = functions_of_cell(seen.program.source, seen.program.first_line)
    nodes = [node for one in functions if one.name in ours for node in ast.walk(one)]
    found = [node for node in nodes if isinstance(node, ast.If) and node.body[0].lineno > node.lineno]
    return sorted(found, key=lambda node: node.lineno)
