"""Warp intrinsics: lanes are packed into a (warps, 32) matrix, combined along a row, and unpacked."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.hardware import WARP_SIZE
from simt.lanes.bits import all_true
from simt.refusals import calls
from simt.threads.barriers import check_condition, returned_lanes
from simt.values import as_lanes, is_lane, number, truth
from simt.values.numba_rules import I64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

LANES = np.arange(WARP_SIZE)
LAST_LANE = WARP_SIZE - 1  # the bits of an amount that PTX looks at: ISA, "shfl.sync"
SHUFFLED = tuple(map(np.dtype, ("int32", "int64", "float32", "float64")))  # what numba has shuffles for
FULL_MASK = np.int64(0xFFFFFFFF)


class Warps:
    """The warps of an environment's lanes. slots: (width,) position of each lane in the padded matrix, None when it is
    the identity; active: (n_warps, 32) bool."""

    def __init__(self, env: Env, mask: Mask):
        batch = env.batch
        self.width, self.n_warps = env.width, batch.n_warps
        whole = env.width == batch.width and env.parent is None and batch.slots is None
        self.slots = None if whole else env.register("slot")
        if whole and mask.bits is None:
            self.active = all_true(self.n_warps, WARP_SIZE)
        elif whole:
            self.active = mask.bits.reshape(-1, WARP_SIZE)
        else:
            active = np.zeros(self.n_warps * WARP_SIZE, bool)
            active[mask.pick(self.slots)] = True
            self.active = active.reshape(-1, WARP_SIZE)

    def pack(self, value: Value) -> np.ndarray:
        """(n_warps, 32) of a value; zero where a lane does not exist here."""
        value = as_lanes(value, self.width)
        if self.slots is None:
            return value.reshape(-1, WARP_SIZE)
        packed = np.zeros(self.n_warps * WARP_SIZE, value.dtype)
        packed[self.slots] = value
        return packed.reshape(-1, WARP_SIZE)

    def unpack(self, packed: np.ndarray) -> np.ndarray:
        """(width,) of a packed matrix, or of one value per warp (n_warps, 1)."""
        whole = packed.shape == self.active.shape
        flat = (packed if whole else np.broadcast_to(packed, self.active.shape)).reshape(-1)
        return flat if self.slots is None else flat[self.slots]

    def members(self, named) -> np.ndarray:
        """(n_warps, 32 or 1, 32) bool: which active lanes each caller's mask names."""
        if is_lane(named):
            named = cast(self.pack(named), I64)[:, :, None]
        else:
            named = np.full((1, 1, 1), int(named), I64)
        return ((named >> LANES) & 1).astype(bool) & self.active[:, None, :]

    def names(self, named, source) -> np.ndarray:
        """(n_warps or 1, 32) bool: whether each caller's mask names the lane that it asks; 0 to 31 in `source`."""
        named = self.pack(named).astype(I64) if is_lane(named) else np.full((1, 1), int(named), I64)
        return ((named >> np.clip(source, 0, WARP_SIZE - 1)) & 1).astype(bool)


def _as_bits(rows: np.ndarray) -> np.ndarray:
    """Bool along the last axis as uint32 bits."""
    return (rows.astype(np.uint64) << LANES.astype(np.uint64)).sum(axis=-1, dtype=np.uint64).astype(np.uint32)


def report(env: Env, mask: Mask, place: Place, named, orders_memory=False, reads_from=None) -> None:
    """Tell listeners that lanes came to something that a warp does together. named: the lanes that each names."""
    if named is not FULL_MASK and hasattr(named, "dtype"):
        named = cast(named, I64)  # which refuses a complex number
    if env.batch.emit is not None:
        env.batch.emit.warp_sync(env, mask, place, named, orders_memory, reads_from, returned_lanes(env))


def _from_index(lane, amount, segment, width):
    return segment + amount % width, True


def _from_below(lane, amount, segment, width):
    return lane - amount, lane - amount >= segment


def _from_above(lane, amount, segment, width):
    return lane + amount, lane + amount < segment + width


def _from_xor(lane, amount, segment, width):
    return lane ^ amount, (lane ^ amount) < segment + width


