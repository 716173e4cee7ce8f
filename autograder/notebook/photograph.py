"""A photograph that nobody took: a picture made of formulas, and what a kernel about pictures does to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.contract import Exercise, Values
from autograder.running import printed

N_ROWS, N_COLS = 120, 180  # pixels; a kernel in the interpreter takes well under a second for them
HORIZON = 76  # the first row of the lake
SEED = 4
PICTURE_AXES = "(n_rows, n_cols)"
INCHES_PER_PIXEL = 0.02


class NoPicture(ValueError):
    """The exercise is not about one picture that becomes another."""


def photograph() -> np.ndarray:
    """A lake at dusk, with a hut: (120, 180) uint8, grey values from 0 to 255. The same each time."""
    rng = np.random.default_rng(SEED)
    row, col = np.mgrid[:N_ROWS, :N_COLS].astype(np.float64)
    scene = 120 + 100 * row / HORIZON  # the sky, brighter towards the horizon
    scene += 90 * np.exp(-((row - 50) ** 2 + (col - 128) ** 2) / 90)  # the sun, and its glow
    for height, grey, bumps in ((46, 110, (17.0, 41.0)), (60, 62, (11.0, 29.0))):  # two ranges of hills
        ridge = height + 8 * np.sin(col / bumps[1] + height) + 3 * np.sin(col / bumps[0])
        scene = np.where(row > ridge, grey + 0.4 * (row - ridge) + rng.normal(0, 5, scene.shape), scene)
    lake = scene[HORIZON - 1 - (np.arange(N_ROWS - HORIZON) * 1.4).astype(int).clip(0, HORIZON - 1)]
    ripples = 14 * np.sin(row[HORIZON:] * 1.9 + 3 * np.sin(col[HORIZON:] / 13))
    scene[HORIZON:] = 0.72 * lake + ripples
    scene[66:92, 24:58] = 38  # a hut, for sharp edges: wall, roof, windows, smoke
    roof = (row > 52) & (row < 66) & (np.abs(col - 41) < (row - 50) * 1.5)
    scene[roof] = 20
    for left in (29, 45):
        scene[73:82, left : left + 8] = 235
        scene[73:82, left + 4] = scene[77, left : left + 8] = 60
    scene[44:56, 49:53] = 30
    return np.clip(scene, 0, 255).astype(np.uint8)


def through(exercise: Exercise, kernel: Any) -> tuple[np.ndarray, np.ndarray]:
    """The photograph, and what the kernel makes of it with the exercise's own launch.

    Returns: both (n_rows, n_cols), of the dtypes of the exercise's arrays. Raises: NoPicture.
    """
    if [PICTURE_AXES] * 2 != [argument.shape for argument in exercise.arguments]:
        raise NoPicture(f"{exercise.function} does not make one picture of another, so there is nothing to try it on.")
    source, target = exercise.arguments
    before = photograph().astype(source.dtype)
    after = np.zeros(before.shape, target.dtype)
    values: Values = {source.name: before, target.name: after}
    grid, block = exercise.launch(values)
    with printed.unheard():
        kernel[grid, block](before, after)
    return before, after


def draw(exercise: Exercise, before: np.ndarray, after: np.ndarray):
    """Both pictures side by side. Returns: matplotlib Figure with `alt` and `words`."""
    from simt.figures import drawing

    n_rows, n_cols = before.shape
    figure = drawing.empty(2 * n_cols * INCHES_PER_PIXEL, n_rows * INCHES_PER_PIXEL + 0.3)
    for place, picture in enumerate((before, after)):
        axes = figure.add_subplot(1, 2, place + 1)
        axes.imshow(picture, cmap="gray", vmin=0, vmax=255, interpolation="nearest")
        axes.set_title(exercise.arguments[place].name, fontsize=9)
        axes.set_axis_off()
    changed = np.abs(before.astype(np.float64) - after.astype(np.float64)).mean()
    figure.alt = f"A hut at a lake, before and after {exercise.function}: pixels change by {changed:.0f} on average."
    figure.words = figure.alt
    return figure
