"""Runs the kernel of a card in the interpreter: counters, findings, and what one thread touched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import simt
from autograder.drills.deck.model import Card, CardError
from autograder.drills.values.draws import filled_code, worked_out
from simt.events import Access, Listener
from simt.tracing import Trace

HEADER = (
    "import math\nimport numpy as np\nfrom numba import cuda, float32, float64, int8, int16, int32, int64, uint32\n"
)
HEADER_LINES = HEADER.count("\n")
KERNEL = re.compile(r"^@cuda\.jit[^\n]*\ndef (\w+)", re.MULTILINE)
ARRAY = re.compile(r"^(?P<dtype>[a-z]+\d*)\[(?P<shape>[^\]]*)\](?:\s*=\s*(?P<fill>.+))?$")
DISTINCT = 251  # values of an array whose filling a card leaves open: 0 to 250, again and again


class Touches(Listener):
    """Hears which elements one thread reads and writes. reads, writes: array name -> flat indices, in order."""

    def __init__(self, block: tuple[int, int, int], thread: int):
        self.block, self.thread = block, thread
        self.reads: dict[str, list[int]] = {}
        self.writes: dict[str, list[int]] = {}

    def access(self, event: Access) -> None:
        launch = event.lanes.batch.launch
        x, y, z = self.block
        wanted = x + launch.grid[0] * (y + launch.grid[1] * z)
        blocks = event.lanes.batch.block_ids[event.lanes.warp // launch.warps_per_block]
        within = (event.lanes.warp % launch.warps_per_block) * 32 + event.lanes.lane
        here = np.flatnonzero((blocks == wanted) & (within == self.thread))
        for position in here:
            cell = int(event.cells[position])
            for kind, kept in (("load", self.reads), ("store", self.writes)):
                if event.kind in (kind, "atomic"):
                    kept.setdefault(event.array.name, []).append(cell)


@dataclass(frozen=True)
class Ran:
    """A kernel that was run. names: what a `measure` may use: counters, arrays by name, reads, writes."""

    source: str
    trace: Trace
    names: dict[str, Any]


def source_of(card: Card, text: str, values: Mapping[str, Any], where: str = "kernel") -> str:
    """The kernel's source with the drawn values in it, without the header that imports."""
    return filled_code(card, where, text, values).strip("\n") + "\n"


def run(card: Card, source: str, values: Mapping[str, Any], where: str = "kernel", record: bool = False) -> Ran:
    """Run a card's kernel at the card's launch and arguments. Raises: CardError where it cannot be run."""
    kernel = load(card, source, where)
    grid = worked_out(card, "launch", card.data["launch"][0], values)
    block = worked_out(card, "launch", card.data["launch"][1], values)
    arguments = {name: argument_of(card, name, text, values) for name, text in card.data["arguments"].items()}
    touches = _touches(card, values, block)
    heard = [touches] if touches else []
    dynamic = worked_out(card, "dynamic_shared_bytes", card.data.get("dynamic_shared_bytes", 0), values)
    trace = simt.trace(
        kernel, grid, block, *arguments.values(), dynamic_shared_bytes=dynamic, also=heard, record=record
    )
    names = {**values, **trace.counters, **arguments}
    if touches:
        names["reads"] = {name: tuple(cells) for name, cells in touches.reads.items()}
        names["writes"] = {name: tuple(cells) for name, cells in touches.writes.items()}
    return Ran(source, trace, names)


def load(card: Card, source: str, where: str = "kernel"):
    """The kernel that the source defines."""
    from autograder.drills.deck.course import Program, ProgramError

    found = KERNEL.findall(source)
    if not found:
        raise CardError(card.file, card.id, where, "there is no function under @cuda.jit.")
    try:
        return Program(HEADER + source, found[-1], f"{card.id}.py").load()[1]
    except ProgramError as error:
        raise CardError(card.file, card.id, where, str(error)) from error


def argument_of(card: Card, name: str, text, values: Mapping[str, Any]):
    """An argument: "float32[n, 4]", "float32[n] = 0" (filled so), or the expression of a number."""
    text = filled_code(card, f"arguments.{name}", text, values) if isinstance(text, str) else text
    found = ARRAY.match(text) if isinstance(text, str) else None
    if not found:
        return worked_out(card, f"arguments.{name}", text, values) if not _typed(text) else _scalar(card, text, values)
    shape = worked_out(card, f"arguments.{name}", f"({found['shape']},)", values)
    count = int(np.prod(shape))
    if found["fill"] is None:
        flat = np.arange(count) % DISTINCT
    else:
        filling = worked_out(card, f"arguments.{name}", found["fill"], values)
        flat = np.resize(np.asarray(filling), count)
    return flat.astype(found["dtype"]).reshape(shape)


def _typed(text) -> bool:
    return isinstance(text, str) and text.startswith(("float32(", "int32(", "int8(", "float64("))


def _scalar(card: Card, text: str, values: Mapping[str, Any]):
    dtype, _, inside = text.partition("(")
    return np.dtype(dtype).type(worked_out(card, "arguments", inside.rstrip(")"), values))


def _touches(card: Card, values: Mapping[str, Any], block) -> Touches | None:
    """A listener for the thread that the card asks about: `thread` and `block` of `who`, as expressions."""
    if "who" not in card.data:
        return None
    where = worked_out(card, "who.block", card.data["who"].get("block", 0), values)
    thread = worked_out(card, "who.thread", card.data["who"]["thread"], values)
    size = block if isinstance(block, tuple) else (block,)
    x, y, z = _three(thread)
    width, height, _ = _three(size, 1)
    return Touches(_three(where), x + width * (y + height * z))


def _three(value, rest: int = 0) -> tuple[int, int, int]:
    values = tuple(value) if isinstance(value, tuple | list) else (value,)
    return (*values, rest, rest, rest)[:3]
