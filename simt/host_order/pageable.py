"""Copies in streams that were made to run side by side, of memory that is not pinned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from simt.events import Finding
from simt.host_order.clocks import DEFAULT_STREAM
from simt.host_order.timeline import Task, Wait

REMEDY = "Make the host array with cuda.pinned_array, or pin the one there is: with cuda.pinned(array):."


def notes_on_copies(steps: Iterable[Task | Wait]) -> Iterator[Finding]:
    """One note, where host code uses several streams and copies pageable memory in them."""
    tasks = [one for one in steps if isinstance(one, Task) and one.operation.actor != DEFAULT_STREAM]
    copies = [one.operation for one in tasks if one.kind in ("up", "down") and not one.pinned and one.operation.line]
    if len({one.operation.actor for one in tasks}) < 2 or len({one.actor for one in copies}) < 2:
        return
    lines = tuple(dict.fromkeys((one.line, one.file) for one in copies))
    says = (
        f"Line {lines[0][0]} copies memory that is not pinned in a stream, as {len(copies) - 1} others do: such a copy "
        "goes through a buffer of the driver's and makes the host wait, so the streams hardly run side by side."
    )
    detail = {"files": tuple(file for _, file in lines)}
    yield Finding("pageable", says, tuple(line for line, _ in lines), remedy=REMEDY, detail=detail, note=True)
