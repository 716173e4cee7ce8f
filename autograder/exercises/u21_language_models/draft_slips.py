"""Wrong outputs of unit 21's check of a draft: what each mistake computes, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u21_language_models.draft_values import all_kept, by_text, drawn_from, left_of, stays


def followed_by(left: Callable[[Values, int, int], np.ndarray], place: int = -1) -> Callable[[Values], dict]:
    """The right number of words, and the added one drawn from something else, or by another chance."""

    def produces(values: Values) -> dict:
        chance = values["chances"]
        return by_text(
            values, all_kept(values), lambda t, n: drawn_from(left(values, t, n), chance[t, n if place == 0 else place])
        )

    return produces


def keeping(kept: Callable[[Values, int], int]) -> Callable[[Values], dict]:
    """Another number of words, and the added one as that has it."""

    def produces(values: Values) -> dict:
        numbers = np.array([kept(values, text) for text in range(len(values["n_kept"]))])
        return by_text(values, numbers, lambda t, n: drawn_from(left_of(values, t, n), values["chances"][t, -1]))

    return produces


def first_refused(stay: np.ndarray) -> int:
    """The first that does not stay, or how many there are."""
    return int(np.argmin(stay)) if not stay.all() else len(stay)


def other_rule(rule: Callable) -> Callable[[Values, int], int]:
    """Words stay by another rule of chances, draft and target."""

    def kept(values: Values, text: int) -> int:
        at = np.arange(values["drafted"].shape[1]), values["drafted"][text]
        draft, target = values["draft"][text][at], values["target"][text][at]
        return first_refused(rule(values["chances"][text, :-1].astype(np.float64), draft, target))

    return kept


def target_itself(values: Values, text: int, kept: int) -> np.ndarray:
    """What the target says, whatever the draft."""
    return values["target"][text, kept].astype(np.float64)


def next_place(values: Values, text: int, kept: int) -> np.ndarray:
    """The target's probabilities at the last place."""
    return values["target"][text, -1].astype(np.float64)


def signed(values: Values, text: int, kept: int) -> np.ndarray:
    """The difference with its sign: what is negative is taken off again."""
    left = target_itself(values, text, kept)
    return left - values["draft"][text, kept] if kept < values["draft"].shape[1] else left


def signed_word(values: Values) -> dict:
    """A search bit after bit in sums that also fall."""
    kept = all_kept(values)

    def added(text: int, n: int) -> int:
        left = signed(values, text, n)
        goal, word = float(values["chances"][text, -1]) * left.sum(), 0
        sums = np.append(0, np.cumsum(left))
        for bit in range(16, -1, -1):
            further = word + (1 << bit)
            if further < len(left) and sums[further] <= goal:
                word = further
        return word

    return by_text(values, kept, added)


def unscaled(values: Values) -> dict:
    """The chance itself is what the sum of what is left must exceed."""

    def added(text: int, n: int) -> int:
        left = left_of(values, text, n)
        return drawn_from(left, float(values["chances"][text, -1]) / left.sum())

    return by_text(values, all_kept(values), added)


DRAFT = (
    Slip(
        "kept_after_a_refusal",
        "words were counted that stand after a refused one: nothing stays after the first refusal",
        keeping(lambda v, t: int(stays(v, t).sum())),
    ),
    Slip(
        "models_exchanged",
        "target and draft are exchanged in the test: a word that the target likes better always stays",
        keeping(other_rule(lambda u, q, p: u * p < q)),
    ),
    Slip(
        "edge_kept",
        "a word stayed whose chance times the draft's probability equals the target's: it must be below it",
        keeping(other_rule(lambda u, q, p: u * q <= p)),
    ),
    Slip(
        "draft_not_asked",
        "words stay by the target's probability alone: a word stays with target over draft as its chance",
        keeping(other_rule(lambda u, q, p: u < p)),
    ),
    Slip(
        "only_better_words",
        "only words that the target likes better stay: the chance has no say",
        keeping(other_rule(lambda u, q, p: q < p)),
    ),
    Slip(
        "added_from_target",
        "the added word was drawn from the target's probabilities: take those of the draft off: it has had its try",
        followed_by(target_itself),
    ),
    Slip(
        "added_from_last_place",
        "the added word was drawn at the draft's last place: it stands where the refused word stood",
        followed_by(next_place),
    ),
    Slip(
        "not_cut_at_zero",
        "where the draft's probability is larger, the difference is negative and was taken off the sum: cut it at 0",
        signed_word,
    ),
    Slip(
        "unscaled_chance",
        "the chance was compared with sums as it is: it is a share of the sum of all that is left",
        unscaled,
    ),
    Slip(
        "used_chance",
        "the added word was drawn by the chance that had refused a word: the last chance is for it",
        followed_by(left_of, place=0),
    ),
)
