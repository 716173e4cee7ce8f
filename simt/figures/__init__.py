"""Pictures of what a kernel really touched, drawn from a trace recorded with `record=True`.

Each function returns a matplotlib Figure with one claim in its title, an `alt` text, and itself in `words`, which is
what a terminal prints. A notebook shows it as SVG. Matplotlib is imported when a figure is drawn and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simt.events import Finding
from simt.figures import (
    access,
    bank_stack,
    beyond,
    drawing,
    ladder_bars,
    lanes_at_work,
    race_timeline,
    roof,
    sector_strip,
    turns,
)
from simt.figures.choose import most_telling, outside_of, picture_of, turns_of
from simt.figures.errors import NothingToDraw
from simt.timing.roofline import Bound
from simt.tracing import Trace

__all__ = [
    "NothingToDraw",
    "access_map",
    "banks",
    "best",
    "divergence",
    "ladder",
    "outside",
    "race",
    "roofline",
    "sectors",
    "steps",
]


def sectors(trace: Trace, line: int | None = None):
    """One warp's request to global memory over the 32-byte sectors it touches. line: default, the costliest access."""
    return sector_strip.draw(drawing.canvas, picture_of(trace, line, "global", sector_strip.cost))


def banks(trace: Trace, line: int | None = None):
    """One warp's request to shared memory over the 32 banks, one row per pass. line: default, the costliest access."""
    return bank_stack.draw(drawing.canvas, picture_of(trace, line, "shared", bank_stack.cost))


def access_map(trace: Trace, line: int | None = None):
    """Which lane of a warp touches which element of an array. line: default, the first access."""
    return access.draw(drawing.canvas, picture_of(trace, line, None, lambda picture: 0.0))


def steps(trace: Trace, line: int | None = None):
    """The same, step by step: a strip for each time that a warp comes by. line: default, what comes by most often."""
    return turns.draw(drawing.empty, turns_of(trace, line))


def outside(trace: Trace, line: int | None = None):
    """The lanes of a warp whose index an array does not have. line: default, the first that was recorded."""
    return beyond.draw(drawing.canvas, outside_of(trace, line))


def race(finding: Finding):
    """The two threads of a race on a timeline, and the barrier that is not there."""
    return race_timeline.draw(drawing.canvas, finding)


def divergence(trace: Trace):
    """The lanes of the first warp, line by line: at work or idle."""
    return lanes_at_work.draw(drawing.canvas, trace)


def ladder(rows: Sequence[tuple[str, float]], limit: float, limit_name: str, unit: str = "GB/s"):
    """Rungs against the roof. rows: (name, rate) from the first rung to the last; limit: the rate nothing can pass."""
    return ladder_bars.draw(drawing.canvas, rows, limit, limit_name, unit)


def roofline(bounds: Sequence[tuple[str, Bound]]):
    """Where kernels stand under the roof of one GPU, as their bounds allow. bounds: (name, bound), all of one GPU."""
    return roof.draw(drawing.canvas, bounds)


def best(trace: Trace, line: int | None = None):
    """The figure that explains most: a race, lanes outside an array, bank conflicts, wasted sectors, idle lanes, or
    simply who touches what.

    line: only what happens on that line. Raises: NothingToDraw, naming the lines that can be drawn.
    """
    return drawn(*chosen(trace, line))


def chosen(trace: Trace, line: int | None = None) -> tuple[str, Any]:
    """Which figure explains most, and what it is drawn from: `drawn` takes both. line, Raises: as for `best`."""
    what, race = most_telling(trace, line)
    subjects: dict[str, Callable[[], Any]] = {
        "race": lambda: race,
        "outside": lambda: outside_of(trace, line),
        "banks": lambda: picture_of(trace, line, "shared", bank_stack.cost),
        "sectors": lambda: picture_of(trace, line, "global", sector_strip.cost),
        "access_map": lambda: picture_of(trace, line, None, lambda picture: 0.0),
        "steps": lambda: turns_of(trace, line),
        "divergence": lambda: trace,
    }
    return what, subjects[what]()


def drawn(what: str, subject: Any):
    """The figure of this name, from what `chosen` found for it."""
    makers: dict[str, Callable[..., Any]] = {
        "race": race_timeline.draw,
        "outside": beyond.draw,
        "banks": bank_stack.draw,
        "sectors": sector_strip.draw,
        "access_map": access.draw,
        "steps": turns.draw,
        "divergence": lanes_at_work.draw,
    }
    return makers[what](drawing.empty if what == "steps" else drawing.canvas, subject)
