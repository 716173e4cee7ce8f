"""Inputs, oracle, bound, launches, cases and costs of unit 15 for pictures of the Mandelbrot set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import UNIT_ROUNDOFF

TILE = 16  # pixels of a block along x and y, a thread each
THREADS = TILE * TILE
WIDE, HIGH = 8, 4  # pixels of a warp along x and y
ESCAPED = 4.0  # |z| squared, beyond which z never comes back
COORDINATES = (
    Argument("re", "in", "float32", "(n_cols,)", "the real part of c in each column of the picture"),
    Argument("im", "in", "float32", "(n_rows,)", "the imaginary part of c in each row"),
    Argument("limit", "scalar", "int64", "", "turns after which a pixel counts as inside"),
)
TURNS = Argument("turns", "out", "int32", "(n_rows, n_cols)", "turns of each pixel, limit at most")
VIEWS = ((-2.0, 1.0, -1.25, 1.25), (-0.9, -0.6, 0.0, 0.25), (-1.5, -1.0, -0.25, 0.25), (0.2, 0.5, -0.7, -0.4))


def picture(n_rows: int, n_cols: int, limit: int, enlarged: int = 1) -> dict[str, int]:
    """Sizes of one picture. enlarged: pixels of one point, along x and along y."""
    return {"n_rows": n_rows, "n_cols": n_cols, "limit": limit, "enlarged": enlarged}


def make_picture(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Coordinates of a view, ascending, and room for the iterations.

    "exact": the whole set, from -2, where |z| squared stays at 4, in steps of a power of two that the columns fit into;
    other kinds: a drawn view near its border.
    """
    n_rows, n_cols, enlarged = (sizes[name] for name in ("n_rows", "n_cols", "enlarged"))
    left, right, bottom, top = VIEWS[0] if kind == "exact" else VIEWS[rng.integers(1, len(VIEWS))]
    re = np.repeat(_spread(ceil_div(n_cols, enlarged), left, right, kind), enlarged)[:n_cols]
    im = np.repeat(_spread(ceil_div(n_rows, enlarged), bottom, top, kind), enlarged)[:n_rows]
    turns = np.zeros((n_rows, n_cols), np.int32)
    return {"re": re, "im": im, "limit": sizes["limit"], "turns": turns}


def _spread(n: int, first: float, last: float, kind: str) -> np.ndarray:
    """(n,) float32 from first to last. Steps of powers of two keep the first iterations free of rounding."""
    step = (last - first) / max(n - 1, 1)
    if kind == "exact":
        step = 2.0 ** np.ceil(np.log2(step)) if n > 1 else 1.0
    return (first + step * np.arange(n)).astype(np.float32)


@dataclass(frozen=True)
class Orbits:
    """What float64 says of every pixel. certain: whether any order of float32 arithmetic gives the same iterations."""

    turns: np.ndarray
    certain: np.ndarray


def orbits(values: Values) -> Orbits:
    """Follow every pixel in float64, with a bound on how far away float32 may be by then."""
    return _followed(values["re"].tobytes(), values["im"].tobytes(), int(values["limit"]))


@lru_cache(maxsize=16)
def _followed(re: bytes, im: bytes, limit: int) -> Orbits:
    """The same of coordinates as bytes: an oracle and a bound ask for one picture again and again."""
    across, down = (np.frombuffer(one, np.float32) for one in (re, im))
    c = across[None, :].astype(np.complex128) + 1j * down[:, None]
    z, error = np.zeros_like(c), np.zeros(c.shape)
    turns, certain = np.zeros(c.shape, np.int64), np.ones(c.shape, bool)
    inside = np.ones(c.shape, bool)
    with np.errstate(invalid="ignore", over="ignore"):
        for _ in range(limit):
            size = z.real**2 + z.imag**2
            blurred = 2 * np.abs(z) * error + error**2 + _rounding(z)
            certain &= ~inside | (np.abs(size - ESCAPED) > blurred) | (blurred == 0)
            inside &= size <= ESCAPED
            turns += inside
            moved = z * z + c
            error = np.where(inside, blurred + _rounding(z) + _rounding(moved), error)
            z = np.where(inside, moved, z)
    return Orbits(turns, certain)


def _rounding(z: np.ndarray) -> np.ndarray:
    """What float32 may lose in an iteration of z: nothing where all products are float32 themselves."""
    parts = (z.real**2, z.imag**2, z.real**2 - z.imag**2, z.real**2 + z.imag**2, z.real, z.imag, z.real * z.imag)
    exact = np.logical_and.reduce([part == part.astype(np.float32) for part in parts])
    return np.where(exact, 0.0, 8 * UNIT_ROUNDOFF["float32"] * (np.abs(z) ** 2 + np.abs(z)))


def counted(values: Values) -> dict:
    """turns[r, c] = how often z = z * z + c is worked out, from z = 0, until |z| squared is above 4; limit at most."""
    return {"turns": orbits(values).turns.copy()}


def turns_bound(values: Values, expected) -> dict:
    """Nothing, but for pixels so near the border that rounding decides: they may hold any number of iterations."""
    return {"turns": np.where(orbits(values).certain, 0, values["limit"])}


def picture_cases(*full: dict[str, int]) -> tuple[Case, ...]:
    """Whole tiles, ragged ones, one pixel, no iteration to make, views near the border, and one too large to trace."""
    return (
        *map(Case, full),
        Case(picture(1, 1, 5)),
        Case(picture(17, 40, 24)),
        Case(picture(33, 15, 1)),
        Case(picture(21, 50, 40), "general"),
        Case(picture(37, 83, 64), "general", trace=False),
    )


def a_tile_per_block(values: Values) -> tuple:
    """Blocks of 256 threads over tiles of 16 x 16 pixels: x along columns, y down rows."""
    n_rows, n_cols = values["turns"].shape
    return (ceil_div(n_cols, TILE), ceil_div(n_rows, TILE)), THREADS


# mandelbrot_queue: fewer blocks than tiles, which draw one tile after the other

BLOCKS = 5  # that the contract launches, however many tiles there are


def make_queue(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A picture, and a queue from which nobody has drawn."""
    values = make_picture(sizes, kind, rng)
    turns = values.pop("turns")
    return values | {"next_tile": np.zeros(1, np.int32), "turns": turns}


def queue_cases(full: dict[str, int]) -> tuple[Case, ...]:
    """As for a block per tile, with fewer iterations: what matters is who draws which tile."""
    return (
        Case(full),
        Case(picture(1, 1, 5)),
        Case(picture(17, 40, 9)),
        Case(picture(33, 15, 1)),
        Case(picture(21, 50, 24), "general"),
        Case(picture(37, 83, 24), "general", trace=False),
    )


def five_blocks(values: Values) -> tuple:
    """Five blocks of 256 threads."""
    return BLOCKS, THREADS


def tile_numbers(values: Values) -> np.ndarray:
    """(n_rows, n_cols) the number of the tile of each pixel, counted along rows of tiles."""
    n_rows, n_cols = values["turns"].shape
    row, col = np.indices((n_rows, n_cols))
    return row // TILE * ceil_div(n_cols, TILE) + col // TILE
