"""What a piece of code does otherwise than an accepted form when both are run: results, findings, counters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.drills import cpp
from autograder.drills.deck.course import ProgramError
from autograder.drills.structure import StructureError
from autograder.drills.translated.stage import Stage
from simt.errors import DeadlineExceeded, KernelNameError, KernelTypeError, SimtError, UnsupportedError
from simt.lanes.meter import worked_s
from simt.tracing import KIND_OF_ERROR, Tracer

NAMES = re.compile(r"`(\w+)` is not declared")
COSTS = ("global_", "shared_", "atomic_", "barriers", "warp_syncs", "float16_flops", "float64_flops")
ENOUGH_S = 10  # of work, for a launch of a few threads


class UnknownError(Exception):
    """Nothing is known of what the code does: it cannot be run here."""


@dataclass(frozen=True)
class OneRun:
    """What came of one. mistake: a sentence on what no compiler takes, or on what went wrong."""

    mistake: str = ""
    arguments: dict[str, Any] | None = None
    counters: dict[str, int] | None = None


def difference(stage: Stage, code: str, form: str) -> str | None:
    """What the code does otherwise than an accepted form, in a sentence; "" where it does the same at the same cost.

    None where that is not known.
    """
    try:
        given, wanted = run(stage, code), run(stage, form)
    except UnknownError:
        return None
    for one, other in zip(given, wanted, strict=False):
        if one.mistake and not other.mistake:
            return one.mistake
        if told := _results(stage, one, other) or _counters(stage, one, other):
            return told
    same = all(_costs(one) == _costs(other) for one, other in zip(given, wanted, strict=False))
    return "" if same else None


def run(stage: Stage, code: str) -> list[OneRun]:
    """The code in every case. Raises: UnknownError."""
    try:
        program, tell = stage.program(code)
    except cpp.CppMistake as error:
        if (name := NAMES.search(error.what)) and name[1].isupper():  # a constant of the file, as FULL_MASK
            raise UnknownError from error
        return [OneRun(f"Line {error.line}: {error.what}")]
    except (cpp.CppError, StructureError) as error:
        raise UnknownError from error
    try:
        with program.loaded() as (_, kernel):
            return [_launched(stage, kernel, arguments, tell) for arguments in stage.cases()]
    except ProgramError as error:
        raise UnknownError from error


def _launched(stage: Stage, kernel, arguments: dict[str, Any], tell: Callable[[str], str]) -> OneRun:
    tracer = Tracer(deadline=worked_s() + ENOUGH_S)
    try:
        tracer.run(kernel, *stage.launch, *arguments.values())
    except (KernelTypeError, KernelNameError) as error:
        return OneRun(tell(str(error)))
    except (UnsupportedError, DeadlineExceeded) as error:
        raise UnknownError from error
    except tuple(KIND_OF_ERROR) as error:
        tracer.error(error)
    except (SimtError, TypeError, ValueError) as error:
        raise UnknownError from error
    trace = tracer.result()
    mistake = tell(trace.findings[0].message) if trace.findings else ""
    return OneRun(mistake, arguments, trace.counters)


def _results(stage: Stage, one: OneRun, other: OneRun) -> str:
    for name, values in one.arguments.items():
        wanted = other.arguments[name]
        if not isinstance(values, np.ndarray):
            continue
        wrong = np.flatnonzero(~((values == wanted) | ((values != values) & (wanted != wanted))))
        if wrong.size:
            return _told(stage, name, int(wrong[0]), values, wanted)
    return ""


def _told(stage: Stage, name: str, at: int, values: np.ndarray, wanted: np.ndarray) -> str:
    blocks, threads = stage.launch
    shown = stage.said.get("shows", {}).get(name)
    if not shown:
        return (
            f"With a grid of {blocks} and blocks of {threads}, {name}[{at}] is {_text(values[at])} where the accepted "
            f"form has {_text(wanted[at])}."
        )
    block, thread = divmod(at // (values.size // (blocks * threads)), threads)
    unset = -1  # what such an array begins with, where a thread may leave before
    where = f"With a grid of {blocks} and blocks of {threads}, thread {thread} of block {block}"
    if wanted[at] == unset:
        return f"{where} goes on, with {shown} = {_text(values[at])}; in the accepted form it does not."
    if values[at] == unset:
        return f"{where} does not go on; in the accepted form it does, with {shown} = {_text(wanted[at])}."
    return f"{where} has {shown} = {_text(values[at])} where the accepted form has {_text(wanted[at])}."


def _text(value) -> str:
    return f"{value:.9g}" if isinstance(value, np.floating) else f"{value:#x}" if value > 0xFFFF else f"{value}"


def _counters(stage: Stage, one: OneRun, other: OneRun) -> str:
    for name in stage.said.get("counts", ()):
        if one.counters[name] != other.counters[name]:
            said = name.replace("_", " ")
            return (
                f"It gives the same results at another cost: {one.counters[name]} {said}, "
                f"{other.counters[name]} in the accepted form."
            )
    return ""


def _costs(one: OneRun) -> dict[str, int]:
    return {name: count for name, count in (one.counters or {}).items() if name.startswith(COSTS)}
