"""Special registers: threadIdx and its kin, laneid, warpsize, cuda.grid and cuda.gridsize."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.hardware import WARP_SIZE
from simt.values.numba_rules import I32, I64
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

REGISTERS = {"threadIdx": "t", "blockIdx": "b", "blockDim": "d", "gridDim": "g"}


class Dim3(Parts):
    """threadIdx and its kin as one value."""

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])
    z = property(lambda self: self[2])


def _component(register: str):
    return lambda env, mask: env.register(register)


def _triple(prefix: str):
    return lambda env, mask: Dim3(env.register(prefix + axis) for axis in "xyz")


def _laneid(env: Env, mask: Mask):
    return (env.register("thread") % WARP_SIZE).astype(I32)


def _warpsize(env: Env, mask: Mask):
    return np.int32(WARP_SIZE)


SPECIAL = {"laneid": _laneid, "warpsize": _warpsize}
for _name, _prefix in REGISTERS.items():
    SPECIAL[_name] = _triple(_prefix)
    for _axis in "xyz":
        SPECIAL[f"{_name}.{_axis}"] = _component(_prefix + _axis)


def _checked(dimensions, place: Place) -> int:
    if isinstance(dimensions, np.ndarray) or dimensions not in (1, 2, 3):
        raise KernelTypeError(f"`{place.site.text}` asks for dimensions that no grid has: write 1, 2 or 3")
    return int(dimensions)


def grid(env: Env, mask: Mask, place: Place, dimensions):
    """cuda.grid(n): int64 position of the thread in the grid; a tuple for n = 2 or 3."""
    dimensions = _checked(dimensions, place)
    position = tuple(
        np.multiply(env.register("b" + axis), env.register("d" + axis), dtype=I64) + env.register("t" + axis)
        for axis in "xyz"[:dimensions]
    )
    return position[0] if dimensions == 1 else position


def gridsize(env: Env, mask: Mask, place: Place, dimensions):
    """cuda.gridsize(n): int64 threads of the whole grid along each axis."""
    dimensions = _checked(dimensions, place)
    size = tuple(np.int64(env.register("g" + axis)) * np.int64(env.register("d" + axis)) for axis in "xyz"[:dimensions])
    return size[0] if dimensions == 1 else size


INTRINSICS = {"grid": grid, "gridsize": gridsize}