def _shuffle(source_lane):
    """A shuffle. source_lane(lane, amount, first lane of the segment, width) -> (lane read, whether it is in range)."""

    def run(env: Env, mask: Mask, place: Place, named, value: Value, amount, width=32):
        value = number(value)
        if value.dtype not in SHUFFLED:
            name = place.site.text.partition("(")[0]
            raise KernelTypeError(calls.operand_type(name, str(value.dtype), "int32, int64, float32 or float64"))
        warps = Warps(env, mask)
        width = int(width)
        if is_lane(amount) or env.batch.in_groups:
            offset = cast(warps.pack(amount), I64) & LAST_LANE if is_lane(amount) else int(amount) & LAST_LANE
            source, inside = source_lane(LANES, offset, LANES // width * width, width)
            if env.batch.in_groups:
                inside = inside & warps.names(named, source)
            source = np.broadcast_to(np.where(inside, source, LANES), (warps.n_warps, WARP_SIZE))
            places = (source + _first_lanes(warps.n_warps)).astype(np.intp, copy=False)
        else:
            source, places = _sources(source_lane, int(amount) & LAST_LANE, width, warps.n_warps)
        report(env, mask, place, named, reads_from=warps.unpack(source))
        return warps.unpack(warps.pack(value).reshape(-1).take(places))

    return run


def _first_lanes(n_warps: int) -> np.ndarray:
    """(n_warps, 1) the place of each warp's first lane among all lanes."""
    return np.arange(n_warps, dtype=np.intp)[:, None] * WARP_SIZE


@lru_cache(maxsize=64)
def _sources(source_lane: Callable, amount: int, width: int, n_warps: int) -> tuple[np.ndarray, np.ndarray]:
    """(n_warps, 32) each: the lane that each lane reads where all name the same amount, and its place among all lanes.
    Nobody writes to them."""
    source, inside = source_lane(LANES, amount, LANES // width * width, width)
    source = np.tile(np.where(inside, source, LANES), (n_warps, 1))
    return source, (source + _first_lanes(n_warps)).astype(np.intp, copy=False)


def _vote(combine):
    """A vote. combine(member, condition) -> (n_warps, 32 or 1), both (n_warps, 32 or 1, 32) bool."""

    def run(env: Env, mask: Mask, place: Place, named, condition):
        check_condition(condition, "iub", place)
        warps = Warps(env, mask)
        report(env, mask, place, named)
        return warps.unpack(combine(warps.members(named), warps.pack(truth(condition))[:, None, :]))

    return run


def _all(member, holds):
    return (~member | holds).all(axis=2)


def _any(member, holds):
    return (member & holds).any(axis=2)


def _equal(member, holds):
    return _all(member, holds) | _all(member, ~holds)


def _ballot(member, holds):
    return _as_bits(member & holds).view(np.int32)


def match_any(env: Env, mask: Mask, place: Place, named, value: Value):
    """match_any_sync: int32 bits of the lanes that hold the same value."""
    warps = Warps(env, mask)
    report(env, mask, place, named)
    values = warps.pack(value)
    same = (values[:, :, None] == values[:, None, :]) & warps.members(named)
    return warps.unpack(_as_bits(same).view(np.int32))


def match_all(env: Env, mask: Mask, place: Place, named, value: Value):
    """match_all_sync: (bits of the mask, or 0; whether all its lanes hold the same value)."""
    warps = Warps(env, mask)
    report(env, mask, place, named)
    values, members = warps.pack(value), warps.members(named)
    same = _as_bits((values[:, :, None] == values[:, None, :]) & members)
    full = np.broadcast_to(_as_bits(members), same.shape)
    agreed = same == full
    return warps.unpack(np.where(agreed, full, 0).astype(np.uint32).view(np.int32)), warps.unpack(agreed)


def activemask(env: Env, mask: Mask, place: Place):
    """activemask: uint32 bits of the active lanes; in groups, those of a lane's own group where some are missing.

    CUDA C++ Programming Guide, "Warp Vote Functions": which lanes of a branch are together, nothing promises.
    """
    warps = Warps(env, mask)
    together = _as_bits(warps.active)[:, None]
    if env.batch.in_groups:
        own = np.where(LANES % 2, 0xAAAAAAAA, 0x55555555).astype(np.uint32)
        everybody = _as_bits(env.batch.exists)[:, None]
        together = np.where(together == everybody, together, together & own)
    return warps.unpack(together)


def lanemask_lt(env: Env, mask: Mask, place: Place):
    """lanemask_lt: uint32 bits of the lanes below this one."""
    return ((np.int64(1) << (env.register("thread").astype(I64) % WARP_SIZE)) - 1).astype(np.uint32)


def syncwarp(env: Env, mask: Mask, place: Place, named=FULL_MASK):
    """syncwarp: the only warp intrinsic that orders memory."""
    report(env, mask, place, named if is_lane(named) else np.int64(int(named)), orders_memory=True)


INTRINSICS = {
    "shfl_sync": _shuffle(_from_index), "shfl_up_sync": _shuffle(_from_below), "shfl_down_sync": _shuffle(_from_above),
    "shfl_xor_sync": _shuffle(_from_xor), "all_sync": _vote(_all), "any_sync": _vote(_any), "eq_sync": _vote(_equal),
    "ballot_sync": _vote(_ballot), "match_any_sync": match_any, "match_all_sync": match_all, "activemask": activemask,
    "lanemask_lt": lanemask_lt, "syncwarp": syncwarp,
}  # fmt: skip
