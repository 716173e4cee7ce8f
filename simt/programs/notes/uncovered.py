"""Does a grid end before the array does, as it does where blocks were rounded down, or where its axes were exchanged?

Told only of an array in which each thread touches the element of its own position and no other, up to the end of the
grid, and only where one of these two mistakes explains how far the grid falls short.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.findings import FindingBook
from simt.analyses.laid_over import AXES, Fit, positions, short_fits
from simt.events import Access, Finding, Launch, Listener, OutOfBounds
from simt.source.counts import count_text


class Uncovered(Listener):
    """One note a launch."""

    hears_wide = hears_several = True

    def __init__(self) -> None:
        self.book = FindingBook()
        self._fits: dict[tuple, list[Fit]] = {}  # by key of the array
        self._ends: dict[Fit, np.ndarray] = {}  # how far threads have stored, along each axis of the array

    def launch_begins(self, launch: Launch) -> None:
        self._fits = {array.key: fits for array in launch.arguments if (fits := short_fits(array, launch))}
        self._ends.clear()

    def access(self, event: Access) -> None:
        fits = self._fits.get(event.array.key)
        if not fits:
            return
        places = positions(event.lanes)
        kept = self._fits[event.array.key] = [fit for fit in fits if _is_own(event, fit, places)]
        for fit in kept if event.kind != "load" and len(event.lanes) else ():
            ends = np.array([places[axis].max() for axis in fit.axes])
            self._ends[fit] = np.maximum(self._ends.get(fit, -1), ends)

    def out_of_bounds(self, event: OutOfBounds) -> None:
        """Which is told, with the same reason."""
        self._fits.pop(event.array.key, None)

    def launch_ends(self, launch: Launch) -> None:
        found = [fit for fits in self._fits.values() for fit in fits if self._reached(fit)]
        if found:
            self.book.add((), _note(found[0], launch))

    def _reached(self, fit: Fit) -> bool:
        """Whether the last threads of the grid stored: no guard kept the launch from going on."""
        return fit in self._ends and self._ends[fit][fit.short] == fit.extents[fit.short] - 1


def _is_own(event: Access, fit: Fit, places: tuple[np.ndarray, ...]) -> bool:
    if event.wide != 1 or event.each != 1:
        return False
    steps = zip(fit.axes, fit.array.strides, strict=True)
    cells = event.array.first_cell + sum(places[axis] * stride for axis, stride in steps)
    return bool(np.array_equal(event.cells, cells))


def _note(fit: Fit, launch: Launch) -> Finding:
    axis, shape = fit.short, fit.array.shape
    kinds = {1: ("elements",), 2: ("rows", "columns")}.get(len(shape), (f"index {axis},",) * len(shape))
    says = (
        f"{fit.sizes()}. Each thread stores the element of its own position, so {kinds[axis]} {fit.extents[axis]:,} to "
        f"{shape[axis] - 1:,} have no thread."
    )
    return Finding(
        "uncovered",
        f"{says} {'The two axes look exchanged.' if fit.exchanged else 'The number of blocks looks rounded down.'}",
        array=fit.array.name,
        remedy=_exchange(fit) if fit.exchanged else _round_up(fit, launch),
        detail={"unsure": "a guess from the sizes"},
        note=True,
    )


def _exchange(fit: Fit) -> str:
    launch = "Exchange the two numbers of the grid, and of the block, in the launch: the first is for x"
    if fit.axes[0] == 0:
        return f"{launch}, which the kernel takes for the row. Or take the column from x: col, row = cuda.grid(2)."
    return f"{launch}, which the kernel takes for the column."


def _round_up(fit: Fit, launch: Launch) -> str:
    size, block = fit.array.shape[fit.short], launch.block[fit.axes[fit.short]]
    along = "" if len(fit.axes) == 1 else f" along {AXES[fit.axes[fit.short]]}"
    return (
        f"Round it up, as in (n + {block - 1}) // {block}: {size:,} need {count_text(-(-size // block), 'block')} of "
        f"{count_text(block, 'thread')}{along}, and a guard for the threads past the end."
    )
