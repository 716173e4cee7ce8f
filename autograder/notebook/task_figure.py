"""The task as a picture: inputs above, outputs below, lines from what an element needs to where it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from autograder.contract import Exercise
from autograder.notebook.task import Element, Task

if TYPE_CHECKING:
    from simt.figures.canvas import Canvas

MOST_LINES = 3  # output elements whose needs are drawn
GAP = 1.2  # between two arrays, in boxes
MOST_NAMED = 6  # elements that a sentence lists
WIDEST = 6  # characters of a number that a box holds
FEW = 4  # neighbours that are needed together: so many, or more, have one frame and one arrow
ONE_LINE, FOLDED = 20, 16  # boxes of an array of one row: a longer one is folded, as a text is, into lines of so many
BEHIND_BOXES = 0.5  # of an arrow: it never runs over the numbers of a row between
NARROWEST = 5.0  # inches
A_LETTER = 0.085  # inches, of the line below the title: a figure narrower than that line would squeeze its boxes


def draw(exercise: Exercise, task: Task):
    """Returns: matplotlib Figure with `alt` and `words`."""
    from simt.figures import canvas, drawing

    places, width, height = _layout(task)
    narrowest = max(NARROWEST, A_LETTER * len(_detail(task)))
    surface = drawing.canvas(max(narrowest, 1.2 + 0.42 * (width + 3)), 0.9 + 0.36 * height)
    shown = _telling(task)
    colours = (canvas.BLUE, canvas.VERMILLION, canvas.GREEN)
    for name, array in {**task.inputs, **{_after(task, name): one for name, one in task.outputs.items()}}.items():
        _draw_array(surface, name, array, places)
    for element, colour in zip(shown, colours, strict=False):
        _draw_needs(surface, task, element, places, colour)
    surface.frame((-2.6, max(width + 0.4, narrowest / 0.42 - 3)), (-height - 0.2, 0.8))
    surface.claim(
        sentence(shown[0], task) if shown else exercise.title, _detail(task), _alt(exercise, task, shown), words(task)
    )
    return surface.figure


def words(task: Task) -> str:
    """The arrays and what their elements need, as text."""
    arrays = [f"{name} = {_numbers(one)}" for name, one in task.inputs.items()]
    arrays += [f"{_after(task, name)} = {_numbers(one)}" for name, one in task.outputs.items()]
    return "\n".join([*arrays, "", *(sentence(element, task) for element in _telling(task))])


def sentence(element: Element, task: Task) -> str:
    """ "out[3] needs a[3] and b[3]"."""
    needed = task.needs.get(element, ())
    if not needed:
        return f"{_text(element)} needs no input"
    if len(needed) > MOST_NAMED:
        return f"{_text(element)} needs {' and '.join(_stretches(needed))}"
    named = [_text(one) for one in needed]
    return f"{_text(element)} needs {', '.join(named[:-1])}{' and ' if len(named) > 1 else ''}{named[-1]}"


def _stretches(needed: Sequence[Element]) -> Iterator[str]:
    """For each array, how many of its elements are needed, the first and the last."""
    for _, group in groupby(needed, key=lambda element: element[0]):
        ours = list(group)
        count = f"{len(ours)} elements, from {_text(ours[0])} to {_text(ours[-1])}"
        yield count if len(ours) > 1 else _text(ours[0])


def _telling(task: Task) -> list[Element]:
    """The elements to draw: one in the middle of those that need any input, then the first and the last of all."""
    every = [(name, tuple(map(int, index))) for name, one in task.outputs.items() for index in np.ndindex(one.shape)]
    needy = [element for element in every if task.needs.get(element)] or every
    chosen = [needy[len(needy) // 2], every[0], every[-1]] if every else []
    return list(dict.fromkeys(chosen))[:MOST_LINES]


def _after(task: Task, name: str) -> str:
    """What an output is called where an input has the same name."""
    return f"{name} after" if name in task.inputs else name


def _layout(task: Task) -> tuple[dict[tuple[str, tuple[int, ...]], tuple[float, float]], int, float]:
    """The lower left corner of every element's box, and the extents of the picture, in boxes."""
    places: dict[tuple[str, tuple[int, ...]], tuple[float, float]] = {}
    top, width = 0.0, 1
    for name, array in {**task.inputs, **{_after(task, name): one for name, one in task.outputs.items()}}.items():
        in_a_line = FOLDED if array.size == array.shape[-1] > ONE_LINE else array.shape[-1]
        for place, index in enumerate(np.ndindex(array.shape)):
            row, column = divmod(place, in_a_line)
            places[name, tuple(map(int, index))] = (column, -top - row - 1)
        top, width = top - (-array.size // in_a_line) + GAP, max(width, in_a_line)
    return places, width, top - GAP


def _draw_array(surface: Canvas, name: str, array: np.ndarray, places) -> None:
    from simt.figures import canvas

    fill = canvas.PALE
    for index in np.ndindex(array.shape):
        x, y = places[name, tuple(map(int, index))]
        surface.box(x, y, 1, 1, fill, _in_a_box(array[index]), 8, "white")
    x, y = places[name, (0,) * array.ndim]
    surface.words(x - 0.3, y + 0.5, name, 9, ha="right")


def _draw_needs(surface: Canvas, task: Task, element: Element, places, colour: str) -> None:
    """Lines from what an element needs, and a frame around it."""
    name, index = element
    x, y = places[_after(task, name), index]
    _draw_frame(surface, x, y, colour, 2)
    for from_x, from_y, boxes in _runs([places[needed] for needed in task.needs.get(element, ())]):
        _draw_frame(surface, from_x, from_y, colour, 0.9, boxes)
        surface.axes.annotate(
            "",
            xy=(x + 0.5, y + 1),
            xytext=(from_x + 0.5 * boxes, from_y),
            arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.1},
            zorder=BEHIND_BOXES,
        )


