"""Does every block read again what all blocks left for one another?

Of the numbers that blocks leave, one each, a block needs its own, or what a launch in between made of them. Where each
reads most of them, the work grows with the square of the number of blocks, and nothing shows it where those are few.
"""

from __future__ import annotations

import numpy as np

from simt.events import Access, Launch

MANY_BLOCKS = 64
NUMBERS_A_BLOCK = 4  # at most, of an array with a number for each block; one for two blocks at least


class ReadsByBlocks:
    """Counts, of a launch, the elements that each block reads of arrays with about a number for each block.

    share: of such an array's elements, those that a block reads on average, a second time included; the largest of all.
    cells: the elements of that array; 0 where no launch has many blocks.
    """

    def __init__(self) -> None:
        self.share, self.cells = 0.0, 0
        self._blocks = 0
        self._reads: dict[int, list[int]] = {}  # by address: elements, how often a block has read one

    def launch_begins(self, launch: Launch) -> None:
        self._blocks = int(np.prod(launch.grid))
        self._reads.clear()

    def load(self, event: Access) -> None:
        """A load from global memory."""
        n_cells, blocks = event.array.n_cells, self._blocks
        if blocks < MANY_BLOCKS or not blocks <= 2 * n_cells <= 2 * NUMBERS_A_BLOCK * blocks:
            return
        seen = self._reads.setdefault(event.array.base_address, [n_cells, 0])
        seen[1] += np.unique(event.lanes.block * n_cells + event.cells).size

    def launch_ends(self) -> None:
        for n_cells, reads in self._reads.values():
            share = reads / (self._blocks * n_cells)
            if share > self.share:
                self.share, self.cells = share, n_cells
