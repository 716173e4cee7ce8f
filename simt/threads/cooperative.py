"""Cooperative groups: ``cuda.cg.this_grid().sync()``, a barrier of the whole grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import BarrierDivergenceError, UnsupportedError
from simt.source.counts import count_text
from simt.threads.barriers import syncthreads
from simt.values import as_lanes

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


class GridGroup:
    """What this_grid() returns."""

    def sync(self, env: Env, mask: Mask, place: Place):
        """Wait for every thread of the grid; the launch put them all into one batch.

        Raises: BarrierDivergenceError where whole blocks never come; a block that comes in part is a finding, or
        raises as at syncthreads.
        """
        batch = env.batch
        x, y, z = batch.options.grid
        if batch.n_blocks != x * y * z:
            raise UnsupportedError(
                "grid.sync() was not seen before the launch: write `cuda.cg.this_grid().sync()` in the kernel"
            )
        syncthreads(env, mask, place)
        arrived = np.unique(mask.pick(as_lanes(env.register("block"), env.width))).size
        if arrived < batch.n_blocks:
            raise BarrierDivergenceError(
                f"{place.site.text} is reached by {arrived} of the grid's {count_text(batch.n_blocks, 'block')}; "
                "on a GPU they wait forever.",
                arrived, batch.n_blocks, function=place.site.function, line=place.site.line,
                remedy="Move it out of the if or the loop, so that every thread of every block arrives.",
            )  # fmt: skip
        if batch.emit is not None:
            batch.emit.tell("grid_sync", place.site)
        return np.int32(0)


def this_grid(env: Env, mask: Mask, place: Place):
    """cuda.cg.this_grid()."""
    return GridGroup()


INTRINSICS = {"cg.this_grid": this_grid}
