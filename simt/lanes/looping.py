"""Going round a loop: who turns again, who has left, and the iterations of few lanes, which run on those alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.lanes.masks import COMPACT_BELOW, COMPACT_FROM, Loop, Mask, join, mask_from
from simt.lanes.turning import Turning

if TYPE_CHECKING:
    from simt.lanes.masks import Env
    from simt.source.sites import Place


def next_turn(env: Env, after: Mask | None, loop: Loop) -> Mask | None:
    """Lanes of the next iteration: those that finished the body and those that hit `continue`."""
    if loop.continued is None:
        return after
    bits, loop.continued = loop.continued, None
    return join(after, mask_from(bits, env.width), env.width)


def after_loop(env: Env, mask: Mask) -> Mask | None:
    """All lanes that entered the loop, minus those that returned in it."""
    if env.left is None:
        return mask
    return mask_from(~env.left if mask.bits is None else mask.bits & ~env.left, env.width)


def enter(env: Env, place: Place, otherwise, of: int = 0) -> Loop:
    """Begin a loop. of: how often it turns, 0 where that differs from lane to lane, or nobody knows."""
    loop = Loop(env, otherwise is not None, Turning(place, of))
    env.frame.loops.append(loop)
    env.batch.turning.append(loop.turning)
    return loop


def begin_turn(env: Env, mask: Mask, loop: Loop) -> None:
    """The lanes of a mask go round: counted as one statement, beside those of the body."""
    loop.turning.begin(mask.count)
    env.batch.meter.count(1, env)


def continue_with(env: Env, mask: Mask, loop: Loop, rest) -> None:
    """Run the rest of a loop, `rest(child, inner)`, in an environment that holds only the lanes of `mask`."""
    child = env.child(mask)
    inner = Loop(child, loop.counts_breaks, loop.turning)
    env.frame.loops.append(inner)
    rest(child, inner)
    env.frame.loops.pop()
    env.absorb(child)
    adopt_breaks(loop, inner, child)


def finish(env: Env, mask: Mask, loop: Loop, otherwise) -> Mask | None:
    """Leave a loop: run its `else` for the lanes that did not break."""
    env.frame.loops.pop()
    env.batch.turning.pop()
    survivors = after_loop(env, mask)
    if otherwise is None or survivors is None:
        return survivors
    if loop.broken is None:
        return otherwise(env, survivors)
    remaining = ~loop.broken if survivors.bits is None else survivors.bits & ~loop.broken
    went_on = mask_from(remaining, env.width)
    broke = mask_from(loop.broken if survivors.bits is None else survivors.bits & loop.broken, env.width)
    return broke if went_on is None else join(otherwise(env, went_on), broke, env.width)


def still_in(condition, mask: Mask) -> Mask | None:
    """The lanes for which a loop's condition holds."""
    bits = condition if mask.bits is None else condition & mask.bits
    count = int(np.count_nonzero(bits))
    if count == mask.count:
        return mask
    return Mask(bits, count) if count else None


def is_sparse(env: Env, mask: Mask) -> bool:
    return mask.count < COMPACT_BELOW * env.width and env.width >= COMPACT_FROM


def adopt_breaks(loop: Loop, inner: Loop, child) -> None:
    """Tell a loop which lanes broke out of its continuation in a child environment."""
    if inner.broken is None:
        return
    if loop.broken is None:
        loop.broken = np.zeros(loop.env.width, bool)
    loop.broken[child.index[inner.broken]] = True
