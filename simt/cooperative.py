"""Cooperative groups: ``cuda.cg.this_grid().sync()``, a barrier of the whole grid."""

from __future__ import annotations

import ast

import numpy as np

from .errors import UnsupportedError


class GridGroup:
    """What this_grid() returns."""

    def sync(self, env, mask, place):
        """Wait for every thread of the grid; the launch put them all into one batch."""
        batch = env.batch
        x, y, z = batch.options.grid
        if batch.n_blocks != x * y * z:
            raise UnsupportedError(
                "grid.sync() was not seen before the launch: write `cuda.cg.this_grid().sync()` in the kernel"
            )
        if batch.emit is not None:
            batch.emit.tell("grid_sync", place.site)
        return np.int32(0)


def this_grid(env, mask, place):
    """cuda.cg.this_grid()."""
    return GridGroup()


def needs_whole_grid(source) -> bool:
    """Whether a function names this_grid, so that all its blocks must run together."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "this_grid")
        or (isinstance(node, ast.Name) and node.id == "this_grid")
        for node in ast.walk(source.node)
    )


INTRINSICS = {"cg.this_grid": this_grid}
