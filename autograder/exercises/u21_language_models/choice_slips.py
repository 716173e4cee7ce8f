"""Wrong outputs of unit 21's choice of a token: what each mistake computes, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u21_language_models.choice_values import (
    at_least_kth,
    by_text,
    choose_token,
    chosen_by,
    kept_of,
    likely,
    weights_of,
)


def with_other(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The right choice for another argument."""
    return lambda values: choose_token(values | {name: change(values[name]).astype(values[name].dtype)})


def share_of_all(values: Values) -> dict:
    """top_p was taken of all words, not of the k."""

    def choose(text: int) -> int:
        logits, weights = values["logits"][text], weights_of(values["logits"][text], values["temperatures"][text])
        kept = at_least_kth(logits, values["top_ks"][text])
        kept = likely(logits, weights, kept, min(float(values["top_ps"][text]) * weights.sum(), weights[kept].sum()))
        return chosen_by(weights, kept, values["chances"][text])

    return by_text(values, choose)


def without_maximum(values: Values) -> dict:
    """exp of the logits as they are: where it is infinite, or 0 for all, no sum says anything."""

    def choose(text: int) -> int:
        with np.errstate(all="ignore"):
            powers = np.exp(values["logits"][text] / values["temperatures"][text], dtype=np.float32)
        lost = not np.isfinite(powers.sum()) or not powers.any()
        return len(powers) - 1 if lost else chosen_by(*kept_of(values, text), values["chances"][text])

    return by_text(values, choose)


def by_likelihood(values: Values) -> dict:
    """The chance went through the words from the most likely on."""

    def choose(text: int) -> int:
        weights, kept = kept_of(values, text)
        order = np.argsort(-values["logits"][text], kind="stable")
        return int(order[chosen_by(weights[order], kept[order], values["chances"][text])])

    return by_text(values, choose)


def unscaled_chance(values: Values) -> dict:
    """The chance itself was what the sum had to exceed."""

    def choose(text: int) -> int:
        weights, kept = kept_of(values, text)
        return chosen_by(weights, kept, values["chances"][text] / weights[kept].sum())

    return by_text(values, choose)


def greedy(values: Values) -> dict:
    """The most likely word."""
    return by_text(values, lambda text: int(np.argmax(values["logits"][text])))


def zero_chance(values: Values) -> dict:
    """A sum of nothing was not below the chance's share where that is 0."""

    def choose(text: int) -> int:
        return chosen_by(*kept_of(values, text), values["chances"][text]) if values["chances"][text] else 0

    return by_text(values, choose)


def all_words(values: Values) -> dict:
    """The chance went through all words, likely or not."""

    def choose(text: int) -> int:
        weights = weights_of(values["logits"][text], values["temperatures"][text])
        return chosen_by(weights, np.ones(len(weights), bool), values["chances"][text])

    return by_text(values, choose)


def ranks_of(logits: np.ndarray) -> np.ndarray:
    """Numbers in the order of the logits, as the text's `rank` has them: int64."""
    bits = (logits + np.float32(0)).view(np.int32).astype(np.int64)
    return np.where(bits < 0, ~bits, bits | 1 << 31) & 0xFFFFFFFF


def goes_on_from_the_kth(values: Values) -> dict:
    """The search for top_p began with the bits that the one for top_k had found."""

    def choose(text: int) -> int:
        logits, weights = values["logits"][text], weights_of(values["logits"][text], values["temperatures"][text])
        kept, ranks = at_least_kth(logits, values["top_ks"][text]), ranks_of(logits)
        least, goal = int(ranks[kept].min()), float(values["top_ps"][text]) * weights[kept].sum()
        for bit in range(31, -1, -1):
            higher = least | 1 << bit
            least = higher if weights[ranks >= higher].sum() >= goal else least
        return chosen_by(weights, ranks >= least, values["chances"][text])

    return by_text(values, choose)


CHOICE = (
    Slip("greedy", "the most likely word came out each time: the chance has no say", greedy),
    Slip(
        "temperature_forgotten",
        "the temperature has no effect: divide each logit's distance from the largest by it",
        with_other("temperatures", np.ones_like),
    ),
    Slip(
        "temperature_multiplied",
        "logits were multiplied by the temperature: a high temperature makes words more alike, so divide",
        with_other("temperatures", lambda t: 1 / t),
    ),
    Slip("no_maximum", "exp overflows or comes to 0: subtract the largest logit first", without_maximum),
    Slip(
        "top_k_forgotten",
        "top_k has no effect: only words as likely as the k-th may stay",
        lambda v: choose_token(v | {"top_ks": np.full_like(v["top_ks"], v["logits"].shape[1])}),
    ),
    Slip(
        "one_too_many",
        "one word more than top_k says was kept: k words are at least as likely as the k-th",
        lambda v: choose_token(v | {"top_ks": np.minimum(v["top_ks"] + 1, v["logits"].shape[1])}),
    ),
    Slip(
        "share_of_all",
        "the search for top_p went on from what top_k had found, and a bit once set stays set: begin it at 0 again",
        goes_on_from_the_kth,
    ),
    Slip("top_p_forgotten", "top_p has no effect", with_other("top_ps", np.ones_like)),
    Slip(
        "share_of_all",
        "top_p was taken of the weights of all words: it is a share of those that top_k has left",
        share_of_all,
    ),
    Slip(
        "by_likelihood",
        "the chance went through the words from the most likely on: it goes through them by number",
        by_likelihood,
    ),
    Slip(
        "unscaled_chance",
        "the chance was compared with sums of weights as it is: it is a share of the sum of those that are left",
        unscaled_chance,
    ),
    Slip(
        "zero_chance",
        "where the chance is 0, word 0 came out whether it was left or not: the first one whose sum exceeds 0 is meant",
        zero_chance,
    ),
    Slip("all_words_drawn", "words that should have been left out were drawn: top_k and top_p say which", all_words),
)
