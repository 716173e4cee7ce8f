"""Turns what the interpreter does into events, for the listeners that asked. Exists only when there are any."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from simt import events
from simt.errors import ListenerError
from simt.events import misfits
from simt.events.ears import all_ears, behind, ears_of
from simt.events.inspection import Inspection
from simt.lanes.masks import Mask
from simt.values import as_lanes, is_lane

if TYPE_CHECKING:
    from simt.lanes.masks import Env
    from simt.source.sites import Place

KEPT_LANES = 32  # that a batch may name again
OF_WHOLE = frozenset(("launch_begins", "launch_ends", "batch_begins", "batch_ends"))
_without: list[Callable[[str, Exception], None]] = []


@contextlib.contextmanager
def goes_on_without(told: Callable[[str, Exception], None]) -> Iterator[None]:
    """Launches go on without an analysis that fails. told: its method, and the error."""
    _without.append(told)
    try:
        yield
    finally:
        _without.remove(told)


class Emitter:
    """Builds events of the active lanes and hands each to the listeners that override its method."""

    def __init__(self, listeners, launch: events.Launch):
        self.launch = launch
        self.batch: events.Batch | None = None
        self._at: dict[int, tuple[np.ndarray, events.Lanes]] = {}  # of the batch, by the id of their positions
        self._arithmetic: dict[tuple[int, str], events.Arithmetic] = {}  # of the batch, by site and type
        self._listeners = tuple(listeners)
        self._of_launch = all_ears(self._listeners)
        self.callbacks = self._of_launch

    @property
    def anybody_hears(self) -> bool:
        """Whether anybody asks for what happens within the batch that has just begun."""
        return any(self.callbacks[name] for name in events.CALLBACKS if name not in OF_WHOLE)

    def tell(self, name: str, *event) -> None:
        """Call one method of every listener that has it. Raises ListenerError for a defect of one."""
        self._call(self.callbacks[name], *event)

    def _call(self, callbacks: Iterable, *event) -> None:
        for callback in callbacks:
            try:
                callback(*event)
            except Exception as error:
                if not _without:
                    raise ListenerError(f"{callback.__qualname__} failed: {type(error).__name__}: {error}") from error
                _without[-1](callback.__qualname__, error)
                self._of_launch, self.callbacks = (
                    {name: tuple(one for one in heard if one.__self__ is not callback.__self__) for name, heard in of}
                    for of in (self._of_launch.items(), self.callbacks.items())
                )

    def launch_begins(self) -> None:
        self.tell("launch_begins", self.launch)

    def launch_ends(self) -> None:
        self.tell("launch_ends", self.launch)

    def batch_begins(self, block_ids: np.ndarray) -> None:
        self.batch = events.Batch(self.launch, block_ids)
        self._at.clear()
        self.tell("batch_begins", self.batch)
        also = [one for listener in self._listeners for one in behind(listener)]
        if also:
            self.callbacks = {name: ears + ears_of(also, name) for name, ears in self._of_launch.items()}

    def batch_ends(self) -> None:
        for event in self._arithmetic.values():
            self.tell("arithmetic", event)
        self._arithmetic.clear()
        self.tell("batch_ends", self.batch)
        self.callbacks = self._of_launch

    def lanes(self, env: Env, mask: Mask) -> events.Lanes:
        """The active lanes of a mask, built once per mask."""
        if mask.lanes is None:
            block = as_lanes(env.register("block"), env.width).astype(np.int64, copy=False)
            thread = as_lanes(env.register("thread"), env.width).astype(np.int64)
            mask.lanes = events.Lanes(self.batch, mask.pick(block), mask.pick(thread))
        return mask.lanes

    def statement(self, env: Env, mask: Mask, function: str, line: int, last: int, assigns: tuple[str, ...]) -> None:
        """line, last: where the statement begins and ends; assigns: the variables it can set."""
        if self.callbacks["statement"]:
            look = Inspection(env, mask)
            self.tell("statement", events.Statement(function, line, self.lanes(env, mask), last, assigns, look))

    def arithmetic(self, place: Place, operation: str, dtype: np.dtype, count: int) -> None:
        """Add up until the batch ends. count: active lanes, times the elements that each works out."""
        key = place.site.id, dtype.char
        known = self._arithmetic.get(key)
        if known is None:
            self._arithmetic[key] = events.Arithmetic(place.site, operation, dtype, count)
        else:
            known.count += count

    def _cells(self, env: Env, mask: Mask, array, cells) -> np.ndarray:
        """(n,) int64 cells of the active lanes, within the block's own copy for shared arrays."""
        cells = mask.pick(cells if type(cells) is np.ndarray else np.full(env.width, cells, np.int64))
        cells = cells.astype(np.int64, copy=False)  # addresses and keys made of them outgrow 32 bits
        if array.copy_cells:
            cells = cells - self.lanes(env, mask).block * array.copy_cells
        return cells

    def access(
        self, env: Env, mask: Mask, array, cells, kind, place: Place, values=None, operation="", result_used=False,
        turns=None, operands=None,
    ) -> None:  # fmt: skip
        """A load, store or atomic. values: what a store writes, uniform or per lane of the environment."""
        name = "constant_load" if array.space == "constant" else "access"
        if not self.callbacks[name]:
            return
        written = mask.pick(values) if type(values) is np.ndarray and values.ndim else values
        event = events.Access(
            place.site, kind, array.info, self.lanes(env, mask), self._cells(env, mask, array, cells), written,
            operation=operation, result_used=result_used, turns=turns, operands=operands, memory=array.flat,
        )  # fmt: skip
        self.tell(name, event)

    def copy(self, name: str, place: Place, array, lanes: np.ndarray, first: np.ndarray, values: list) -> None:
        """A copy to shared memory begins or ends: of neighbouring elements. lanes: of the whole batch; first: cell of
        the flat buffer where each begins; values: one array an element."""
        every = self.callbacks[name]
        if not every:
            return
        told, n = self._lanes_at(lanes), len(values)
        first = first.astype(np.int64) - told.block * array.copy_cells
        several = [one for one in every if n > 1 and one.__self__.hears_several]
        others = [one for one in every if one not in several]
        if several:
            cells, written = (first[:, None] + np.arange(n)).reshape(-1), np.stack(values, 1).reshape(-1)
            all_of_them = events.Access(
                place.site, "store", array.info, told.each(n), cells, written, memory=array.flat, each=n
            )
            self._call(several, all_of_them)
        for i in range(n if others else 0):
            event = events.Access(place.site, "store", array.info, told, first + i, values[i], memory=array.flat)
            self._call(others, event)

    def _lanes_at(self, positions: np.ndarray) -> events.Lanes:
        """The lanes at these positions of the batch, which nobody writes to; kept, for they come again."""
        known = self._at.get(id(positions))
        if known is None:
            if len(self._at) >= KEPT_LANES:
                self._at.clear()
            block, thread = np.divmod(positions.astype(np.int64), self.launch.threads_per_block)
            known = self._at[id(positions)] = positions, events.Lanes(self.batch, block, thread)
        return known[1]

    def tile_read(self, name: str, place: Place, array, lanes: np.ndarray, cells: np.ndarray) -> None:
        """The tensor cores begin or end to read cells of a shared array for these lanes of the batch. cells: of the
        flat buffer."""
        if self.callbacks[name]:
            block, thread = np.divmod(lanes.astype(np.int64), self.launch.threads_per_block)
            told, cells = events.Lanes(self.batch, block, thread), cells.astype(np.int64) - block * array.copy_cells
            self.tell(name, events.Access(place.site, "load", array.info, told, cells, memory=array.flat))

    def wide_access(self, env: Env, mask: Mask, array, cells, kind, place: Place, n: int, values=()) -> None:
        """A load or store of n neighbouring cells a lane in one request. values: what a store writes, a cell at a time.

        Listeners that do not ask for wide accesses (`events.Listener.hears_wide`) are told of n accesses of one cell,
        in one event where they hear several of a thread.
        """
        if not self.callbacks["access"] or array.space == "constant":
            return
        lanes, first = self.lanes(env, mask), self._cells(env, mask, array, cells)

        def event(at: np.ndarray, value, wide: int = 1, told=lanes, each: int = 1) -> events.Access:
            return events.Access(place.site, kind, array.info, told, at, value, wide, memory=array.flat, each=each)

        every = self.callbacks["access"]
        written = [mask.pick(value) for value in values]
        wide = [one for one in every if one.__self__.hears_wide]
        several = [one for one in every if one.__self__.hears_several and not one.__self__.hears_wide]
        if wide:
            self._call(wide, event(first, None, n))
        if several:
            cells = (first[:, None] + np.arange(n)).reshape(-1)
            self._call(
                several, event(cells, np.stack(written, 1).reshape(-1) if written else None, 1, lanes.each(n), n)
            )
        others = [one for one in every if not (one.__self__.hears_wide or one.__self__.hears_several)]
        for i in range(n if others else 0):
            self._call(others, event(first + i, written[i] if written else None))

    def out_of_bounds(self, env: Env, mask: Mask, array, indices, kind, place: Place, wraps=False) -> None:
        if not self.callbacks["out_of_bounds"]:
            return
        indices = tuple(mask.pick(as_lanes(np.int64(i) if np.ndim(i) == 0 else i, env.width)) for i in indices)
        lanes = self.lanes(env, mask)
        extents = (mask.pick(extent) for extent in array.shape)
        shape = tuple(int(extent[0]) if is_lane(extent) else int(extent) for extent in extents)
        part = shape if shape != array.info.shape else None
        self.tell("out_of_bounds", events.OutOfBounds(place.site, kind, array.info, lanes, indices, wraps, part))

    def branch(self, env: Env, mask: Mask, condition, place: Place) -> None:
        """condition: bool, or (width,) bool; only the active lanes count."""
        if self.callbacks["branch"]:
            taken = mask.pick(condition) if type(condition) is np.ndarray else np.full(mask.count, bool(condition))
            self.tell("branch", events.Branch(place.site, self.lanes(env, mask), taken, Inspection(env, mask)))

    def barrier(self, env: Env, mask: Mask, place: Place, live, returned) -> None:
        if self.callbacks["barrier"]:
            self.tell("barrier", events.Barrier(place.site, self.lanes(env, mask), live, returned))

    def warp_sync(
        self, env: Env, mask: Mask, place: Place, named, orders_memory: bool, reads_from=None, returned=None
    ) -> None:
        """named: the lanes each caller names in its mask; reads_from: (width,) lane each reads in a shuffle;
        returned: (width of the batch,) bool, threads that ended."""
        if not self.callbacks["warp_sync"]:
            return
        if is_lane(named):
            named = mask.pick(named).astype(np.int64) & 0xFFFFFFFF
        else:
            named = np.full(mask.count, int(named) & 0xFFFFFFFF, np.int64)
        if reads_from is not None:
            reads_from = mask.pick(reads_from)
        lanes = self.lanes(env, mask)
        self.tell("warp_sync", events.WarpSync(place.site, lanes, named, orders_memory, reads_from, returned))

    def raised(self, env: Env, lanes: np.ndarray, kind, where: tuple[str, int]) -> None:
        """lanes: (width,) bool, whose threads an exception ends; where: the function and the line."""
        if self.callbacks["raised"]:
            mask = Mask(lanes, int(np.count_nonzero(lanes)))
            self.tell("raised", events.Raised(*where, getattr(kind, "__name__", "exception"), self.lanes(env, mask)))

    def narrowed(self, env: Env, mask: Mask, array, place: Place, value, stored) -> None:
        """A store: told where its elements cannot hold the numbers. value: before the conversion."""
        for why in misfits.reasons(value.dtype, stored.dtype) if self.callbacks["narrowed"] else ():
            before, after = (mask.pick(as_lanes(one, env.width)) for one in (value, stored))
            lost, kept = misfits.lost(why, before, after)
            if kept or lost.any():
                told, first = self._those(env, mask, lost), int(lost.argmax())
                event = events.Narrowed(place.site, array.info, told, before[first], after[first], why, kept)
                self.tell("narrowed", event)

    def surprise(self, env: Env, mask: Mask, where: tuple[str, int], why: str, odd, left, right, result) -> None:
        """Arithmetic in the lanes `odd`, one bool for all or one a lane. where: the function and the line."""
        within = mask.pick(as_lanes(odd, env.width))
        if within.any():
            told, first = self._those(env, mask, within), int(within.argmax())
            shown = (mask.pick(as_lanes(one, env.width))[first] for one in (left, right, result))
            self.tell("surprise", events.Surprise(*where, told, why, *shown))

    def _those(self, env: Env, mask: Mask, which: np.ndarray) -> events.Lanes:
        lanes = self.lanes(env, mask)
        return events.Lanes(self.batch, lanes.block[which], lanes.thread[which])

    def fence(self, env: Env, mask: Mask, place: Place, scope: str) -> None:
        if self.callbacks["fence"]:
            self.tell("fence", events.Fence(place.site, self.lanes(env, mask), scope))
