"""What known mistakes with branches and votes compute. Each takes the values of a case, and returns its outputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u05_warps.values import STEPS, WARP, distances, first_recipe, packed, second_recipe


def everywhere_first(values: Values) -> dict:
    """The first recipe for all."""
    return {"out": first_recipe(values["src"].astype(np.float64))}


def everywhere_second(values: Values) -> dict:
    """The second recipe for all."""
    return {"out": second_recipe(values["src"].astype(np.float64))}


def sign_looked_at_again(values: Values) -> dict:
    """Each step asks for the sign of the number as it is now."""
    x = values["src"].astype(np.float64)
    for _ in range(STEPS):
        x = np.where(x < 0, x / 2 + 3, 1 - x / 2)
    return {"out": x}


def steps_taken(steps: int) -> Callable[[Values], dict]:
    """Each number took another number of steps."""

    def produces(values: Values) -> dict:
        x = values["src"].astype(np.float64)
        return {"out": np.where(x < 0, first_recipe(x, steps), second_recipe(x, steps))}

    return produces


def sides_exchanged(values: Values) -> dict:
    """Each sign got the recipe of the other."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(x < 0, second_recipe(x), first_recipe(x))}


def zero_negative(values: Values) -> dict:
    """0 takes the recipe of the negative numbers."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(x <= 0, first_recipe(x), second_recipe(x))}


def results_multiplied(values: Values) -> dict:
    """Both results, each times 0 or 1: infinity times 0 is NaN."""
    x = values["src"].astype(np.float64)
    with np.errstate(invalid="ignore"):
        return {"out": (x < 0) * first_recipe(x) + (x >= 0) * second_recipe(x)}


def lane_decides(values: Values) -> dict:
    """Threads 0 to 31 of each 64 take the first recipe at their own place, the others the second."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(np.arange(x.size) // WARP % 2 == 0, first_recipe(x), distances(x))}


def places_exchanged(values: Values) -> dict:
    """The recipes of even and odd places exchanged."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(np.arange(x.size) % 2 == 1, first_recipe(x), distances(x))}


def first_lane_highest(values: Values) -> dict:
    """Lane 0's bit is the highest."""
    words = packed(values)["words"]
    bits = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(-1, WARP)[:, ::-1]
    return {"words": np.packbits(bits.ravel(), bitorder="little").view(np.uint32)}


def at_least(values: Values) -> dict:
    """Elements that equal the limit count."""
    equal = values | {"limit": np.nextafter(values["limit"], np.float32(-np.inf))}
    return dict(packed(equal))


def counted_in_place(values: Values) -> dict:
    """How many of the 32 are above, not which ones."""
    words = packed(values)["words"]
    return {"words": np.unpackbits(words.view(np.uint8)).reshape(-1, WARP).sum(axis=1)}


def any_in_place(values: Values) -> dict:
    """1 where any of the 32 is above."""
    return {"words": np.asarray(packed(values)["words"]) != 0}


def place_in_turn(values: Values) -> dict:
    """The lane that hit first, without the iterations before."""
    first, n_cols = _first(values)
    return {"first": np.where(first < n_cols, first % WARP, n_cols)}


def one_too_far(values: Values) -> dict:
    """ffs counts from 1."""
    first, n_cols = _first(values)
    return {"first": np.where(first < n_cols, first + 1, n_cols)}


def highest_lane(values: Values) -> dict:
    """The last hit among the 32 columns of the first hit."""
    first, n_cols = _first(values)
    above = values["src"] > values["limit"]
    last = [_last(above[row], int(place)) if place < n_cols else n_cols for row, place in enumerate(first)]
    return {"first": np.array(last, int)}


def first_at_least(values: Values) -> dict:
    """The first element that is the limit or more."""
    return _first_of(values["src"] >= values["limit"])


def signed_word(values: Values) -> dict:
    """A hit in lane 31 alone comes out as 63: the word is negative, and minus it is no larger number."""
    first, n_cols = _first(values)
    above = values["src"] > values["limit"]
    alone = [place < n_cols and place % WARP == 31 for place in first]
    return {"first": first + np.where(alone, WARP, 0) if above.size else first}


def sign_passed_over(values: Values) -> dict:
    """An iteration in which lane 31 has a hit is passed over: its word is negative, so it is not greater than 0."""
    above, n_cols = values["src"] > values["limit"], values["src"].shape[1]
    kept = above.copy()
    for begin in range(0, n_cols - WARP + 1, WARP):
        kept[above[:, begin + WARP - 1], begin : begin + WARP] = False
    return _first_of(kept)


