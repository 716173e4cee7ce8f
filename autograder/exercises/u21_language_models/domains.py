"""What may come in unit 21."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u21_language_models.cache_values import cache, make_attention, make_merge
from autograder.exercises.u21_language_models.choice_values import make_choice, settle_all, texts, weights_of
from autograder.exercises.u21_language_models.draft_values import WHOLE, drafts, make_drafts
from autograder.exercises.u21_language_models.sharing_values import all_at_once, crowd, far_apart, one_needs_all
from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = Real(-9, 9)
EIGHT = Real(-8, 8)


def nan_behind(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Memory that nobody has written yet may hold NaN, which is no number times 0 either."""
    return make_attention(sizes, "general", rng, np.nan)


def all_equal(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Every word ties with the k-th and with the last of a share, so all of them stay."""
    values = make_choice(sizes, "exact", rng)
    values["logits"][:] = -3
    settle_all(values, rng)
    return values


def one_far_above(sizes: Sizes, rng: np.random.Generator) -> Values:
    """All weights but one are 0 in float32."""
    values = make_choice(sizes, "general", rng)
    values["logits"][:, rng.integers(sizes["n_words"])] = 900
    settle_all(values, rng)
    return values


def last_of_all(sizes: Sizes, rng: np.random.Generator) -> Values:
    """The last word of very many is chosen: what stands for its number has to go that far."""
    values = make_choice(sizes, "exact", rng)
    values["logits"][:], values["logits"][:, -1] = -3, 9
    values["temperatures"][:], values["top_ks"][:], values["top_ps"][:] = 1, sizes["n_words"], 1
    values["chances"][:] = 0.999
    return values


def half_down_half_up(sizes: Sizes, rng: np.random.Generator) -> Values:
    """One likely word and many with weights of which 16 bits round those of the first half down and the others up: in
    the middle a sum of these lies a word away."""
    values, half = make_choice(sizes, "exact", rng), sizes["n_words"] // 2
    weights = 2.0**-13 * (1 + 2.0**-11 * np.where(np.arange(sizes["n_words"]) < half, 0.95, 1.05))
    weights[0] = 1
    values["logits"][:] = np.log(weights)
    values["temperatures"][:], values["top_ks"][:], values["top_ps"][:] = 1, sizes["n_words"], 1
    ends = np.cumsum(weights_of(values["logits"][0], 1))
    values["chances"][:] = (ends[half - 1] + ends[half]) / 2 / ends[-1]
    return values


def few_words_left(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Only the most likely word may come: top_k is 1 in half of the texts, and the share that is asked for less than
    that word's in the others."""
    values = make_choice(sizes, "general", rng)
    half = sizes["n_texts"] // 2
    values["top_ks"][:half], values["top_ks"][half:] = 1, sizes["n_words"]
    values["top_ps"][:half], values["top_ps"][half:] = 1, 1e-4
    values["chances"][:] = 0.999
    return values


def cold_and_hot(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Temperatures far from 1, and logits that lie as far apart for each."""
    values = make_choice(sizes, "general", rng)
    values["temperatures"] = np.resize(np.array([20, 0.05, 5, 0.2, 100], np.float32), sizes["n_texts"])
    values["logits"] = (rng.normal(size=values["logits"].shape) * values["temperatures"][:, None]).astype(np.float32)
    values["top_ks"][:] = sizes["n_words"]
    settle_all(values, rng)
    return values


def last_of_many(sizes: Sizes, rng: np.random.Generator) -> Values:
    """All words of the draft stay, and the word that follows has a number of more than 16 bits."""
    shape = sizes["n_texts"], sizes["n_drafted"], sizes["n_words"]
    target = np.zeros((shape[0], shape[1] + 1, shape[2]), np.float32)
    target[..., 0], target[..., -1] = 0.25, 0.75
    return {
        "target": target,
        "draft": target[:, 1:].copy(),
        "drafted": np.zeros(shape[:2], np.int32),
        "chances": np.full((shape[0], shape[1] + 1), 0.5, np.float32),
        "n_kept": np.zeros(shape[0], np.int32),
        "added": np.zeros(shape[0], np.int32),
    }


def hardly_apart(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A draft's word is refused, and for all others the target is above the draft by a number that float16 of either
    does not have."""
    values, n_words = make_drafts(sizes, "exact", rng), sizes["n_words"]
    values["draft"][:] = 1 / 64
    values["target"][:] = 1 / 64 + 2.0**-18
    values["target"][..., 0] = 1 / 64 - (n_words - 1) * 2.0**-18
    values["drafted"][:], values["chances"][:, :-1], values["chances"][:, -1] = 0, 0.999, 0.5
    return values


def nothing_in_common(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Where the target has a word, the draft has none: the first word is refused with any chance, 0 included."""
    values = make_drafts(sizes, "exact", rng)
    half = sizes["n_words"] // 2
    values["draft"][..., :half], values["target"][..., half:] = 0, 0
    values["drafted"][:] = rng.integers(half, sizes["n_words"], values["drafted"].shape)
    for name in ("draft", "target"):
        values[name] = (np.floor(values[name] * WHOLE) + (values[name] > 0)).astype(np.float32) / WHOLE
    values["chances"][:, :-1] = 0
    return values


def one_split_far_above(sizes: Sizes, rng: np.random.Generator) -> Values:
    """For each head one split far above all others, at another place: whoever misses it takes powers past float32."""
    values, head = make_merge(sizes, "exact", rng), np.arange(sizes["n_heads"])
    values["logs"][sizes["n_splits"] - 1 - 59 * head, head] = 200
    return values


def far_below_zero(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Logarithms for which no finite number near 0 is a beginning of the search for the largest."""
    values = make_merge(sizes, "exact", rng)
    return values | {"logs": values["logs"] - np.float32(30_000)}


DOMAINS = {
    "rms_norm": Domain(
        sizes={"n_rows": Whole(1, 201), "n_cols": Whole(8, 8_200, 8)},
        arrays={"src": Real(-300, 300), "gamma": NINE},
    ),
    "rotate_pairs": Domain(
        sizes={"n_tokens": Whole(1, 61), "n_heads": Whole(1, 41)},
        arrays={"src": Real(-99, 99), "places": Whole(0, 32_000), "speeds": Real(0, 1)},
    ),
    "half_product": Domain(
        sizes={"n_rows": Whole(1, 301), "n_cols": Whole(8, 8_200, 8)}, arrays={"weights": EIGHT, "x": EIGHT}
    ),
    "four_bit_product": Domain(
        sizes={"n_rows": Whole(2, 300, 2), "n_cols": Whole(32, 14_368, 32)},
        arrays={"packed": Whole(-128, 127), "scales": Real(0.001, 2), "x": EIGHT},
    ),
    "attention_pages": Domain(
        sizes={"n_keys": Whole(1, 1_101), "n_shared": Whole(1, 3)},
        arrays={"q": Real(-3, 3)},
        inputs=(Input("NaN behind the last key", cache(41, 2), nan_behind),),
    ),
    "merge_splits": Domain(
        sizes={"n_splits": Whole(1, 301), "n_heads": Whole(1, 71)},
        arrays={"parts": NINE, "logs": Real(-200, 200)},
        inputs=(
            Input("one split far above the others", {"n_splits": 301, "n_heads": 5}, one_split_far_above),
            Input("all logarithms far below 0", {"n_splits": 9, "n_heads": 2}, far_below_zero),
        ),
    ),
    "choose_token": Domain(  # a share or a chance on the edge of two words is decided by rounding: `make` avoids it
        sizes={"n_texts": Whole(1, 21), "n_words": Whole(1, 1_031)},
        inputs=(
            Input("all logits equal", texts(3, 70), all_equal),
            Input("one word far above all others", texts(3, 70), one_far_above),
            Input("the most likely word alone", texts(8, 33), few_words_left),
            Input("cold and hot", texts(10, 33), cold_and_hot),
            Input("more words than 14 bits count", texts(1, 16_411), last_of_all),
            Input("weights that 16 bits round down, then up", texts(1, 4_099), half_down_half_up),
        ),
    ),
    "check_draft": Domain(
        sizes={"n_texts": Whole(1, 21), "n_drafted": Whole(1, 31), "n_words": Whole(2, 1_031)},
        inputs=(
            Input("a draft that no word of stays", drafts(3, 4, 70), nothing_in_common),
            Input("a draft that hardly differs", drafts(2, 3, 64), hardly_apart),
            Input("more words than 16 bits count", drafts(1, 1, 65_543), last_of_many),
        ),
    ),
    "share_batch": Domain(
        sizes={"n_texts": Whole(1, 301), "n_slots": Whole(1, 41)},
        inputs=(
            Input("all arrive at once", crowd(40, 4), all_at_once),
            Input("hardly anybody at the same time", crowd(30, 3), far_apart),
            Input("one that needs all pages", crowd(21, 5), one_needs_all),
        ),
    ),
}
