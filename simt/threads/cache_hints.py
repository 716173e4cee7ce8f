"""Loads and stores that say how a cache should keep what they touch: ``cuda.ldcs(a, i)``, ``cuda.stcg(a, i, value)``.

Nothing else about them differs from ``a[i]``; on a GPU each becomes one instruction for global memory.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from simt.errors import KernelTypeError
from simt.memory.access import load, store
from simt.memory.arrays import Array

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

LOADS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
STORES = ("stcg", "stcs", "stwb", "stwt")


def _load(name: str, env: Env, mask: Mask, place: Place, array, i):
    _check(name, array, i)
    return load(env, mask, array, i, place)


def _store(name: str, env: Env, mask: Mask, place: Place, array, i, value: Value) -> None:
    _check(name, array, i)
    store(env, mask, array, i, value, place)


def _check(name: str, array, index) -> None:
    """Raises: KernelTypeError for what numba, or a GPU, does not take."""
    if not isinstance(array, Array) or array.dtype.kind not in "iufb":
        raise KernelTypeError(f"cuda.{name} takes an array of integers or floats")
    given = len(index) if isinstance(index, tuple) else 1
    if given != array.ndim:
        raise KernelTypeError(f"cuda.{name}: {array.name} has {array.ndim} axes, and {given} indices are given")
    if array.space in ("shared", "local"):
        raise KernelTypeError(
            f"cuda.{name} becomes an instruction for global memory, and {array.name} is {array.space}: write "
            f"{array.name}[...]"
        )


INTRINSICS = {name: partial(_load, name) for name in LOADS} | {name: partial(_store, name) for name in STORES}
