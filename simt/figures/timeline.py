"""A timeline of host code: one row per stream, what copies and kernels could do at the same time."""

from __future__ import annotations

from simt.figures.canvas import BLUE, GREEN, ORANGE
from simt.host_order.timeline import Span, Timeline
from simt.host_order.wording import stream_name
from simt.source.counts import count_text

COLOURS = {"up": ORANGE, "kernel": BLUE, "down": GREEN}
MEANING = {"up": "copy up", "kernel": "kernel", "down": "copy down"}
WIDTH = 7.2  # inches
LEAST_SHARE = 0.004  # of the width, so that a short kernel is seen


def draw_timeline(timeline: Timeline):
    """Returns: matplotlib Figure whose title says how much of the timeline the longest part fills."""
    from simt.figures import drawing

    rows = list(dict.fromkeys(stream_name(span.task.operation) for span in timeline.spans))
    surface = drawing.canvas(WIDTH, 1.3 + 0.34 * max(1, len(rows)))
    whole = timeline.seconds or 1.0
    for span in timeline.spans:
        row = len(rows) - 1 - rows.index(stream_name(span.task.operation))
        start, width = span.start / whole, max((span.end - span.start) / whole, LEAST_SHARE)
        surface.box(start, row + 0.12, width, 0.76, COLOURS[span.task.engine], "", 8, "white")
    for position, name in enumerate(reversed(rows)):
        surface.words(-0.02, position + 0.5, name, 9, ha="right")
    surface.frame((-0.2, 1.01), (0, max(1, len(rows))))
    surface.legend([(COLOURS[engine], MEANING[engine]) for engine in COLOURS])
    share = f"The longest part fills {timeline.overlap:.0%} of {1e6 * timeline.seconds:,.1f} µs"
    detail = f"what the order allows, at rates {timeline.rates.source}"
    surface.claim(share, detail, _alt(timeline, rows), "\n".join(map(_words, timeline.spans)))
    return surface.figure


def _words(span: Span) -> str:
    """One span as text."""
    task = span.task
    return f"{stream_name(task.operation):<12} {task.label:<8} {1e6 * span.start:9.2f} to {1e6 * span.end:9.2f} µs"


def _alt(timeline: Timeline, rows: list[str]) -> str:
    busy = ", ".join(f"{MEANING[engine]} {1e6 * seconds:,.1f} µs" for engine, seconds in timeline.busy.items())
    operations, streams = count_text(len(timeline.spans), "operation"), count_text(len(rows), "stream")
    return f"A timeline of {operations} in {streams}. Busy: {busy}."
