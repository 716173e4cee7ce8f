"""Which recorded access, and which kind of figure, tells most about a trace."""

from __future__ import annotations

from collections.abc import Callable

from simt.analyses.recorder import Picture
from simt.figures import bank_stack, sector_strip
from simt.figures.errors import NothingToDraw
from simt.tracing import Trace

WASTEFUL = 1.5  # times the ideal number of sectors from which sectors are the story,
WASTED = 3  # if at least so many could be spared
BUSY_LANES = 24.0  # of 32, on average, below which idle lanes are the story


def pictures_on(trace: Trace, line: int | None, space: str | None = None) -> list[Picture]:
    """Recorded accesses of one line (None: all) to one space (None: global and shared), in program order."""
    if trace.recording is None:
        raise NothingToDraw("this trace kept no accesses: trace with record=True")
    spaces = ("global", "shared") if space is None else (space,)
    return [
        picture
        for picture in trace.recording.accesses
        if picture.array.space in spaces and (line is None or picture.site.line == line)
    ]


def picture_of(trace: Trace, line: int | None, space: str | None, cost: Callable[[Picture], float]) -> Picture:
    """The costliest recorded access; the first of equals.

    Raises: NothingToDraw when there is none, naming the lines where there are some.
    """
    found = pictures_on(trace, line, space)
    if found:
        return max(found, key=cost)
    lines = tuple(sorted({picture.site.line for picture in pictures_on(trace, None, space)}))
    where = f" on line {line}" if line is not None else ""
    others = f"; lines with some: {', '.join(map(str, lines))}" if lines else ""
    raise NothingToDraw(f"no access to {space or 'global or shared'} memory was recorded{where}{others}", lines)


def turns_of(trace: Trace, line: int | None) -> list[Picture]:
    """Each recorded time that an access comes by: the first access of the line (default: of all) that does so often.

    Those of its first warp; where that has one only, those of its other warps too. Raises: NothingToDraw.
    """
    chosen = picture_of(trace, line, None, lambda picture: min(picture.turn, 1))
    found = pictures_on(trace, line)
    mine = [picture for picture in found if (picture.site, picture.launch) == (chosen.site, chosen.launch)]
    first = mine[0]
    turns = [picture for picture in mine if (picture.block, picture.warp) == (first.block, first.warp)]
    return turns if len(turns) > 1 else mine


def outside_of(trace: Trace, line: int | None):
    """The first warp that left an array. Raises: NothingToDraw where none did."""
    found = [one for one in _recorded_outside(trace) if line is None or one.site.line == line]
    if found:
        return found[0]
    lines = tuple(sorted({one.site.line for one in _recorded_outside(trace)}))
    raise NothingToDraw("no access outside an array was recorded", lines)


def _recorded_outside(trace: Trace) -> list:
    return trace.recording.outside if trace.recording is not None else []


def most_telling(trace: Trace, line: int | None):
    """The name of a figure function, and the finding when it is a race."""
    races = [
        finding for finding in trace.findings if finding.kind == "race" and (line is None or line in finding.lines)
    ]
    if races:
        return "race", races[0]
    if any(line is None or one.site.line == line for one in _recorded_outside(trace)):
        return "outside", None
    shared = pictures_on(trace, line, "shared")
    if shared and max(map(bank_stack.cost, shared)) > 1:
        return "banks", None
    in_global = pictures_on(trace, line, "global")
    if any(map(_is_wasteful, in_global)):
        return "sectors", None
    if _mean_lanes(trace, line) < BUSY_LANES:
        return "divergence", None
    if in_global and line is None:
        return "steps" if max(picture.turn for picture in in_global) else "access_map", None
    if in_global:
        return "sectors", None
    if shared:
        return "banks", None
    picture_of(trace, line, None, lambda picture: 0.0)  # says which lines there are
    return "access_map", None


def _is_wasteful(picture: Picture) -> bool:
    touched = sector_strip.touched_sectors(picture)
    cost = sector_strip.cost(picture)
    return cost >= WASTEFUL and touched - touched / cost >= WASTED


def _mean_lanes(trace: Trace, line: int | None) -> float:
    moments = [moment for moment in trace.recording.moments if line is None or moment.line == line]
    return sum(int(moment.active.sum()) for moment in moments) / len(moments) if moments else 32.0
