"""Which thread stores an element of the learner's output: told from the stores of the run itself."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np

from autograder.notebook import picture
from autograder.notebook.explain.asked import Probe, Seen
from simt.events import Access, Listener


class Writers(Listener):
    """For each place of each array: the linear numbers of the block and the thread of every store."""

    def __init__(self) -> None:
        self.of: dict[str, dict[int, set[tuple[int, int]]]] = {}

    def access(self, event: Access) -> None:
        if event.kind != "store" or event.array.space != "global":
            return
        lanes = event.lanes
        blocks = lanes.batch.block_ids[lanes.block]
        threads = np.broadcast_to(lanes.thread, blocks.shape)
        places = self.of.setdefault(event.array.name, {})
        for cell, block, thread in zip(event.cells.tolist(), blocks.tolist(), threads.tolist(), strict=True):
            places.setdefault(cell, set()).add((block, thread))


def who_stores(seen: Seen) -> Iterator[Probe]:
    """Which thread of its block stores one element of an array, where exactly one thread of the grid does."""
    writers = Writers()
    picture.heard(seen.exercise, seen.program, writers)
    for array, places in writers.of.items():
        single = [cell for cell, who in places.items() if len(who) == 1]
        if len(places) < 2 or not single:
            continue
        cell = sorted(single)[zlib.crc32(seen.program.source.encode()) % len(single)]
        ((block, thread),) = places[cell]
        yield Probe(
            f"{seen.on}: which thread of its block stores place {cell} of {array}? Count threads from 0, x fastest, "
            "and places from 0 in the order of memory.",
            (thread,),
            f"Thread {thread} of block {block} stores it.",
        )
