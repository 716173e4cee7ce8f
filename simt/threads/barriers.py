"""syncthreads and its reductions, and fences."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import BarrierDivergenceError, KernelTypeError
from simt.refusals import calls
from simt.values import as_lanes, number, truth

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


def returned_lanes(env: Env) -> np.ndarray | None:
    """(width of the batch,) bool, lanes that returned from the kernel; None when none did."""
    batch, returned = env.batch, None
    while env is not None:
        if env.frame.depth == 0 and env.left is not None:
            if returned is None:
                returned = np.zeros(batch.width, bool)
            returned[env.root_index()[env.left]] = True
        env = env.parent if env.parent is not None else env.caller
    return returned


def per_block(batch, lanes: np.ndarray | None) -> np.ndarray:
    """(n_blocks,) how many of a set of lanes of the batch each block has; None stands for all."""
    if lanes is None:
        return np.full(batch.n_blocks, batch.options.threads_per_block)
    return lanes.reshape(batch.n_blocks, -1).sum(axis=1)


def syncthreads(env: Env, mask: Mask, place: Place):
    """Every live thread of a block must be here; threads that returned earlier are not waited for."""
    batch = env.batch
    if batch.products is not None:
        batch.products.met_at_barrier(env.roots_of(mask))
    if mask.count == batch.width and batch.emit is None:
        return
    returned = returned_lanes(env)
    gone = per_block(batch, returned) if returned is not None else np.zeros(batch.n_blocks, int)
    live = batch.options.threads_per_block - gone
    if batch.emit is not None:
        batch.emit.barrier(env, mask, place, live, gone)
    elif batch.strict:
        _check_all_arrived(env, mask, place, live)


def _check_all_arrived(env: Env, mask: Mask, place: Place, live: np.ndarray) -> None:
    batch = env.batch
    block = as_lanes(env.register("block"), env.width)
    arrived = np.bincount(mask.pick(block), minlength=batch.n_blocks)
    short = np.flatnonzero((arrived > 0) & (arrived != live))
    if len(short) == 0:
        return
    first = int(short[0])
    lane = int(np.flatnonzero(mask.pick(block) == first)[0])
    lane = lane if mask.bits is None else int(mask.index[lane])
    where, thread = batch.coordinates(int(env.root_index()[lane]))
    raise BarrierDivergenceError(
        f"{place.site.text} is reached by {arrived[first]} of the block's {live[first]} live threads; on a GPU that "
        "hangs or is undefined.",
        int(arrived[first]), int(live[first]),
        function=place.site.function, line=place.site.line, block=where, thread=thread,
        remedy="Move it out of the if or the loop, so that every thread arrives.",
    )  # fmt: skip


def check_condition(value: Value, kinds: str, place: Place) -> None:
    """Refuse what numba does not compile as a condition. kinds: of NumPy dtypes that it does.

    Raises: KernelTypeError.
    """
    dtype = number(value).dtype
    if dtype.kind not in kinds:
        call = ast.parse(place.site.text, mode="eval").body
        assert isinstance(call, ast.Call)
        raise KernelTypeError(calls.condition_type(call, str(dtype)))


def _reduction(combine):
    """A barrier that also combines a condition over the block. combine(true counts, arrived counts) -> (n_blocks,)."""

    def run(env: Env, mask: Mask, place: Place, value: Value):
        check_condition(value, "iu", place)
        syncthreads(env, mask, place)
        holds = as_lanes(truth(value), env.width)
        block = as_lanes(env.register("block"), env.width)
        n_blocks = env.batch.n_blocks
        arrived = np.bincount(mask.pick(block), minlength=n_blocks)
        true = np.bincount(mask.pick(block)[mask.pick(holds)], minlength=n_blocks)
        return combine(true, arrived).astype(np.int32)[block]

    return run


def _fence(scope: str):
    def run(env: Env, mask: Mask, place: Place):
        if env.batch.emit is not None:
            env.batch.emit.fence(env, mask, place, scope)

    return run


INTRINSICS = {
    "syncthreads": syncthreads,
    "syncthreads_count": _reduction(lambda true, arrived: true),
    "syncthreads_and": _reduction(lambda true, arrived: true == arrived),
    "syncthreads_or": _reduction(lambda true, arrived: true > 0),
    "threadfence": _fence("grid"),
    "threadfence_block": _fence("block"),
    "threadfence_system": _fence("system"),
}
