"""Wrong outputs of unit 17 that betray their cause, where steps are multiplied."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.layer_values import cut, factors, scaled, sums_of, with_residual
from autograder.exercises.u17_engine_int8.slips import low_bits
from autograder.exercises.u17_engine_int8.values import saturated

# int8_products


def of_factors(rule: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Values], np.ndarray]:
    """Other sums. rule: (a, b), both int64 -> sums."""
    return lambda values: rule(*factors(values))


def without_signs(values: Values) -> np.ndarray:
    """Bytes from 0 to 255."""
    a, b = factors(values, np.uint8)
    return a @ b


def words_alone(values: Values) -> np.ndarray:
    """Whole words were multiplied."""
    with np.errstate(over="ignore"):
        return values["a"].astype(np.int64) @ values["b"].astype(np.int64)


def one_of_four(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, ::4] @ b[::4]


def turned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The bytes of a word of b in the other order."""
    return a @ b.reshape(-1, 4, b.shape[1])[:, ::-1].reshape(b.shape)


def cut_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each product in 8 bits."""
    return (a[:, :, None] * b[None]).astype(np.int8).astype(np.int64).sum(axis=1)


def shifted_by_bits(values: Values) -> np.ndarray:
    """Byte j was looked for j bits further, not 8 j."""
    a, b = values["a"].astype(np.int64), values["b"].astype(np.int64)
    return sum((a >> j).astype(np.int8).astype(np.int64) @ (b >> j).astype(np.int8).astype(np.int64) for j in range(4))


def last_word(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, -4:] @ b[-4:]


def last_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, -1:] @ b[-1:]


def as_sums(rule: Callable[[Values], np.ndarray], dtype: type = np.int32) -> Callable[[Values], dict]:
    """Sums as an int of some width holds them."""
    return lambda values: {"sums": rule(values).astype(np.int64).astype(dtype).astype(np.int32)}


def with_positive_128(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """-128 counted as 128."""
    return np.where(a == -128, 128, a) @ np.where(b == -128, 128, b)


def first_of_b(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each step of a meets the first of b's word."""
    return a @ b[np.arange(len(b)) // 4 * 4]


def first_of_a(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each step of b meets the first of a's word."""
    return a[:, np.arange(len(b)) // 4 * 4] @ b


NO_SIGN = "steps below 0 count as 256 more: a byte of a word has no sign until int8() gives it one"
ONE_STEP = "one product per word was added: a word holds four steps"
PRODUCTS = (
    Slip(
        "narrow_sums",
        "sums are cut to 16 bits: two products of 128 and 128 are 32,768, and an int16 ends at 32,767",
        as_sums(sums_of, np.int16),
    ),
    Slip(
        "narrow_sums",
        "sums are cut to 8 bits: one product of two steps needs 16",
        as_sums(sums_of, np.int8),
    ),
    Slip(
        "product_cut",
        "each product is cut to 8 bits: two steps of 8 bits make a product of 16",
        as_sums(of_factors(cut_products)),
    ),
    Slip(
        "shifted_by_bits",
        "steps are taken from the wrong bits: step j of a word begins at bit 8 j, since each has 8 bits",
        as_sums(shifted_by_bits),
    ),
    Slip("without_sign", NO_SIGN, as_sums(without_signs)),
    Slip(
        "without_sign",
        "-128 counts as 128: a byte of 128 or more stands for a step below 0, and 128 itself is one of them",
        as_sums(of_factors(with_positive_128)),
    ),
    Slip("one_of_four", ONE_STEP, as_sums(of_factors(one_of_four))),
    Slip(
        "one_side_not_shifted",
        "every step of a meets the first step of b's word: shift both words alike",
        as_sums(of_factors(first_of_b)),
    ),
    Slip(
        "one_side_not_shifted",
        "every step of b meets the first step of a's word: shift both words alike",
        as_sums(of_factors(first_of_a)),
    ),
    Slip("words_multiplied", "whole words were multiplied: take four steps out of each first", as_sums(words_alone)),
    Slip(
        "bytes_turned",
        "the bytes of a word meet in opposite order: step j of a belongs to step j of b",
        as_sums(of_factors(turned)),
    ),
    Slip("last_product", "each sum is its last product alone: add with +=", as_sums(of_factors(last_product))),
    Slip("last_product", "each sum has the products of its last word alone", as_sums(of_factors(last_word))),
)

# int8_layer


def finished(values: Values, x: np.ndarray) -> dict:
    """Activation, rounding, cut."""
    return {"steps": saturated(cut(values, x))}


def other_sums(rule: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """The right layer behind other sums."""

    def produces(values: Values) -> dict:
        x = rule(values) * values["multiplier"].astype(np.float64) + values["addend"].astype(np.float64)
        return finished(values, with_residual(values, x))

    return produces


def rounded_before(values: Values) -> dict:
    """The sums became int8 before the residual was added."""
    return finished(values, with_residual(values, saturated(scaled(values)).astype(np.float64)))


def rounded_after_each(values: Values) -> dict:
    """The sums were rounded, not cut, and so was the residual."""
    residual = np.rint(values["residual"].astype(np.float32) * values["residual_multiplier"])
    return finished(values, np.rint(scaled(values)) + residual)


def sums_rounded(values: Values) -> dict:
    """The product with the multiplier was rounded."""
    x = np.rint(sums_of(values) * values["multiplier"].astype(np.float64)) + values["addend"].astype(np.float64)
    return finished(values, with_residual(values, x))


def residual_in_sums(values: Values) -> dict:
    """The residual is added to the sum, and multiplied with it."""
    sums = sums_of(values) + values["residual"] * np.float64(values["residual_multiplier"])
    return finished(values, sums * values["multiplier"].astype(np.float64) + values["addend"])


def activation_first(values: Values) -> dict:
    """The residual is added after the activation."""
    return {"steps": saturated(with_residual(values, cut(values, scaled(values))))}


def addend_first(values: Values) -> dict:
    """The addend is multiplied, too."""
    x = (sums_of(values) + values["addend"].astype(np.float64)) * values["multiplier"].astype(np.float64)
    return finished(values, with_residual(values, x))


def changed(**new: Callable[[Values], np.ndarray | np.floating]) -> Callable[[Values], dict]:
    """The right layer of other arguments."""

    def produces(values: Values) -> dict:
        other = values | {name: rule(values) for name, rule in new.items()}
        return finished(other, with_residual(other, scaled(other)))

    return produces


def by_rounding(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another way to round."""
    return lambda values: {"steps": saturated(rule(cut(values, with_residual(values, scaled(values)))))}


def wrapped(values: Values) -> dict:
    """Not cut to int8."""
    return {"steps": low_bits(cut(values, with_residual(values, scaled(values))))}


def no_activation(values: Values) -> dict:
    return {"steps": saturated(with_residual(values, scaled(values)))}


LAYER = (
    Slip(
        "rounded_twice",
        "the sums became int8 before the residual was added: round and cut once, at the very end",
        rounded_before,
    ),
    Slip(
        "rounded_twice",
        "sum and residual are rounded before they are added: round once, at the very end",
        rounded_after_each,
    ),
    Slip("rounded_twice", "the sum is rounded before the rest is added: round once, at the very end", sums_rounded),
    Slip(
        "activation_too_early",
        "the residual is added after the activation: low and high cut the sum of both",
        activation_first,
    ),
    Slip(
        "residual_unscaled",
        "the residual's steps are added as they are: they are worth residual_multiplier steps of the output",
        changed(residual_multiplier=lambda v: np.float32(1)),
    ),
    Slip(
        "residual_multiplied_twice",
        "the residual is added to the sum and multiplied with it: it is in steps of the output, once multiplied by its "
        "own multiplier",
        residual_in_sums,
    ),
    Slip(
        "always_a_relu",
        "results are always cut at 0: low and high say what the activation is, and it may be none",
        changed(low=lambda v: np.float32(0), high=lambda v: np.float32(np.inf)),
    ),
    Slip("activation_left_out", "high is never asked for", changed(high=lambda v: np.float32(np.inf))),
    Slip("activation_left_out", "low is never asked for", changed(low=lambda v: np.float32(-np.inf))),
    Slip("residual_left_out", "the residual is missing", changed(residual_multiplier=lambda v: np.float32(0))),
    Slip(
        "addend_multiplied",
        "the addend is multiplied, too: it is in steps of the output already, so it comes after the product",
        addend_first,
    ),
    Slip("addend_left_out", "the addend is missing", changed(addend=lambda v: np.zeros_like(v["addend"]))),
    Slip(
        "one_channel_for_all",
        "every channel has the constants of channel 0: c is the index of multiplier and addend",
        changed(
            multiplier=lambda v: np.full_like(v["multiplier"], v["multiplier"][0]),
            addend=lambda v: np.full_like(v["addend"], v["addend"][0]),
        ),
    ),
    Slip(
        "wraps_round",
        "large results change their sign: int8() keeps the low 8 bits, so 128 becomes -128. Cut before you convert",
        wrapped,
    ),
    Slip("activation_left_out", "the activation is missing: low and high cut the result", no_activation),
    Slip(
        "half_away",
        "ties go away from zero: 2.5 became 3, where half to even gives 2",
        by_rounding(lambda x: np.trunc(x + np.copysign(0.5, x))),
    ),
    Slip(
        "half_up",
        "ties go up: 2.5 became 3, where half to even gives 2",
        by_rounding(lambda x: np.floor(x + 0.5)),
    ),
    Slip("truncated", "results are cut off and not rounded: 2.75 became 2 and -2.75 became -2", by_rounding(np.trunc)),
    Slip(
        "narrow_sums",
        "sums are cut to 16 bits: two products of 128 and 128 are 32,768, and an int16 ends at 32,767",
        other_sums(lambda values: sums_of(values).astype(np.int16).astype(np.int64)),
    ),
    Slip("without_sign", NO_SIGN, other_sums(without_signs)),
    Slip("one_of_four", ONE_STEP, other_sums(of_factors(one_of_four))),
)
