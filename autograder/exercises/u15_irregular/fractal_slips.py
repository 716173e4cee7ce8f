"""Wrong outputs of unit 15's pictures that betray their cause: other recurrences, in float32 as a kernel has them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u15_irregular.fractal_values import BLOCKS, TILE, tile_numbers

Parts = tuple[np.ndarray, np.ndarray]  # real and imaginary, float32
Step = Callable[[Parts, Parts], Parts]  # (z, c) -> the next z
FOUR = 4.0


def squared(z: Parts, c: Parts) -> Parts:
    """z * z + c."""
    (zr, zi), (cr, ci) = z, c
    return zr * zr - zi * zi + cr, zr * zi + zr * zi + ci


def from_new_part(z: Parts, c: Parts) -> Parts:
    """The imaginary part is made of the new real part."""
    real, _ = squared(z, c)
    return real, real * z[1] + real * z[1] + c[1]


def with_a_plus(z: Parts, c: Parts) -> Parts:
    """The squares are added."""
    return z[0] * z[0] + z[1] * z[1] + c[0], squared(z, c)[1]


def once(z: Parts, c: Parts) -> Parts:
    """The product of the parts is taken once."""
    return squared(z, c)[0], z[0] * z[1] + c[1]


def c_left_out(z: Parts, c: Parts) -> Parts:
    """c is added to the real part alone."""
    return squared(z, c)[0], z[0] * z[1] + z[0] * z[1]


def followed(values: Values, step: Step = squared, ends: float = FOUR, more: int = 0) -> np.ndarray:
    """The count of each pixel, with another step or another end, `more` beyond the limit."""
    c = tuple(np.broadcast_to(part, values["turns"].shape) for part in (values["re"], values["im"][:, None]))
    z: Parts = (np.zeros_like(c[0]), np.zeros_like(c[0]))
    turns, inside = np.zeros(c[0].shape, np.int64), np.ones(c[0].shape, bool)
    for _ in range(values["limit"] + more):
        inside &= z[0] * z[0] + z[1] * z[1] <= ends
        turns += inside
        moved = step(z, (c[0], c[1]))
        z = tuple(np.where(inside, new, old) for new, old in zip(moved, z, strict=True))  # type: ignore[assignment]
    return turns


def stepping(step: Step, ends: float = FOUR) -> Callable[[Values], dict]:
    """Another recurrence, or another end of it."""
    return lambda values: {"turns": followed(values, step, ends)}


def one_less(values: Values) -> dict:
    """The first iteration, from 0 to c, is not counted."""
    return {"turns": np.minimum(followed(values, more=1) - 1, values["limit"])}


def one_more(values: Values) -> dict:
    """The look at z that ends the loop is counted as well."""
    turns = followed(values)
    return {"turns": np.where(turns < values["limit"], turns + 1, turns)}


def strictly_below(values: Values) -> dict:
    """A pixel ends where |z| squared is 4 as well."""
    return {"turns": followed(values, ends=float(np.nextafter(np.float32(FOUR), np.float32(0))))}


TURNS = (
    Slip(
        "new_part_used",
        "the imaginary part is made of the new real part: both parts need the real part from before the iteration",
        stepping(from_new_part),
    ),
    Slip("wrong_square", "the two squares are added: i times i is -1, so zi * zi is subtracted", stepping(with_a_plus)),
    Slip(
        "wrong_square",
        "the imaginary part has zr * zi once: the square has it twice, zr times zi and zi times zr",
        stepping(once),
    ),
    Slip(
        "wrong_square",
        "the imaginary part of c is not added: each iteration adds both parts of c",
        stepping(c_left_out),
    ),
    Slip(
        "not_squared",
        "|z| squared is compared with 2: |z| is compared with 2, and its square with 4",
        stepping(squared, 2.0),
    ),
    Slip("not_squared", "|z| squared is compared with 16: the square of 2 is 4", stepping(squared, 16.0)),
    Slip(
        "edge_left_out",
        "a pixel ends where |z| squared is just 4: it goes on until |z| squared is above 4",
        strictly_below,
    ),
    Slip("first_turn_left_out", "the iteration from 0 to c is not counted: z begins at 0", one_less),
    Slip(
        "last_look_counted",
        "a pixel that escapes has one iteration too many: only iterations that change z count",
        one_more,
    ),
    Slip(
        "limit_for_all",
        "every pixel has limit iterations: nothing ends the loop of a pixel that escapes",
        lambda values: {"turns": np.full(values["turns"].shape, values["limit"])},
    ),
)


def unwritten(wanting: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """The picture, of which some pixels were never written. wanting: values -> (n_rows, n_cols) bool."""
    return lambda values: {"turns": np.ma.masked_array(followed(values), wanting(values))}


QUEUE = (
    *TURNS,
    Slip(
        "one_tile_each",
        "each block drew one tile, and there are more tiles than blocks: a block draws again until none is left",
        unwritten(lambda values: tile_numbers(values) >= BLOCKS),
    ),
    Slip(
        "ticket_not_told",
        "only the first pixel of each tile was written: thread 0 knows the ticket, and the others were not told",
        unwritten(lambda values: (np.indices(values["turns"].shape) % TILE).max(axis=0) > 0),
    ),
    Slip(
        "first_tile_left_out",
        "tile 0 was never written: what an atomic returns is the number from before it adds",
        unwritten(lambda values: tile_numbers(values) == 0),
    ),
)
