"""Are the lanes that a warp operation names really there, and does a shuffle read from one that is?"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import Tally
from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import whereabouts
from simt.events import Listener, WarpSync
from simt.hardware import WARP_SIZE
from simt.lanes.bits import every
from simt.source.counts import count_text

FULL_MASK = np.uint64(0xFFFFFFFF)
MOST_STRETCHES = 5  # of lanes that a message lists


class LanesOfCalls(Listener):
    """One finding for each line where a mask names absent lanes, and one where a shuffle reads an absent lane.

    Lanes that returned, or that the block does not have, may be named (CUDA C++ Programming Guide, "Warp Shuffle
    Functions": all *non-exited* threads named must call), but what a shuffle reads from them is undefined.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.book = FindingBook()

    def warp_sync(self, event: WarpSync) -> None:
        lanes = event.lanes
        if not len(lanes):
            return
        self.tally.add(event.site, warp_syncs=lanes.n_warps)
        if len(lanes) == lanes.n_warps * WARP_SIZE and every(event.mask == int(FULL_MASK)):
            return  # every lane of these warps is there and named, whatever a shuffle reads
        there = (lanes.active.astype(np.uint64) << np.arange(WARP_SIZE, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
        mask = np.broadcast_to(np.asarray(event.mask), len(lanes)).astype(np.int64).astype(np.uint64) & FULL_MASK
        absent = mask & ~(there | self._gone(event))[lanes.row]
        self._check_mask(event, mask, absent)
        if event.reads_from is not None:
            self._check_source(event, mask, there, absent)

    def _check_mask(self, event: WarpSync, mask: np.ndarray, absent: np.ndarray) -> None:
        lanes = event.lanes
        own = mask >> lanes.lane.astype(np.uint64) & np.uint64(1) == 0
        if own.any():
            first = int(own.argmax())
            named = f"mask {_hex(mask[first])}, which does not name its own lane"
            says = f"calls {_call(event)} with {named}: that is undefined"
            self._report(event, "own", first, int(own.sum()), says, "Name every lane that calls, itself included.")
        if absent.any():
            first = int((absent > 0).argmax())
            missing = _lanes_of(int(absent[first]))
            says = (
                f"calls {_call(event)} with mask {_hex(mask[first])}, which names {_lane_list(missing)}, but "
                f"{'that lane does' if len(missing) == 1 else 'those lanes do'} not make this call: a GPU waits "
                "forever, or uses a value that nobody gave"
            )
            remedy = "Let every lane named in the mask reach the call: move it out of the if, or narrow the mask."
            self._report(event, "mask", first, int(np.count_nonzero(absent)), says, remedy, {"missing_lanes": missing})

    def _check_source(self, event: WarpSync, mask: np.ndarray, there: np.ndarray, absent: np.ndarray) -> None:
        """A source that the mask names and that is absent has been reported by `_check_mask`."""
        lanes = event.lanes
        source = np.broadcast_to(np.asarray(event.reads_from), len(lanes)).astype(np.int64)
        inside = (source >= 0) & (source < WARP_SIZE)
        bit = np.uint64(1) << np.where(inside, source, 0).astype(np.uint64)
        bad = inside & ((there[lanes.row] | absent) & bit == 0)
        if not bad.any():
            return
        first = int(bad.argmax())
        named = int(mask[first]) >> int(source[first]) & 1
        why = "which the mask names but which is not there" if named else "which the mask does not name"
        says = f"reads lane {source[first]} in {_call(event)}, {why}: the value is undefined"
        remedy = "Let every lane take part (give lanes without an element a neutral value), or do not use that value."
        detail = {"source_lane": int(source[first])}
        self._report(event, "source", first, int(np.count_nonzero(bad)), says, remedy, detail)

    def _gone(self, event: WarpSync) -> np.ndarray:
        """(n_warps,) bits of lanes that the block lacks or that have returned."""
        lanes = event.lanes
        launch = lanes.batch.launch
        first = np.zeros(lanes.n_warps, np.intp)
        first[lanes.row[::-1]] = np.arange(len(lanes))[::-1]
        in_block = lanes.thread[first] // WARP_SIZE * WARP_SIZE + np.arange(WARP_SIZE)[:, None]
        gone = (in_block >= launch.threads_per_block).T
        if event.returned is not None:
            slot = lanes.block[first] * launch.threads_per_block + np.minimum(in_block, launch.threads_per_block - 1)
            gone = gone | event.returned[slot].T
        return (gone.astype(np.uint64) << np.arange(WARP_SIZE, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)

    def _report(self, event, what: str, first: int, count: int, says: str, remedy: str, detail=None) -> None:
        site, lanes = event.site, event.lanes
        self.book.add(
            (what, site.function, site.line),
            by_thread(
                lanes,
                first,
                f"(lane {lanes.lane[first]}) {says}.",
                kind="warp_mask",
                lines=(site.line,),
                remedy=remedy,
                count=count,
                detail={"problem": what, **(detail or {}), **whereabouts(site, lanes.batch)},
            ),
        )


def _call(event: WarpSync) -> str:
    name = event.site.text.split("(")[0].strip()
    return f"{name or 'a warp operation'} at line {event.site.line}"


def _hex(mask) -> str:
    return f"0x{int(mask):08x}"


def _lanes_of(bits: int) -> list[int]:
    return [lane for lane in range(WARP_SIZE) if bits >> lane & 1]


def _lane_list(lanes: list[int]) -> str:
    """As in "lane 3", "lanes 16 to 31" or "lanes 0, 5 and 8 to 11"; how many there are where that gets long."""
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    starts = [lane for lane in lanes if lane - 1 not in lanes]
    ends = [lane for lane in lanes if lane + 1 not in lanes]
    if len(starts) > MOST_STRETCHES:
        return f"{count_text(len(lanes), 'lane')} such as lane {lanes[0]}"
    parts = [f"{a} to {b}" if b > a else f"{a}" for a, b in zip(starts, ends, strict=True)]
    return "lanes " + (f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0])
