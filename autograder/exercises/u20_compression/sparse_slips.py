"""Wrong outputs of unit 20 that betray their cause, where two of four stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u20_compression.sparse_values import (
    chosen,
    chosen_at,
    groups_of,
    largest_two,
    places_of,
    spread,
    words_of,
)

# two_of_four


def by(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Two other places. rule: fours, float64 -> what the largest two of are taken, the first of equal ones."""

    def produces(values: Values) -> dict:
        order = np.argsort(-rule(groups_of(values["weights"]).astype(np.float64)), axis=2, kind="stable")
        packed, places = chosen_at(values["weights"], np.sort(order[..., :2], axis=2))
        return {"packed": packed, "places": places}

    return produces


def later_of_equal(values: Values) -> dict:
    """Of equal magnitudes the last stay."""
    turned = np.abs(groups_of(values["weights"]).astype(np.float64))[..., ::-1]
    order = 3 - np.argsort(-turned, axis=2, kind="stable")
    packed, places = chosen_at(values["weights"], np.sort(order[..., :2], axis=2))
    return {"packed": packed, "places": places}


def by_magnitude(values: Values) -> dict:
    """The larger of the two is stored first."""
    magnitudes = np.abs(groups_of(values["weights"]).astype(np.float64))
    order = np.argsort(-magnitudes, axis=2, kind="stable")[..., :2]
    packed, places = chosen_at(values["weights"], order)
    return {"packed": packed, "places": places}


def other_words(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The right elements, told of otherwise. rule: places (n_rows, groups, 2) -> words."""
    return lambda values: chosen(values) | {"places": rule(largest_two(values["weights"]))}


def groups_turned(places: np.ndarray) -> np.ndarray:
    """The first group in the highest four bits."""
    return words_of(places.reshape(len(places), -1, 8, 2)[:, :, ::-1].reshape(places.shape))


def first_groups(n: int) -> Callable[[np.ndarray], np.ndarray]:
    """Each word tells of its first n groups alone."""
    return lambda places: (words_of(places).view(np.uint32) & np.uint32(16**n - 1)).view(np.int32)


def columns_for_places(values: Values) -> dict:
    """The first two of four stay."""
    places = np.broadcast_to(np.array([0, 1]), (*groups_of(values["weights"]).shape[:2], 2))
    packed, words = chosen_at(values["weights"], places)
    return {"packed": packed, "places": words}


CHOICE = (
    Slip(
        "ties_to_the_last",
        "of equal magnitudes the later ones stay: the first do, so that everybody chooses alike",
        later_of_equal,
    ),
    Slip("sign_counted", "the largest numbers stay, and -4 goes for 1: compare magnitudes", by(lambda fours: fours)),
    Slip("smallest_kept", "the two smallest magnitudes stay: take the two largest", by(lambda fours: -np.abs(fours))),
    Slip("first_two", "the first two of every four stay, whatever they are", columns_for_places),
    Slip(
        "stored_by_size",
        "the larger of the two is stored first: the one from the left is, whatever their sizes",
        by_magnitude,
    ),
    Slip(
        "places_exchanged",
        "the two places of a group are exchanged: the first one's is in the lower two bits",
        other_words(lambda places: words_of(places[..., ::-1])),
    ),
    Slip(
        "groups_turned",
        "the first group of a word is in its highest bits: it belongs in the lowest four",
        other_words(groups_turned),
    ),
    Slip(
        "one_group_per_word",
        "each word tells of its first group alone: seven more belong beside it, four bits further up each",
        other_words(first_groups(1)),
    ),
    Slip(
        "one_group_per_word",
        "each word tells of its first four groups alone: four more belong beside them, which another shuffle brings",
        other_words(first_groups(4)),
    ),
)

# sparse_products


def other_places(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The product with other places. rule: (n_rows, groups, 2) -> the same."""

    def produces(values: Values) -> dict:
        places = rule(places_of(values["places"]))
        return {"c": spread({**values, "places": words_of(places)}) @ values["b"].astype(np.float64)}

    return produces


def rows_exchanged(places: np.ndarray) -> np.ndarray:
    """Rows 0 to 7 of each 16 have the places of rows 8 to 15, and the other way round."""
    return places.reshape(-1, 2, 8, *places.shape[1:])[:, ::-1].reshape(places.shape)


def rows_of_first_eight(places: np.ndarray) -> np.ndarray:
    """Rows 8 to 15 of each 16 have the places of rows 0 to 7."""
    parts = places.reshape(-1, 2, 8, *places.shape[1:])
    return parts[:, [0, 0]].reshape(places.shape)


def halves(order: list[int]) -> Callable[[np.ndarray], np.ndarray]:
    """Groups 0 to 3 and 4 to 7 of each word in another order."""
    return lambda places: places.reshape(len(places), -1, 2, 4, 2)[:, :, order].reshape(places.shape)


def first_tile(values: Values) -> dict:
    """Only the first 32 columns of a were multiplied."""
    return {"c": spread(values)[:, :32] @ values["b"][:32].astype(np.float64)}


PRODUCTS = (
    Slip(
        "rows_exchanged",
        "rows 0 to 7 of every 16 are multiplied with the places of rows 8 to 15, and the other way round: the lower 16 "
        "bits are of the rows above",
        other_places(rows_exchanged),
    ),
    Slip(
        "rows_of_first_eight",
        "rows 8 to 15 of every 16 are multiplied with the places of the eight rows before them",
        other_places(rows_of_first_eight),
    ),
    Slip(
        "halves_exchanged",
        "the places of columns 0 to 15 and of 16 to 31 are exchanged: the first lane of four tells of the first",
        other_places(halves([1, 0])),
    ),
    Slip(
        "first_half_twice",
        "columns 16 to 31 are multiplied with the places of columns 0 to 15: the second lane of four tells of the "
        "upper half of a word",
        other_places(halves([0, 0])),
    ),
    Slip("first_tile_only", "only the first tile of a and of b was multiplied", first_tile),
)
