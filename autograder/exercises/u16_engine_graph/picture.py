"""The task of a function of a graph as a picture: a box per layer, arrows to its readers, and what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.contract import Exercise
from autograder.exercises.u16_engine_graph.graphs import CHANNELS, CONV, FIRST, KERNEL, KIND, PAD, POOL, STRIDE, WEIGHTS
from autograder.notebook.task import Task
from autograder.notebook.tasks import figure as task_figure
from autograder.words import count_text

if TYPE_CHECKING:
    from simt.figures.canvas import Canvas

KINDS = ("INPUT", "CONSTANT", "IDENTITY", "RELU", "ADD", "CONCAT", "FLATTEN", "CONV", "POOL")
WIDTH, HIGH = 7.6, 0.64  # of a layer's box; a row is 1 high
LEFT = 3.0  # room for arrows
ASIDE = 0.55  # how far an arrow bows out for each layer that it passes
INCHES = 0.4  # of a row, and of a number's box
EXPLAINED = "arrows: from a layer to its readers"
A_LETTER = 0.2  # of a name of numbers, in boxes


def draw(exercise: Exercise, task: Task):
    """Returns: matplotlib Figure with `alt` and `words`."""
    from simt.figures import canvas, drawing

    layers = task.inputs["layers"]
    ends = {int(one) for name in ("output", "outputs") for one in np.ravel(_given(task).get(name, ()))}
    asked = {name: array.reshape(len(layers), -1) for name, array in task.outputs.items()}
    wide = {name: max(1.2 * array.shape[1], A_LETTER * len(name) + 0.4) for name, array in asked.items()}
    width = LEFT + WIDTH + 0.8 + sum(wide.values())
    surface = drawing.canvas(INCHES * width + 0.4, INCHES * (len(layers) + 1) + 0.8)
    for i, layer in enumerate(layers.tolist()):
        surface.box(0, -i - 1, WIDTH, HIGH, canvas.PALE, said(i, layer, task), 8, canvas.LINE)
        if i in ends:
            surface.axes.plot(*_frame(0, -i - 1, WIDTH), color=canvas.VERMILLION, linewidth=2)
        for operand in sorted({at for at in layer[FIRST : FIRST + 2] if at >= 0}):
            _draw_arrow(surface, operand, i)
    x = WIDTH + 0.8
    for name, array in asked.items():
        surface.words(x + wide[name] / 2, HIGH - 0.2, name, 9)
        for i, column in np.ndindex(array.shape):
            left = x + wide[name] / 2 + 1.2 * (column - array.shape[1] / 2) + 0.1
            surface.box(left, -i - 1, 1, HIGH, canvas.PALE, str(array[i, column]), 8, "white")
        x += wide[name]
    surface.frame((-LEFT, width - LEFT), (-len(layers) - 0.2, 1))
    marked = "; framed: the output" if ends else ""
    surface.claim(exercise.title, f"{EXPLAINED}{marked}", _alt(exercise, layers), task_figure.words(task))
    return surface.figure


def said(number: int, layer: list[int], task: Task) -> str:
    """ "3  CONV 3 x 3, stride 2, pad 1": a row of the table as one reads it."""
    kind = layer[KIND]
    told = [KINDS[kind] if 0 <= kind < len(KINDS) else f"kind {kind}, unknown"]
    if kind in (CONV, POOL):
        told[0] += f" {layer[KERNEL]} x {layer[KERNEL]}"
        told += [f"stride {layer[STRIDE]}"] * (layer[STRIDE] > 1) + [f"pad {layer[PAD]}"] * (layer[PAD] > 0)
    told += [f"{layer[CHANNELS]} channels"] * (layer[CHANNELS] > 0)
    told += [f"array {layer[WEIGHTS]}"] * (layer[WEIGHTS] > 0)
    if kind == KINDS.index("INPUT") and "given" in task.inputs:
        told.append(" x ".join(map(str, task.inputs["given"].tolist())))
    return f"{number}   {', '.join(told)}"


def _given(task: Task) -> dict:
    return {**task.scalars, **task.inputs}


def _frame(x: float, y: float, width: float) -> tuple[list[float], list[float]]:
    return [x, x + width, x + width, x, x], [y, y, y + HIGH, y + HIGH, y]


def _draw_arrow(surface: Canvas, operand: int, reader: int) -> None:
    """Straight down to the next layer; past others in a bow, further out the more there are."""
    from simt.figures import canvas

    past = reader - operand - 1
    start, end = (
        ((1.2, -operand - 1), (1.2, -reader - 1 + HIGH)) if not past else ((0, -operand - 0.8), (0, -reader - 0.5))
    )
    bow = f"arc3,rad={min(0.2 + ASIDE / (past + 1), 0.6):.2f}" if past else "arc3"
    look = {
        "arrowstyle": "->",
        "color": canvas.BLUE,
        "linewidth": 1.2,
        "shrinkA": 0,
        "shrinkB": 0,
        "connectionstyle": bow,
    }
    surface.axes.annotate("", xy=end, xytext=start, arrowprops=look)


def _alt(exercise: Exercise, layers: np.ndarray) -> str:
    reads = "; ".join(
        f"{i} reads {' and '.join(str(at) for at in layer[FIRST : FIRST + 2] if at >= 0)}"
        for i, layer in enumerate(layers.tolist())
        if layer[FIRST] >= 0
    )
    return f"The task of {exercise.function} on {count_text(len(layers), 'layer')}, one below the other: {reads}."
