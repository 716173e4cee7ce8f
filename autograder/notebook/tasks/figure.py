"""The task as a picture: inputs above, outputs below, lines from what an element needs to where it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from autograder.contract import Exercise
from autograder.notebook.task import Element, Task

if TYPE_CHECKING:
    from simt.figures.canvas import Canvas

AFTER = " after"  # behind the name of an output that is an input, too
MOST_LINES = 3  # output elements whose needs are drawn
MOST_ARROWS = 8  # to one element; where it needs more, one comes from each array
GAP = 1.5  # between two arrays, in boxes
LEFT = 3.2  # of the boxes, for the names of arrays and the numbers of rows
BESIDE = 0.14  # between the arrows of two elements in one column, in boxes
WITHIN = 0.06  # between the frames of two elements that need the same one
MOST_NAMED = 6  # elements that a sentence lists
WIDEST = 5  # characters of a number that a box holds
UNITS = ("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)
FEW = 4  # neighbours that are needed together: so many, or more, have one frame and one arrow
ONE_LINE, FOLDED = 20, 16  # boxes of an array of one row: a longer one is folded, as a text is, into lines of so many
BEHIND_BOXES = 0.5  # of an arrow: it never runs over the numbers of a row between
NARROWEST = 5.0  # inches
A_LETTER = 0.085  # inches, of the line below the title: a figure narrower than that line would squeeze its boxes


def draw(exercise: Exercise, task: Task):
    """Returns: matplotlib Figure with `alt` and `words`."""
    from simt.figures import canvas, drawing

    if exercise.drawn:
        return exercise.drawn(exercise, task)
    places, width, height = _layout(task)
    narrowest = max(NARROWEST, A_LETTER * len(_detail(task)))
    surface = drawing.canvas(max(narrowest, 1.2 + 0.42 * (width + LEFT + 0.4)), 0.9 + 0.36 * height)
    shown = _telling(task)
    colours = (canvas.BLUE, canvas.VERMILLION, canvas.GREEN)
    for name, array in _all_arrays(task).items():
        _draw_array(surface, name, array, places, _numbers_of(task, name, array))
    for number, (element, colour) in enumerate(zip(shown, colours, strict=False)):
        _draw_needs(surface, task, element, places, colour, number)
    surface.frame((-LEFT, max(width + 0.4, narrowest / 0.42 - LEFT - 0.4)), (-height - 0.2, 0.8))
    claim = _unbroken(sentence(shown[0], task)) if shown else exercise.title
    surface.claim(claim, _detail(task), _alt(exercise, task, shown), words(task))
    return surface.figure


def _all_arrays(task: Task) -> dict[str, np.ndarray]:
    """Inputs, then outputs, by the names that they have in the picture."""
    return {**task.inputs, **{_after(task, name): one for name, one in task.outputs.items()}}


def _unbroken(text: str) -> str:
    """The same where no line ends within brackets."""
    return re.sub(r"\[[^\]]*\]", lambda place: place[0].replace(" ", "\N{NO-BREAK SPACE}"), text)


def words(task: Task) -> str:
    """The arrays and what their elements need, as text."""
    arrays = [f"{name} = {_numbers(one)}" for name, one in task.inputs.items()]
    arrays += [f"{_after(task, name)} = {_numbers(one)}" for name, one in task.outputs.items()]
    return "\n".join([*arrays, "", *(sentence(element, task) for element in _telling(task))])


def sentence(element: Element, task: Task) -> str:
    """ "out[3] needs a[3] and b[3]"."""
    needed = task.needs.get(element, ())
    if not needed:
        return f"{_text(element, task)} needs no input"
    named = [_text(one, task) for one in needed] if len(needed) <= MOST_NAMED else list(_stretches(needed, task))
    return f"{_text(element, task)} needs {', '.join(named[:-1])}{' and ' if len(named) > 1 else ''}{named[-1]}"


def _stretches(needed: Sequence[Element], task: Task) -> Iterator[str]:
    """What is needed of each array: all of it, a stretch from one element to another, or so many."""
    for name, group in groupby(needed, key=lambda element: element[0]):
        ours, array = list(group), task.inputs[name]
        places = [int(np.ravel_multi_index(index, array.shape)) for _, index in ours]
        if len(ours) == array.size > 1:
            yield f"all that is shown of {name}" if name in task.parts else f"all of {name}"
        elif len(ours) == 1:
            yield _text(ours[0], task)
        elif places == list(range(places[0], places[0] + len(places))):
            yield f"{_text(ours[0], task)} to {_text(ours[-1], task)}"
        else:
            yield f"{len(ours)} elements of {name}"


def _telling(task: Task) -> list[Element]:
    """The elements to draw: one in the middle of those that need any input, then the first and the last of all."""
    every = [(name, tuple(map(int, index))) for name, one in task.outputs.items() for index in np.ndindex(one.shape)]
    needy = [element for element in every if task.needs.get(element)] or every
    chosen = [needy[len(needy) // 2], every[0], every[-1]] if every else []
    return list(dict.fromkeys(chosen))[:MOST_LINES]


def _after(task: Task, name: str) -> str:
    """What an output is called where an input has the same name."""
    return f"{name}{AFTER}" if name in task.inputs else name


def _layout(task: Task) -> tuple[dict[tuple[str, tuple[int, ...]], tuple[float, float]], int, float]:
    """The lower left corner of every element's box, and the extents of the picture, in boxes."""
    places: dict[tuple[str, tuple[int, ...]], tuple[float, float]] = {}
    top, width = 0.0, 1
    for name, array in _all_arrays(task).items():
        in_a_line = _in_a_line(array)
        for place, index in enumerate(np.ndindex(array.shape)):
            row, column = divmod(place, in_a_line)
            places[name, tuple(map(int, index))] = (column, -top - row - 1)
        top, width = top - (-array.size // in_a_line) + GAP, max(width, in_a_line)
    return places, width, top - GAP


def _in_a_line(array: np.ndarray) -> int:
    """How many boxes stand side by side."""
    return FOLDED if array.size == array.shape[-1] > ONE_LINE else array.shape[-1]


def _numbers_of(task: Task, name: str, array: np.ndarray) -> Sequence[Sequence[int]]:
    """The numbers of the places along each axis of what is drawn of an array."""
    part = task.parts.get(name.removesuffix(AFTER))
    return part.numbers if part is not None else [range(n) for n in array.shape]


def _draw_array(surface: Canvas, name: str, array: np.ndarray, places, numbers: Sequence[Sequence[int]]) -> None:
    """Its boxes; above them the numbers of its columns, and to the left of them those of its rows and its name."""
    from simt.figures import canvas

    for index in np.ndindex(array.shape):
        x, y = places[name, tuple(map(int, index))]
        surface.box(x, y, 1, 1, canvas.PALE, _in_a_box(array[index]), 8, "white")
    x, y = places[name, (0,) * array.ndim]
    in_front = {"zorder": 4, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.8}}  # of arrows that pass
    in_a_line, longest = _in_a_line(array), 0
    for column in range(in_a_line if in_a_line > 1 else 0):
        surface.words(x + column + 0.5, y + 1.2, str(numbers[-1][column]), 6.5, canvas.GREY, **in_front)
    for number, index in _lines(array, in_a_line, numbers):
        surface.words(-0.15, places[name, index][1] + 0.5, number, 6.5, canvas.GREY, ha="right")
        longest = max(longest, len(number))
    surface.words(x - 0.3 - 0.2 * longest, y + 0.5, name, 9, ha="right")