def whole_turns(values: Values) -> dict:
    """Columns after the last whole 32 are never looked at."""
    above = values["src"] > values["limit"]
    above[:, above.shape[1] // WARP * WARP :] = False
    return _first_of(above)


def lane_0_alone(values: Values) -> dict:
    """Lane 0 writes what it found itself, if the iteration of the first hit brought it anything."""
    first, n_cols = _first(values)
    begins = (first // WARP * WARP).clip(max=max(0, n_cols - 1)).astype(int)
    above = values["src"] > values["limit"]
    own = above[np.arange(len(begins)), begins] if n_cols else np.zeros(len(begins), bool)
    return {"first": np.where((first < n_cols) & own, begins, n_cols)}


def _first_of(above: np.ndarray) -> dict:
    n_cols = above.shape[1]
    return {"first": np.where(above.any(axis=1), above.argmax(axis=1) if n_cols else 0, n_cols)}


def _last(above: np.ndarray, first: int) -> int:
    begin = first // WARP * WARP
    return begin + int(np.flatnonzero(above[begin : begin + WARP])[-1])


def _first(values: Values) -> tuple[np.ndarray, int]:
    above, n_cols = values["src"] > values["limit"], values["src"].shape[1]
    return (np.where(above.any(axis=1), above.argmax(axis=1), n_cols) if n_cols else np.zeros(len(above))), n_cols


SETTLED = (
    Slip("off_by_one", "each number took eleven steps: the loop ends one iteration early", steps_taken(STEPS - 1)),
    Slip(
        "off_by_one", "each number took thirteen steps: the loop takes one iteration too many", steps_taken(STEPS + 1)
    ),
    Slip("sides_exchanged", "negative numbers take the recipe of the others, and the others theirs", sides_exchanged),
    Slip("one_recipe_for_all", "the recipe for negative numbers is applied to all of them", everywhere_first),
    Slip("one_recipe_for_all", "the recipe for numbers that are not negative is applied to all", everywhere_second),
    Slip("decided_again", "each step asks for the sign anew: what src[i] was decides, once", sign_looked_at_again),
    Slip("zero_is_negative", "0 takes the recipe of the negative numbers, and it is not one of them", zero_negative),
    Slip(
        "infinity_times_zero",
        "both results are multiplied by 0 or 1 and added: infinity times 0 is NaN, so choose instead of multiplying",
        results_multiplied,
    ),
)
BY_PLACE = (
    Slip("wrong_element", "the first 32 of every 64 elements got the even recipe: warps, not elements", lane_decides),
    Slip("recipes_exchanged", "even and odd places have exchanged their recipes", places_exchanged),
)
BITS = (
    Slip("bit_order", "the bits stand in the opposite order: lane 0 is the lowest bit", first_lane_highest),
    Slip("at_least", "elements that equal the limit have a bit, too: above means greater", at_least),
    Slip("counted_lanes", "each word holds how many elements are above the limit, not which ones", counted_in_place),
    Slip("yes_or_no", "each word says whether any element is above the limit, not which ones", any_in_place),
)
FIRSTS = (
    Slip("turn_forgotten", "only the lane is there: add the column at which the iteration began", place_in_turn),
    Slip("ffs_from_one", "every place is one too far: cuda.ffs counts the lowest bit as 1", one_too_far),
    Slip(
        "highest_lane",
        "of several hits in one iteration, the last column was taken: the lowest bit is the first",
        highest_lane,
    ),
    Slip(
        "signed_word",
        "a hit that lane 31 alone or first has found is 32 columns too far: its bit is the sign of the int32 that a "
        "ballot returns, and minus the smallest int32 is the same number again",
        signed_word,
    ),
    Slip(
        "signed_word",
        "an iteration in which lane 31 says yes is passed over: its bit is the sign of the int32 that a ballot "
        "returns, so ask whether the word is not 0",
        sign_passed_over,
    ),
    Slip("at_least", "an element that equals the limit is taken for a hit: above means greater", first_at_least),
    Slip("tail_of_the_row", "the last columns, fewer than 32, are never looked at", whole_turns),
    Slip("lanes_alone", "lane 0 writes what it found itself: the other lanes' hits never reach it", lane_0_alone),
)
