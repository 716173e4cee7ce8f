"""How findings name threads, blocks and elements, so that every analysis says it the same way."""

from __future__ import annotations

from typing import Any

from simt.events import ArrayInfo, Batch, Launch, Site

Index3 = tuple[int, int, int]


def unravel(linear: int, extent: Index3) -> Index3:
    """Linear id (x fastest) -> (x, y, z)."""
    x_extent, y_extent, _ = extent
    return int(linear % x_extent), int(linear // x_extent % y_extent), int(linear // (x_extent * y_extent))


def coordinates(index: Index3, launch: Launch) -> str:
    """As short as the launch allows: "7" where grid and block have one dimension, "(7, 3)" where either has two."""
    extents = [*zip(launch.grid, launch.block, strict=True)]
    dimensions = max(axis + 1 for axis in range(3) if axis == 0 or max(extents[axis]) > 1)
    if dimensions == 1:
        return str(index[0])
    return f"({', '.join(str(i) for i in index[:dimensions])})"


def thread_text(launch: Launch, thread: int) -> str:
    """ "thread (7, 3)" for a linear thread id within its block."""
    return f"thread {coordinates(unravel(thread, launch.block), launch)}"


def block_text(launch: Launch, block_id: int) -> str:
    """ "block (0, 2)" for a linear block id."""
    return f"block {coordinates(unravel(block_id, launch.grid), launch)}"


def element_text(array: ArrayInfo, cell: int) -> str:
    """ "tile[3, 7]" for a flat cell of one copy of an array."""
    return f"{array.name}[{', '.join(str(i) for i in array.index_of(cell))}]"


def indexed_text(name: str, index: tuple[int, ...]) -> str:
    """ "x[128]" for an index as the kernel computed it."""
    return f"{name}[{', '.join(str(int(i)) for i in index)}]"


def shape_text(shape: tuple[int, ...]) -> str:
    """ "128 elements (0 to 127)" or "shape (16, 48)"."""
    if len(shape) == 1:
        size = shape[0]
        return f"{size} elements (0 to {size - 1})" if size > 1 else ("1 element (0)" if size else "no elements")
    return f"shape {tuple(shape)}"


def whereabouts(site: Site, batch: Batch) -> dict[str, Any]:
    """For a finding's detail: the function that a line belongs to, and the (function, line) of every call to there,
    outermost first."""
    return {"function": site.function, "calls": tuple((call.function, call.line) for call in batch.calls)}


def sentence(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def full_sentence(text: str) -> str:
    """A message of the interpreter as a sentence; names of Python and numba keep their small first letter."""
    text = text if text[-1:] in ".?!" else f"{text}."
    return text if text.startswith(("numba", "cuda.")) or "." in text.split(" ")[0] else sentence(text)
