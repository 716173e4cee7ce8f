"""The task of an exercise in which objects call each other, as a picture: a column for each, an arrow for a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.contract import Exercise

if TYPE_CHECKING:
    from simt.figures.canvas import Canvas

Call = tuple[str, str, str, str]  # who, whom, what, and what comes back
APART = 3.4  # between two columns, in units of which an inch has 2
ROW, HEAD = 1.15, 0.6  # a call, a column's name
WIDE = 2.4  # a column's name
EXPLAINED = "time goes downwards; above an arrow what is called, below it what comes back"


def draw(exercise: Exercise):
    """Returns: matplotlib Figure with `alt` and `words`."""
    from simt.figures import canvas, drawing

    columns = {name: APART * i for i, name in enumerate(names_of(exercise.calls))}
    width, height = APART * (len(columns) - 1) + WIDE + 2.2, ROW * len(exercise.calls) + HEAD + 0.5
    surface = drawing.canvas(width / 2, height / 2 + 0.5)
    for name, x in columns.items():
        surface.box(x - WIDE / 2, 0, WIDE, HEAD, canvas.PALE, name, 9, canvas.LINE)
        surface.axes.plot([x, x], [0, HEAD - height], color=canvas.LINE, linewidth=1, zorder=0)
    for i, call in enumerate(exercise.calls):
        draw_call(surface, columns, call, -ROW * (i + 0.75))
    surface.frame((-WIDE / 2 - 0.2, width - WIDE / 2 - 0.2), (HEAD - height, HEAD + 0.2))
    body = words(exercise)
    surface.claim(exercise.title, EXPLAINED, f"Who calls whom in {exercise.function}, in order. {body}", body)
    return surface.figure


def names_of(calls: tuple[Call, ...]) -> list[str]:
    """Who calls or is called, in the order in which they come up."""
    return list(dict.fromkeys(name for call in calls for name in call[:2]))


def draw_call(surface: Canvas, columns: dict[str, float], call: Call, y: float) -> None:
    """An arrow from one column to another, or beside the one that calls itself."""
    from simt.figures import canvas

    who, whom, what, back = call
    start, end = columns[who], columns[whom]
    surface.axes.annotate(
        "", (end, y), (start, y), arrowprops={"arrowstyle": "-|>", "color": canvas.BLUE, "shrinkA": 0, "shrinkB": 0}
    )
    middle, white = (start + end) / 2, {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    surface.words(middle, y + 0.1, what, 8, va="bottom", bbox=white)
    if back:
        surface.words(middle, y - 0.1, back, 8, canvas.GREY, va="top", bbox=white)


def words(exercise: Exercise) -> str:
    """The calls as text, a line for each."""
    return "\n".join(
        f"{who} calls {what} of {whom}{f': {back}' if back else ''}" for who, whom, what, back in exercise.calls
    )
