"""A verdict on the translation, told about the C++: its lines, and what it calls things."""

from __future__ import annotations

import re
from dataclasses import replace

from autograder.drills.cpp.functions import Translated
from autograder.outcome import Outcome

LINES = re.compile(r"\b([Ll]ines?) (\d+(?:(?:, | and |, and | to )\d+)*)")
CALLED = (
    (re.compile(r"`?\bcuda\.(syncthreads|syncwarp|threadfence|threadfence_block)\(\)`?"), r"__\1()"),
    (re.compile(r"\bcuda\.(shfl_\w+|ballot_sync|any_sync|all_sync)\b"), r"__\1"),
    (re.compile(r"\bcuda\.grid\(1\)"), "blockIdx.x * blockDim.x + threadIdx.x"),
    (re.compile(r"\bcuda\.gridsize\(1\)"), "gridDim.x * blockDim.x"),
    (re.compile(r"\bcuda\.(threadIdx|blockIdx|blockDim|gridDim)\b"), r"\1"),
    (re.compile(r"\bcuda\.shared\.array\([^()]*\)"), "__shared__"),
    (re.compile(r"\bcuda\.atomic\.(add|sub|max|min|exch)\b"), lambda found: f"atomic{found[1].capitalize()}"),
    (re.compile(r"\bcuda\.atomic\.cas\b"), "atomicCAS"),
    (re.compile(r"`(?:load|store)16\([^`]*`"), "This float4"),
)  # fmt: skip


def in_cpp(outcome: Outcome, translated: Translated, source: str) -> Outcome:
    """The outcome of judging `translated`, in the lines and words of `source`."""

    def line(number: int) -> int:
        return translated.places[number - 1] if 0 < number <= len(translated.places) else number

    def told(text: str) -> str:
        text = LINES.sub(lambda found: f"{found[1]} {_once(found[2], line)}", text)
        for pattern, said in CALLED:
            text = pattern.sub(said, text)
        return text

    causes = tuple(
        replace(
            cause, says=told(cause.says), remedy=told(cause.remedy), edit="",
            lines=tuple(dict.fromkeys(line(each) for each in cause.lines)),
        )
        for cause in outcome.causes
    )  # fmt: skip
    return replace(
        outcome, causes=causes, observed=told(outcome.observed), notes=tuple(map(told, outcome.notes)),
        next_step=told(outcome.next_step), source=source, first_line=1,
        cases=tuple(replace(case, detail=told(case.detail)) for case in outcome.cases),
    )  # fmt: skip


def _once(numbers: str, line) -> str:
    """Several lines of Python may be one of C++: it is named once."""
    found = list(dict.fromkeys(line(int(number)) for number in re.findall(r"\d+", numbers)))
    if " to " in numbers:
        return " to ".join(map(str, found))
    return " and ".join(filter(None, [", ".join(map(str, found[:-1])), str(found[-1])]))
