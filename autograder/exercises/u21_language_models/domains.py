"""What may come in unit 21."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u21_language_models.cache_values import cache, make_attention
from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = Real(-9, 9)
EIGHT = Real(-8, 8)


def nan_behind(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Memory that nobody has written yet may hold NaN, which is no number times 0 either."""
    return make_attention(sizes, "general", rng, np.nan)


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
    ),
}
