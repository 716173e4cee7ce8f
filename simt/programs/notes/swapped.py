"""Were the numbers of a launch exchanged? What it finds then are symptoms, and this is told first."""

from __future__ import annotations

import re
from collections.abc import Iterable

from simt.events import ArrayInfo, Finding, Launch
from simt.hardware import MAX_THREADS_PER_BLOCK, WARP_SIZE

SYMPTOMS = ("out_of_bounds", "uninitialised_read")
BY_BLOCK = re.compile(r"blockIdx\.[xyz]")


def swapped_launch(
    launch: Launch, shared: Iterable[ArrayInfo], findings: Iterable[Finding], texts: dict[int, str]
) -> Finding | None:
    """A finding where blocks and threads are likely exchanged. texts: source of the lines of findings.

    Evidence: a block is as long as only numbers of blocks are, and the grid as only blocks are; and a shared array has
    the length of the grid, or an array indexed by the number of the block ends where the block does.
    """
    blocks, threads = launch.grid[0], launch.block[0]
    plain = launch.grid[1:] == launch.block[1:] == (1, 1) and blocks != threads
    if not plain or threads % WARP_SIZE == 0 or blocks % WARP_SIZE or blocks > MAX_THREADS_PER_BLOCK:
        return None
    symptoms = [one for one in findings if one.kind in SYMPTOMS and not one.note]
    tiles = [array for array in shared if blocks in array.shape]
    by_block = [
        one
        for one in symptoms
        if one.kind == "out_of_bounds"
        and threads in one.detail.get("shape", ())
        and BY_BLOCK.search(texts.get(one.lines[0], ""))
    ]
    if not symptoms or not (tiles or by_block):
        return None
    why = (
        f"the shared array {tiles[0].name} has {blocks} elements, one for each thread of such a block"
        if tiles
        else f"{by_block[0].array} has {threads} elements and is indexed by the block"
    )
    return Finding(
        "swapped_launch",
        f"This launch has {blocks} blocks of {threads} threads, and {why}: blocks and threads look exchanged.",
        (),
        remedy=f"Launch with {launch.kernel}[{threads}, {blocks}](...): first the blocks, then the threads of each.",
        detail={"unsure": "a guess from the sizes; what else is found in this launch may come of it"},
    )
