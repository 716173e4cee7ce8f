"""What the sentences of patterns may mention: places, sizes and numbers of a wrong output."""

from __future__ import annotations

import numpy as np

from autograder.diagnosis import digits, symptoms
from autograder.diagnosis.symptoms import Output

IN_FLOAT32 = "Stay in float32, add numbers of one size to one another, and take away nothing that was added before."
IN_FLOAT64 = "Return what the formula gives: leave out what rounds on the way, such as round() and float32."


def place_of(output: Output) -> str:
    """The index of the first wrong element, as one writes it: "6,720", or "[96, 0]" in two dimensions."""
    edge = int(np.argmin(output.right.ravel()))
    if output.right.ndim < 2:
        return f"{edge:,}"
    return str([int(i) for i in np.unravel_index(edge, output.right.shape)])


def _squeezed(output: Output) -> dict[str, str]:
    """{narrow}, the type that values were squeezed through, its {range}, one that {was} and what it {became}."""
    if not (narrow := digits.squeezed_through(output)):
        return {}
    limits, changed = np.iinfo(narrow), int(np.argmax((output.got != output.expected).ravel()))
    return {
        "narrow": narrow,
        "range": f"{limits.min:,} to {limits.max:,}",
        "was": f"{int(output.expected.ravel()[changed]):,}",
        "became": f"{int(output.got.ravel()[changed]):,}",
        "wider": "int64" if limits.bits == 32 else "int32",
    }


def words_for(output: Output, seen: str = "") -> dict[str, object]:
    """What a pattern's sentences may mention: {name}, {size}, {block}, {edge} (the first wrong index), {factor}.

    {copied}: the input that it is like. {exactly}: how digits are kept. {across}, {down}: threads of the grid along
    x and y; {shape}: of the output.
    {narrow}, {range}, {was}, {became} and {wider} are there where values were squeezed through a narrow type. {at}
    names the case where it is not `seen`, the one that the learner has just read about.
    """
    factor = symptoms.common_factor(output)
    alike = {name: one for name, one in output.inputs.items() if one.shape == output.got.shape}
    exactly = IN_FLOAT64 if output.got.dtype == np.float64 else IN_FLOAT32
    return {
        "exactly": exactly,
        **_squeezed(output),
        "name": output.name,
        "at": f" at {output.case.partition(' (')[0]}" if output.case not in ("", seen) else "",
        "scratch": output.in_scratch,
        "size": f"{output.got.size:,}",
        "block": output.block,
        "threads": f"{output.blocks * output.block:,}",
        "across": output.extents[0],
        "down": output.extents[1],
        "shape": output.got.shape,
        "edge": place_of(output),
        "copied": next((name for name, one in alike.items() if symptoms.same(output.got, one)), "an input"),
        "factor": f"{factor:.4g}" if factor is not None else "",
    }
