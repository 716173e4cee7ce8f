"""Keeps what an analysis remembers of each element within bounds: of a huge array, it is shown a sample of elements.

The sample is the first and the last elements, where loops begin and ragged ends are, and every so many of those
between. The stride is odd, so that it meets every place of a tile, a warp or a row whose length is a power of two.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from simt.events import Access, ArrayInfo, Lanes

MOST_CELLS = 1 << 24  # elements of one array that are remembered; a race needs up to 48 bytes for each


@dataclass(frozen=True)
class SampledArray(ArrayInfo):
    """A sample of `whole` under its name: its first `ends` elements, as many at the end, every `stride`-th between."""

    whole: ArrayInfo | None = None
    stride: int = 1
    ends: int = 0

    def index_of(self, cell: int) -> tuple[int, ...]:
        """The kernel's index of an element of the sample."""
        assert self.whole is not None
        if cell >= self.n_cells - self.ends:
            cell += self.whole.n_cells - self.n_cells
        elif cell >= self.ends:
            cell = self.ends + (cell - self.ends) * self.stride
        return self.whole.index_of(cell)

    def sampled(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) bool, which cells of the whole array are in the sample; and their cells there."""
        assert self.whole is not None
        ends, last = self.ends, self.whole.n_cells - self.ends
        between = (cells >= ends) & (cells < last)
        steps, rest = np.divmod(cells - ends, self.stride)
        chosen = ~between | (rest == 0)
        moved = np.where(
            between, ends + steps, np.where(cells < ends, cells, cells - self.whole.n_cells + self.n_cells)
        )
        return chosen, moved[chosen]


def sample_of(array: ArrayInfo, most_cells: int = MOST_CELLS) -> SampledArray:
    """About `most_cells` elements of an array that has more."""
    ends = most_cells // 4
    between = array.n_cells - 2 * ends
    stride = -(-between // (most_cells - 2 * ends)) | 1
    known: dict[str, Any] = {one.name: getattr(array, one.name) for one in fields(ArrayInfo)}
    known["n_cells"] = 2 * ends + -(-between // stride)
    return SampledArray(**known, whole=array, stride=stride, ends=ends)


class HugeArrays:
    """The samples of one analysis. remarks: what it was not shown, in a sentence an array."""

    def __init__(self, most_cells: int = 0) -> None:
        self.most_cells = most_cells
        self._samples: dict[tuple, SampledArray] = {}

    @property
    def remarks(self) -> list[str]:
        return [
            f"`{one.name}` has {one.whole.n_cells:,} elements: races and reads of what nobody wrote were looked for in "
            f"{one.n_cells:,} of them, the first, the last and one in {one.stride} between"
            for one in self._samples.values()
            if one.whole is not None
        ]

    def shown(self, event: Access) -> Access | None:
        """The part of an access that an analysis may remember; None where nothing of it is in the sample."""
        array, most = event.array, self.most_cells or MOST_CELLS
        if array.n_cells <= most or array.space == "shared":
            return event
        sample = self._samples.get(array.key)
        if sample is None or sample.whole != array:
            sample = self._samples[array.key] = sample_of(array, most)
        chosen, cells = sample.sampled(event.cells)
        if not chosen.any():
            return None
        lanes = Lanes(event.lanes.batch, event.lanes.block[chosen], event.lanes.thread[chosen])
        values = event.values[chosen] if isinstance(event.values, np.ndarray) and event.values.ndim else event.values
        return replace(event, array=sample, lanes=lanes, cells=cells, values=values, memory=None, each=1)
