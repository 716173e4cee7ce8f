"""The lanes of one warp, line by line in the order of execution: at work or idle."""

from __future__ import annotations

from itertools import groupby

from simt.analyses.recorder import Moment
from simt.figures.canvas import BLUE, PALE
from simt.figures.errors import NothingToDraw
from simt.hardware import WARP_SIZE
from simt.tracing import Trace

MOST_ROWS = 36
WIDEST_TEXT = 44


def draw(canvas, trace: Trace):
    """Raises: NothingToDraw when the trace recorded no lines."""
    if trace.recording is None or not trace.recording.moments:
        raise NothingToDraw("this trace kept no lines: trace with record=True")
    moments = trace.recording.moments
    shown = moments[:MOST_ROWS]
    surface = canvas(9.5, 1.7 + 0.2 * len(shown))
    for row, moment in enumerate(shown):
        for busy, lanes in groupby(range(WARP_SIZE), key=moment.active.tolist().__getitem__):
            for lane in lanes:
                surface.box(lane, row, 1, 1, BLUE if busy else PALE, edge="white")
        surface.words(WARP_SIZE + 0.4, row + 0.5, f"{int(moment.active.sum())}", 8, ha="left")
    axes = surface.axes
    axes.set(xlim=(0, WARP_SIZE + 2), ylim=(len(shown), 0), xlabel="lane")
    axes.set_xticks([lane + 0.5 for lane in range(0, WARP_SIZE, 4)], [str(lane) for lane in range(0, WARP_SIZE, 4)])
    axes.set_yticks([row + 0.5 for row in range(len(shown))], [_label(trace, moment) for moment in shown])
    axes.tick_params(length=0)
    axes.set_yticks(axes.get_yticks(), axes.get_yticklabels(), fontsize=8, family="monospace")
    surface.bare("top", "right", "bottom", "left")
    mean = sum(int(moment.active.sum()) for moment in moments) / len(moments)
    cut = f"; the first {MOST_ROWS} of {len(moments)} lines" if len(moments) > MOST_ROWS else ""
    surface.claim(
        _title(mean),
        f"the first warp, line by line as it runs; numbers: lanes at work{cut}",
        _alt(trace, moments, mean),
        _body(trace, shown),
    )
    surface.legend([(BLUE, "at work"), (PALE, "idle: the warp spends the time all the same")])
    return surface.figure


def _body(trace: Trace, moments: list[Moment]) -> str:
    """A row per line: its text, a sign per lane, how many work."""
    labels = [_label(trace, moment) for moment in moments]
    width = max(map(len, labels))
    rows = ("".join("#" if busy else "." for busy in moment.active) for moment in moments)
    counts = (int(moment.active.sum()) for moment in moments)
    return "\n".join(f"{label:>{width}}  {row}  {n:>2}" for label, row, n in zip(labels, rows, counts, strict=True))


def _title(mean: float) -> str:
    if mean == WARP_SIZE:
        return "Every lane of the warp works on every line"
    return f"On average {mean:.1f} of {WARP_SIZE} lanes work; the others wait for them"


def _label(trace: Trace, moment: Moment) -> str:
    text = trace.line_text(moment.function, moment.line)
    return f"{text[: WIDEST_TEXT - 3]}...  {moment.line}" if len(text) > WIDEST_TEXT else f"{text}  {moment.line}"


def _alt(trace: Trace, moments: list[Moment], mean: float) -> str:
    idlest = min(moments, key=lambda moment: int(moment.active.sum()))
    text = trace.line_text(idlest.function, idlest.line)
    return (
        f"A row for each of {len(moments)} executed lines, a column for each lane, filled where the lane works: "
        f"{mean:.1f} of {WARP_SIZE} on average, fewest ({int(idlest.active.sum())}) at line {idlest.line}, `{text}`."
    )
