"""`iter` and `next`: one walk through what a loop could go over, that goes on from where it was left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import KernelTypeError
from simt.lanes.blend import merge
from simt.lanes.masks import narrowed
from simt.memory.sequences import Elements, elements_of, numbered, with_indices, zipped
from simt.values import UNDEFINED, as_lanes

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


class Positions:
    """How far each thread of a batch has come: one for all variables that name the walk. counts: (threads,) int64."""

    def __init__(self, size: int) -> None:
        self.counts = np.zeros(size, np.int64)

    def narrow(self, index: np.ndarray) -> Positions:
        return self

    def merge(self, old: Any, bits: np.ndarray, mask: Mask = None) -> Positions:
        if old is not self:
            raise KernelTypeError("a variable names different iterators in different threads: write the loop twice")
        return self

    def scatter(self, old: Any, index: np.ndarray, width: int) -> Positions:
        return self if old is UNDEFINED else self.merge(old, index)


class Walk(Elements):
    """What `iter` gives. sources: the elements, and how far each thread has come."""

    __slots__ = ()

    def left_for(self, env: Env) -> Iterator[Any]:
        """As a loop asks for it: how many are left, 0 where threads differ; then what takes each, and which threads
        still have one. The body of the loop may take some, too."""
        left = self._left(env)
        yield int(left[0]) if (left == left[0]).all() else 0
        while (left := self._left(env)).any():
            yield lambda mask: _advance(env, mask, 0, self.sources), left > 0

    def _left(self, env: Env) -> np.ndarray:
        items, positions = self.sources
        return np.maximum(items.extent - positions.counts[env.root_index()], 0)


def walk_through(env: Env, mask: Mask, place: Place, sequence) -> Walk:
    """`iter(sequence)`."""
    items = elements_of(sequence, place)
    if isinstance(items, Walk):
        return items
    return Walk(items.extent, (items, Positions(len(env.batch.block_ids) * env.batch.options.threads_per_block)), _at)


def next_of(env: Env, mask: Mask, place: Place, walk):
    """`next(walk)`: past the end the thread ends, as by any exception."""
    if not isinstance(walk, Walk):
        raise KernelTypeError(f"`{place.site.text}` needs what `iter` gives: write next(iter(...))")
    items, positions = walk.sources
    done = as_lanes(positions.counts[env.root_index()] >= items.extent, env.width)
    done = done if mask.bits is None else done & mask.bits
    if done.any():
        env.batch.record_raise(env, done, StopIteration, [], (place.site.function, place.site.line))
    return _advance(env, mask, 0, walk.sources)


def _at(env: Env, mask: Mask, position: int, sources: tuple):
    """An element by its place, whatever was taken."""
    return sources[0].at(env, mask, position)


def _advance(env: Env, mask: Mask, position: int, sources: tuple):
    """The next element of each thread, which may be another one in each."""
    items, positions = sources
    root = env.root_index()
    places = np.minimum(positions.counts[root], np.maximum(np.asarray(items.extent) - 1, 0))
    result: Any = UNDEFINED
    for place in np.unique(mask.pick(places)):
        bits = places == place
        within = narrowed(mask, bits)
        one = items.at(env, within, int(place))
        result = one if result is UNDEFINED else merge(result, one, bits)
    positions.counts[mask.pick(root)] += 1
    return result


ITERATED = {
    iter: walk_through,
    next: next_of,
    zip: zipped,
    enumerate: numbered,
    np.ndenumerate: with_indices,
}  # calls of Python and NumPy: f(env, mask, place, *values)
