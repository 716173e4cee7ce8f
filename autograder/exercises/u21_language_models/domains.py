"""What may come in unit 21."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u21_language_models.cache_values import cache, make_attention, make_merge
from autograder.exercises.u21_language_models.choice_values import last_of_many, make_choice, settle_all, texts
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
    values["logs"][(16 * head + 5) % sizes["n_splits"], head] = 200
    return values


DOMAINS = {
    "rms_norm": Domain(
        sizes={"n_rows": Whole(1, 201), "n_cols": Whole(8, 4_104, 8)},
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
        sizes={"n_rows": Whole(2, 300, 2), "n_cols": Whole(32, 4_128, 32)},
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
        inputs=(Input("one split far above the others", {"n_splits": 131, "n_heads": 9}, one_split_far_above),),
    ),
    "choose_token": Domain(  # a share or a chance on the edge of two words is decided by rounding: `make` avoids it
        sizes={"n_texts": Whole(1, 21), "n_words": Whole(1, 1_031)},
        inputs=(
            Input("all logits equal", texts(3, 70), all_equal),
            Input("one word far above all others", texts(3, 70), one_far_above),
            Input("more words than 16 bits count", texts(1, 65_543), last_of_many),
        ),
    ),
    "check_draft": Domain(
        sizes={"n_texts": Whole(1, 21), "n_drafted": Whole(1, 31), "n_words": Whole(2, 1_031)},
        inputs=(Input("a draft that no word of stays", drafts(3, 4, 70), nothing_in_common),),
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
