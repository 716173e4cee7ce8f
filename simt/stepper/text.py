"""A step as text: source, threads at work, what they touch, arrays, and one thread's variables."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from simt.analyses.block_recording import Step
from simt.analyses.wording import element_text
from simt.hardware import WARP_SIZE
from simt.source.counts import count_text
from simt.stepper.states import ArrayState, Variable
from simt.stepper.window import window_of
from simt.stepper.words import VERBS, access_text, remarks, value_text, work_text

if TYPE_CHECKING:
    from simt.stepper.model import Stepper

LINES_AROUND = 3  # of source, above and below the line of the step
WIDTH = 110
MOST_ROWS, MOST_COLUMNS = 8, 16  # of an array
WORKS, WAITS, ENDED, ABSENT = "#", ".", "x", " "


def render(stepper: Stepper) -> str:
    """The step a stepper stands at."""
    step = stepper.step
    parts = [
        f"{stepper.launch.kernel}, {stepper.block}: step {stepper.position + 1} of {len(stepper)}",
        source(stepper),
        f"{work_text(step)} ({WORKS} works, {WAITS} waits, {ENDED} has returned)\n{warps(step)}",
        "\n".join(access_text(access) for access in step.accesses),
        "\n".join(textwrap.fill(remark, WIDTH) for remark in remarks(stepper)),
        "\n".join(findings(stepper)),
        arrays(stepper),
        variables(stepper),
        textwrap.fill(stepper.cut(), WIDTH),
    ]
    return "\n\n".join(part for part in parts if part)


def source(stepper: Stepper) -> str:
    """The lines around the step's, which an arrow marks."""
    step = stepper.step
    first, lines = stepper.listing.get(step.function, (step.line, ("(the source of this line is not available)",)))
    shown = range(max(first, step.line - LINES_AROUND), min(first + len(lines), step.line + LINES_AROUND + 1))
    texts = textwrap.dedent("\n".join(lines[number - first] for number in shown)).split("\n")
    rows = zip(shown, texts, strict=True)
    return "\n".join(f"{'->' if number == step.line else '  '} {number:>4}  {text}" for number, text in rows)


def warp_rows(step: Step) -> list[tuple[list[int], str]]:
    """(warps, a sign for each of their lanes); neighbouring warps that do the same stand together."""
    signs = np.where(step.active, WORKS, np.where(step.ended, ENDED, WAITS))
    padded = np.full(-(-len(signs) // WARP_SIZE) * WARP_SIZE, ABSENT)
    padded[: len(signs)] = signs
    rows = ["".join(row) for row in padded.reshape(-1, WARP_SIZE)]
    return [(list(group), text) for text, group in groupby(range(len(rows)), key=lambda warp: rows[warp])]


def warps(step: Step) -> str:
    """A row per warp, a sign per lane."""
    lines = []
    for numbers, signs in warp_rows(step):
        name = f"warp {numbers[0]}" if len(numbers) == 1 else f"warps {numbers[0]}-{numbers[-1]}"
        lines.append(f"  {name:<12}{signs}".rstrip())
    return "\n".join(lines)


def findings(stepper: Stepper) -> list[str]:
    """Mistakes that show at this step, each with what to do."""
    said = [f"! {finding.message} {finding.remedy}".strip() for finding in stepper.findings()]
    return [textwrap.fill(text, WIDTH, subsequent_indent="  ") for text in said]


def is_shown(state: ArrayState) -> bool:
    """Shared arrays always, others where the step touches them."""
    return state.info.space == "shared" or len(state.loaded) + len(state.stored) > 0


def array_title(state: ArrayState) -> str:
    """ "tile, shared float32 (32, 33), after the step"."""
    shape = ", ".join(map(str, state.info.shape))
    return f"{state.info.name}, {state.info.space} {state.info.dtype} ({shape}), after the step"


def array(state: ArrayState) -> str:
    """The part of an array around what the step touched."""
    window = window_of(state, MOST_ROWS, MOST_COLUMNS)
    loaded, stored = set(state.loaded.tolist()), set(state.stored.tolist())
    rows = [[cell_text(state, cell, loaded, stored) for cell in cells] for cells in window.cells.tolist()]
    width = max(len(text) for row in rows for text in row)
    name_width = max(map(len, window.row_names))
    body = [
        f"  {name:>{name_width}} | " + " ".join(f"{text:>{width}}" for text in row).rstrip()
        for name, row in zip(window.row_names, rows, strict=True)
    ]
    more = [f"  {left_out(window.left_out)}"] if window.left_out else []
    return "\n".join([array_title(state), *body, *more])


def left_out(n_elements: int) -> str:
    """What is told of elements for which there is no room."""
    return f"{count_text(n_elements, 'more element')} {'is' if n_elements == 1 else 'are'} not shown"


def arrays(stepper: Stepper) -> str:
    """Every array that is shown, and what the signs mean."""
    shown = [array(state) for state in stepper.arrays() if is_shown(state)]
    return "\n\n".join([*shown, "(> read, * written by this step, ? never written)"]) if shown else ""


def cell_text(state: ArrayState, cell: int, loaded: set[int], stored: set[int]) -> str:
    """A cell's value with the sign of what the step did; "" outside the array."""
    if cell < 0:
        return ""
    value = short(state.values[cell]) if state.known[cell] else "?"
    return ("*" if cell in stored else ">" if cell in loaded else "") + value


def short(value) -> str:
    """A value in few signs: four digits of a float."""
    return f"{float(value):.4g}" if isinstance(value, np.floating) else value_text(value)


def own_accesses(stepper: Stepper) -> list[str]:
    """What the chosen thread reads and writes in this step, with the values."""
    said = []
    for access in stepper.step.accesses:
        for k in np.flatnonzero(access.threads == stepper.thread):
            element = element_text(access.array, int(access.cells[k]))
            said.append(f"{VERBS[access.kind]} {element} = {value_text(access.values[k])}")
    return said


def variables(stepper: Stepper) -> str:
    """The thread's accesses and variables; an arrow marks those that the step set."""
    found, does = stepper.variables(), own_accesses(stepper)
    name = stepper.thread_name(stepper.thread)
    working = stepper.step.active[stepper.thread]
    head = f"{name}{'' if working else ', which does not execute this line'}:"
    lines = [head, *(f"  {line}" for line in does), *(_rows(found) or ["  no variables yet"])]
    around = kernel_variables(stepper)
    return "\n".join(lines + ([f"in {stepper.launch.kernel}, which called this:", *_rows(around)] if around else []))


def kernel_variables(stepper: Stepper) -> list[Variable]:
    """The thread's variables of the kernel, while the step is in a function that it called."""
    return stepper.variables_of(stepper.position, stepper.launch.kernel, 0) if stepper.step.depth else []


def _rows(found: list[Variable]) -> list[str]:
    width = max((len(variable.name) for variable in found), default=0)
    return [
        f"  {variable.name:<{width}} = {value_text(variable.value)}{'   <- set now' if variable.is_new else ''}"
        for variable in found
    ]
