"""Does every thread of the block reach each syncthreads?"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import Tally
from simt.analyses.findings import FindingBook
from simt.analyses.wording import block_text, thread_text, unravel, whereabouts
from simt.events import Barrier, Batch, Branch, Finding, Listener, Site
from simt.lanes.bits import every, some
from simt.source.counts import count_text


class Barriers(Listener):
    """Counts barriers; a barrier that some live threads miss is a finding, one that returned threads miss a note."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.book = FindingBook()
        self._splits: dict[int, Branch] = {}  # last time each branch sent threads both ways, by site

    def batch_begins(self, batch: Batch) -> None:
        self._splits.clear()

    def branch(self, event: Branch) -> None:
        taken = np.asarray(event.taken)
        if taken.ndim and not every(taken):
            self._splits[event.site.id] = event

    def barrier(self, event: Barrier) -> None:
        lanes = event.lanes
        if len(lanes) == lanes.batch.n_blocks * lanes.batch.launch.threads_per_block:  # everybody
            self.tally.add(event.site, barriers=lanes.batch.n_blocks)
            return
        arrived = np.bincount(lanes.block.astype(np.intp, copy=False), minlength=lanes.batch.n_blocks)
        self.tally.add(event.site, barriers=int(np.count_nonzero(arrived)))
        missing = (arrived > 0) & (arrived < event.live)
        if some(missing):
            self._report_missing(event, arrived, np.flatnonzero(missing))
        early = (arrived > 0) & (arrived >= event.live) & (event.returned > 0)
        if some(early):
            self._note_returned(event, np.flatnonzero(early))

    def _report_missing(self, event: Barrier, arrived: np.ndarray, blocks: np.ndarray) -> None:
        site, lanes = event.site, event.lanes
        key = ("missing", site.function, site.line)
        if key in self.book:
            self.book.count(key, len(blocks))
            return
        batch, block = lanes.batch, int(blocks[0])
        launch, block_id = batch.launch, int(batch.block_ids[block])
        here = np.zeros(launch.threads_per_block, bool)
        here[lanes.thread[lanes.block == block]] = True
        absent = int(here.argmin())
        live = int(event.live[block])
        condition, holds = self._condition(event, block, here)
        all_live = event.returned[block] == 0
        example = f"; {thread_text(launch, absent)} does not" if all_live else ""
        message = (
            f"Only {arrived[block]} of the {count_text(live, 'thread')} of {block_text(launch, block_id)} "
            f"{'reaches' if arrived[block] == 1 else 'reach'} {_call(site.text)} at line {site.line}"
            f"{_because(condition)}{example}. "
            "A barrier waits for every thread of the block, so this hangs on a GPU or lets threads run ahead."
        )
        self.book.add(
            key,
            Finding(
                kind="barrier_divergence",
                message=message,
                lines=tuple(dict.fromkeys((site.line, condition.site.line))) if condition else (site.line,),
                threads=(unravel(absent, launch.block),) if all_live else (),
                blocks=(unravel(block_id, launch.grid),),
                remedy=_remedy(condition, holds, site.function),
                count=len(blocks),
                detail={
                    "arrived": int(arrived[block]),
                    "live": live,
                    "condition": condition.site.text if condition else "",
                    **whereabouts(site, batch),
                },
            ),
        )

    def _condition(self, event: Barrier, block: int, here: np.ndarray) -> tuple[Branch | None, bool]:
        """The innermost condition before the barrier that threads of the block disagreed on, or None.

        One way went only threads that arrive at the barrier, the other way at least one that does not. The second
        value says whether those that arrive are those for which it holds.
        """
        for place in (event.site, *reversed(event.lanes.batch.calls)):
            found, holds = self._condition_before(place, block, here)
            if found is not None:
                return found, holds
        return None, True

    def _condition_before(self, place: Site, block: int, here: np.ndarray) -> tuple[Branch | None, bool]:
        """The same in the function of one place: of the barrier, or of a call on the way to it."""
        found, holds = None, True
        for branch in self._splits.values():
            site, lanes = branch.site, branch.lanes
            if site.function != place.function or site.line > place.line:
                continue
            if found is not None and site.line < found.site.line:
                continue
            side = lanes.thread[(lanes.block == block) & branch.taken]
            other = lanes.thread[(lanes.block == block) & ~branch.taken]
            if _parted(here, side, other):
                found, holds = branch, True
            elif _parted(here, other, side):
                found, holds = branch, False
        return found, holds

    def _note_returned(self, event: Barrier, blocks: np.ndarray) -> None:
        site, batch = event.site, event.lanes.batch
        key = ("returned", site.function, site.line)
        if key in self.book:
            self.book.count(key, int(event.returned[blocks].sum()))
            return
        launch, block_id = batch.launch, int(batch.block_ids[blocks[0]])
        gone = int(event.returned[blocks[0]])
        self.book.add(
            key,
            Finding(
                kind="barrier_divergence",
                message=(
                    f"{count_text(gone, 'thread')} of {block_text(launch, block_id)} returned before "
                    f"{_call(site.text)} at line {site.line}, which the rest reach. GPUs since Volta let threads that "
                    "have ended miss a barrier, but the CUDA guide does not promise it."
                ),
                lines=(site.line,),
                blocks=(unravel(block_id, launch.grid),),
                remedy="Put the work inside an if instead of returning early, and keep the barrier outside it.",
                count=int(event.returned[blocks].sum()),
                detail={"returned": gone},
                note=True,
            ),
        )


def _parted(here: np.ndarray, arrived: np.ndarray, missing: np.ndarray) -> bool:
    """Whether all threads of one way are at the barrier, and some of the other way are not."""
    return bool(len(arrived) and here[arrived].all() and not here[missing].all())


def _call(text: str) -> str:
    return text if text else "cuda.syncthreads()"


def _because(condition: Branch | None) -> str:
    return f", because of `{condition.site.text}` at line {condition.site.line}" if condition else ""


def _remedy(condition: Branch | None, holds: bool, function: str) -> str:
    if condition is None:
        return "Move the barrier to where every thread of the block passes it."
    site = condition.site
    if any(line == site.line for line, _ in site.loops) or site.text.startswith("range("):
        return (
            f"Move the barrier out of the loop at line {site.line}, or let every thread make as many iterations, and "
            "do the work of an iteration inside an if."
        )
    if holds and site.function != function:
        return f"Move the call of {function} out of the condition at line {site.line}, so that every thread arrives."
    if holds:
        return f"Move the barrier out of the condition at line {site.line}, so that every thread arrives."
    return (
        f"Threads for which `{site.text}` holds never come: keep them on the way to the barrier, and put only their "
        "work inside an if."
    )
