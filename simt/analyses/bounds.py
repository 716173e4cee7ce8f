"""Which accesses fall outside their array, and which only seem to hit it because a negative index wraps round?"""

from __future__ import annotations

import ast
import math
import re

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.laid_over import positions, short_fits
from simt.analyses.wording import indexed_text, shape_text, whereabouts
from simt.events import Listener, OutOfBounds

LONGEST_INDEX = 48  # characters that a sentence can hold
VERB = {"load": "reads", "store": "writes", "atomic": "updates"}


class Bounds(Listener):
    """One finding for each line, array and side (past the end, below zero, wrapping)."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def out_of_bounds(self, event: OutOfBounds) -> None:
        site, array, lanes = event.site, event.array, event.lanes
        if not len(lanes):
            return
        index = tuple(int(np.broadcast_to(values, len(lanes))[0]) for values in event.indices)
        key = (site.function, site.line, array.name, event.kind, event.wraps)
        if key in self.book:
            self.book.count(key, len(lanes))
            return
        what = f"{VERB[event.kind]} {indexed_text(_name(event), index)} at line {site.line}"
        self.book.add(
            key,
            by_thread(
                lanes,
                0,
                f"{what}, {_why(event, index)}",
                kind="out_of_bounds",
                lines=(site.line,),
                array=array.name,
                remedy=_remedy(event, index),
                count=len(lanes),
                detail={
                    "index": index,
                    "shape": event.shape,
                    "wraps": event.wraps,
                    "negative": min(index, default=0) < 0,
                    "access": event.kind,
                    "space": array.space,
                    **({} if array.along is None else {"along": array.along}),
                    **whereabouts(site, lanes.batch),
                },
            ),
        )


def _name(event: OutOfBounds) -> str:
    """What stands before the bracket: the array, or the variable that holds a row or a slice of it."""
    if event.part_shape is None and event.array.along is None:
        return event.array.name
    node = _parsed(event.site.text)
    if isinstance(node, ast.Subscript) and len(ast.unparse(node.value)) <= LONGEST_INDEX:
        return ast.unparse(node.value)
    return event.array.name


def _why(event: OutOfBounds, index: tuple[int, ...]) -> str:
    name = _name(event)
    if event.wraps:
        real = tuple(i + extent if i < 0 else i for i, extent in zip(index, event.shape, strict=True))
        return f"and a negative index counts from the end: it silently means {indexed_text(name, real)}."
    if event.array.along is not None:
        return f"outside the array: along its axis {event.array.along}, {name} has {shape_text(event.shape)}."
    if event.part_shape is not None:
        return f"outside the array: {name} is a part of {event.array.name}, with {shape_text(event.shape)}."
    return f"outside the array: {name} has {shape_text(event.shape)}."


def _remedy(event: OutOfBounds, index: tuple[int, ...]) -> str:
    array, axis, name = event.array, _bad_axis(event, index), _name(event)
    written = _index_text(event, axis)
    if written.lstrip("-").isdigit() and written != written.lstrip("-") and not event.shape[axis]:
        return (
            f"An array without elements has no last one: let the thread whose index is {name}.size - 1 do it, which is "
            "nobody where there is none."
        )
    if math.prod(event.shape) == 1 and index[axis] > 0 and event.kind == "atomic":
        return f"{name} has one element: if all threads are to meet there, its index is 0, not `{written or 'this'}`."
    limit = f"{name}.size" if len(event.shape) == 1 else f"{name}.shape[{axis}]"
    limit = limit if array.along is None else f"{name}.shape[{array.along}]"
    round_the_end = _round_the_end(written, limit) if len(event.shape) == 1 and array.space == "global" else ""
    if event.wraps and re.match(r"-\d+ - ", written) and len(event.shape) == 1:
        return f"No thread's index is at least 0 here. To count from the end, write `{name}.size - {written[1:]}`."
    if event.wraps or index[axis] < 0:
        test = f"`{written}` is at least 0" if written else "the index is at least 0"
        return f"Guard the line: it may only run where {test}. Decide what the edge should use instead.{round_the_end}"
    if array.memory and not event.shape[axis]:
        return (
            "An array of length 0 is dynamic shared memory: its size comes with the launch, and this launch gives it 0 "
            "bytes. Write the number of elements as its shape."
        )
    if array.space in ("shared", "local"):
        test = f"`{written}` is" if written else "the index is"
        if array.memory:
            given = event.lanes.batch.launch.dynamic_shared_bytes
            return (
                f"Let it run only where {test} below {event.shape[axis]}, or give the launch more dynamic shared "
                f"memory than its {given} bytes: the fourth number in its brackets."
            )
        return f"Let it run only where {test} below {event.shape[axis]}, or make {array.name} larger."
    if said := _exchanged(event):
        return said
    test = f"`{written}`" if written else "the index"
    guard = f"uard the line: it may only run where {test} is less than {limit}.{round_the_end}"
    return f"{whole} Else g{guard}" if (whole := _whole_row(event)) else f"G{guard}"


def _exchanged(event: OutOfBounds) -> str:
    """Where each thread takes the element of its own position, and the grid fits the array only the other way round."""
    if event.part_shape is not None or event.array.shape != event.shape:
        return ""
    places = positions(event.lanes)
    for fit in short_fits(event.array, event.lanes.batch.launch):
        own = zip(event.indices, fit.axes, strict=True)
        if fit.exchanged and all(np.array_equal(index, places[axis]) for index, axis in own):
            row, col = (_index_text(event, axis) for axis in range(2))
            turned = f", as in {event.array.name}[{col}, {row}]," if row and col else ""
            return (
                f"{fit.sizes()}: the two axes look exchanged. Exchange the two indices{turned} or the two numbers of "
                "the grid and of the block in the launch, and let the guard compare each with its own axis."
            )
    return ""


def _whole_row(event: OutOfBounds) -> str:
    """A sentence for a store with fewer indices than axes: it fills a whole row, which may not be what is meant."""
    if event.array.along is None or event.kind != "store":
        return ""
    return (
        f"`{event.site.text}` stores to a whole row of {event.array.name}: where one element is meant, give an index "
        "for each axis."
    )


def _round_the_end(written: str, length: str) -> str:
    """A sentence for an index that a variable moves, as in `i - shift`: it may be meant to go round."""
    node = _parsed(written)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return ""
    if not isinstance(node.left, ast.Name) or not isinstance(node.right, ast.Name):
        return ""
    return f" Where it is to go round the end, take `({written}) % {length}`."


def _index_text(event: OutOfBounds, axis: int) -> str:
    """The index along one axis as its author wrote it, as in "i + 1"; "" where it is not on the page, or too long."""
    node = _parsed(event.site.text)
    if isinstance(node, ast.Subscript):
        index = node.slice
    elif isinstance(node, ast.Call) and len(node.args) > 1:  # cuda.atomic.add(array, index, value)
        index = node.args[1]
    else:
        return ""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    if len(parts) != len(event.shape):
        return ""
    written = ast.unparse(parts[axis])
    return written if len(written) <= LONGEST_INDEX else ""


def _parsed(written: str) -> ast.expr | None:
    """The syntax of an expression; None where it is none."""
    try:
        return ast.parse(written, mode="eval").body
    except SyntaxError:
        return None


def _bad_axis(event: OutOfBounds, index: tuple[int, ...]) -> int:
    outside = [axis for axis, (i, extent) in enumerate(zip(index, event.shape, strict=True)) if not 0 <= i < extent]
    return outside[0] if outside else 0