def _runs(needed: Sequence[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """Boxes that are needed, as (x, y, how many side by side): `FEW` neighbours or more are one."""
    runs: list[tuple[float, float, int]] = []
    for x, y in needed:
        if runs and (runs[-1][0] + runs[-1][2], runs[-1][1]) == (x, y):
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((x, y, 1))
    return [part for x, y, n in runs for part in ([(x, y, n)] if n >= FEW else [(x + i, y, 1) for i in range(n)])]


def _draw_frame(surface: Canvas, x: float, y: float, colour: str, width: float, boxes: int = 1) -> None:
    right = x + boxes
    surface.axes.plot([x, right, right, x, x], [y, y, y + 1, y + 1, y], color=colour, linewidth=width)


def _detail(task: Task) -> str:
    sizes = ", ".join(f"{name} = {size}" for name, size in task.sizes.items())
    scalars = ", ".join(f"{name} = {_number(value)}" for name, value in task.scalars.items() if name not in task.sizes)
    return "; ".join(part for part in (sizes, scalars, "arrows: what an element is made of") if part)


def _alt(exercise: Exercise, task: Task, shown: list[Element]) -> str:
    told = ". ".join(sentence(element, task) for element in shown)
    return f"The task of {exercise.function} on a few numbers: inputs above, outputs below. {told}."


def _text(element: Element) -> str:
    name, index = element
    return f"{name}[{', '.join(map(str, index))}]"


def _in_a_box(value) -> str:
    """A number as it fits a box: "4.7e18" where all of its digits would run over the neighbours."""
    text = _number(value)
    return text if len(text) <= WIDEST else f"{float(value):.1e}".replace("e+", "e")


def _numbers(array: np.ndarray) -> str:
    """The numbers in brackets, as they stand in the boxes: "[9, 0.5, -1]"; those of a matrix row by row."""
    if array.ndim == 2:
        return f"[{', '.join(map(_numbers, array))}]"
    return f"[{', '.join(map(_number, array.flat))}]"


def _number(value) -> str:
    """At most three digits after the point, and none where there is nothing to tell."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".") if np.asarray(value).dtype.kind == "f" else str(value)
