"""Wrong outputs of unit 15's bodies that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u15_irregular.body_values import TILE, absolute_terms, factors, pairs, pulled, summed


def by(factor: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """Pulls with another factor of each pair."""

    def produces(values: Values) -> dict:
        found = factor(values)
        with np.errstate(invalid="ignore"):
            return summed(values, found) | absolute_terms(values, found)

    return produces


def without(leaves_out: Callable[[np.ndarray, np.ndarray, int], np.ndarray]) -> Callable[[Values], dict]:
    """Pulls without some pairs. leaves_out: (i, j, n) -> (n, n) bool."""

    def factor(values: Values) -> np.ndarray:
        i, j = np.indices((values["x"].size,) * 2)
        return np.where(leaves_out(i, j, values["x"].size), 0.0, factors(values))

    return by(factor)


def last_again(values: Values) -> np.ndarray:
    """The last body fills the empty cells of the last tile as well, with its mass."""
    n = values["x"].size
    times = np.where(np.arange(n) == n - 1, 1 + -n % TILE, 1)
    return times * factors(values)


def turned(values: Values) -> dict:
    """The pulls with the other sign."""
    return {name: -pull for name, pull in pulled(values).items()}


def exchanged(values: Values) -> dict:
    """The pulls along the other axis."""
    pulls = pulled(values)
    return {"pull_x": pulls["pull_y"], "pull_y": pulls["pull_x"]}


def mass_of_pulled(values: Values) -> np.ndarray:
    """The mass of body i in place of that of body j."""
    return values["mass"].astype(np.float64)[:, None] * pairs(values)[2] ** -1.5


def not_softened(values: Values) -> np.ndarray:
    """Nothing is added to the distance, which is 0 from a body to itself."""
    dx, dy, _ = pairs(values)
    with np.errstate(divide="ignore"):
        return values["mass"].astype(np.float64) * (dx**2 + dy**2) ** -1.5


def softened_behind_the_root(values: Values) -> np.ndarray:
    """soft is added to the distance itself."""
    dx, dy, _ = pairs(values)
    return values["mass"].astype(np.float64) * (np.sqrt(dx**2 + dy**2) + np.float64(values["soft"])) ** -3


BODIES = (
    Slip(
        "turned_round", "bodies push each other: the arrow should go from the body itself to the one that pulls", turned
    ),
    Slip("swapped_axes", "pull_x and pull_y are exchanged", exchanged),
    Slip("wrong_mass", "the mass is that of the body itself: it is that of the body that pulls", by(mass_of_pulled)),
    Slip("wrong_mass", "the mass is left out", by(lambda values: pairs(values)[2] ** -1.5)),
    Slip(
        "not_cubed",
        "the distance goes in squared: (dx, dy) is one distance long itself, so its cube is needed",
        by(lambda values: values["mass"].astype(np.float64) / pairs(values)[2]),
    ),
    Slip(
        "not_cubed",
        "the distance goes in once: (dx, dy) is one distance long itself, so its cube is needed",
        by(lambda values: values["mass"].astype(np.float64) * pairs(values)[2] ** -0.5),
    ),
    Slip(
        "not_softened", "soft is left out, and the distance from a body to itself is 0: 0 / 0 is NaN", by(not_softened)
    ),
    Slip(
        "tail_pulls",
        "the last body pulls once for each empty cell of the last tile, too: a cell past the end needs a mass of 0",
        by(last_again),
    ),
    Slip(
        "soft_squared",
        "soft goes in squared: it is added as it is",
        by(lambda v: v["mass"].astype(np.float64) * (pairs(v)[2] - v["soft"] + np.float64(v["soft"]) ** 2) ** -1.5),
    ),
    Slip(
        "soft_outside",
        "soft is added to the distance: it belongs to its square, under the root",
        by(softened_behind_the_root),
    ),
    Slip(
        "own_tile_only",
        "only the bodies of a block's own tile pull: the loop has to go through every tile",
        without(lambda i, j, n: i // TILE != j // TILE),
    ),
    Slip(
        "first_tile_only",
        "only the bodies of the first tile pull: the loop has to go through every tile",
        without(lambda i, j, n: j >= TILE),
    ),
    Slip(
        "last_tile_missing",
        "the bodies of the last tile, which is not full, do not pull: round the number of tiles up",
        without(lambda i, j, n: j >= n // TILE * TILE),
    ),
)