def _lines(
    array: np.ndarray, in_a_line: int, numbers: Sequence[Sequence[int]]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What stands to the left of each line of boxes, and the line's first element; nothing for an array of one line."""
    if array.ndim > 1:
        for row in np.ndindex(array.shape[:-1]):
            yield ", ".join(str(numbers[axis][here]) for axis, here in enumerate(row)), (*map(int, row), 0)
    elif array.size > in_a_line:
        yield from ((str(first), (first,)) for first in range(0, array.size, in_a_line))


def _draw_needs(surface: Canvas, task: Task, element: Element, places, colour: str, number: int) -> None:
    """Arrows from what an element needs, and frames around both. number: of the element among those that are shown."""
    name, index = element
    after = _after(task, name)
    x, y = places[after, index]
    _draw_frame(surface, x, y, colour, 2, 0)
    aside, top = BESIDE * (number - 1), places[after, (0,) * len(index)][1] + 1
    starts: dict[tuple[str, float], None] = {}  # of arrows: an array, and a place along it
    for source, group in groupby(task.needs.get(element, ()), key=lambda one: one[0]):
        for from_x, from_y, boxes in _runs([places[needed] for needed in group]):
            _draw_frame(surface, from_x, from_y, colour, 0.9, WITHIN * number, boxes)
            starts[source, from_x + 0.5 * boxes] = None
    for source, start in starts if len(starts) <= MOST_ARROWS else _one_of_each(starts):
        bottom = places[source, tuple(size - 1 for size in task.inputs[source].shape)][1]
        surface.axes.annotate(
            "",
            xy=(x + 0.5 + aside, top + (0.4 if task.outputs[name].shape[-1] > 1 else 0.05)),
            xytext=(start + aside, bottom),
            arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0},
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


def _one_of_each(starts: dict[tuple[str, float], None]) -> Iterator[tuple[str, float]]:
    """The middle of where arrows start in each array."""
    for name, group in groupby(starts, key=lambda one: one[0]):
        ours = [start for _, start in group]
        yield name, sum(ours) / len(ours)


def _draw_frame(surface: Canvas, x: float, y: float, colour: str, width: float, inside: float, boxes: int = 1) -> None:
    left, right, low, high = x + inside, x + boxes - inside, y + inside, y + 1 - inside
    surface.axes.plot([left, right, right, left, left], [low, low, high, high, low], color=colour, linewidth=width)


def _detail(task: Task) -> str:
    sizes = ", ".join(f"{name} = {size}" for name, size in task.sizes.items())
    scalars = ", ".join(f"{name} = {_number(value)}" for name, value in task.scalars.items() if name not in task.sizes)
    of_part = f"a part of {', '.join(task.parts)}" if task.parts else ""
    return "; ".join(part for part in (sizes, scalars, of_part, "arrows: what an element is made of") if part)


def _alt(exercise: Exercise, task: Task, shown: list[Element]) -> str:
    told = ". ".join(sentence(element, task) for element in shown)
    return f"The task of {exercise.function} on a few numbers: inputs above, outputs below. {told}."


def _text(element: Element, task: Task) -> str:
    name, index = element
    index = task.parts[name].place(index) if name in task.parts else index
    return f"{name}[{', '.join(map(str, index))}]"


def _in_a_box(value) -> str:
    """A number as it fits a box, with as many digits as there is room for: "-10.1", "250k", "4.7e18"."""
    text = _number(value)
    if len(text) <= WIDEST:
        return text
    number = float(value)
    for unit, size in UNITS:
        if unit and abs(number) >= 999.5 * size:
            continue
        for digits in (2, 1, 0):
            text = f"{number / size:.{digits}f}"
            text = (text.rstrip("0").rstrip(".") if digits else text) + unit
            if len(text) <= WIDEST:
                return text
    text = f"{number:.1e}".replace("e+", "e")
    return text if len(text) <= WIDEST + 1 else f"{number:.0e}".replace("e+", "e")


def _numbers(array: np.ndarray) -> str:
    """The numbers in brackets, as they stand in the boxes: "[9, 0.5, -1]"; those of a matrix row by row."""
    if array.ndim == 2:
        return f"[{', '.join(map(_numbers, array))}]"
    return f"[{', '.join(map(_number, array.flat))}]"


def _number(value) -> str:
    """At most three digits after the point, and none where there is nothing to tell."""
    if np.asarray(value).dtype.kind != "f":
        return str(value)
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
