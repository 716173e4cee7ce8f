"""What may come in unit 17."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u17_engine_int8.range_values import make_percentile
from autograder.running.cases.domain import ANY_BLOCK, ANY_BLOCK_2D, LARGEST, SUMMED, Domain, Input, Real, Whole

SCALE = Real(0.001, 8)
WORDS = Whole(-(1 << 31), (1 << 31) - 1)
SIZES = {"n_rows": Whole(1, 301), "n_words": Whole(1, 1_031), "n_cols": Whole(1, 301)}


def tiny_rows(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Weights far below 1, and each row further than the one before it."""
    n_out, n_in = sizes["n_out"], sizes["n_in"]
    weights = rng.uniform(-1, 1, (n_out, n_in)) * 10.0 ** -(5 + np.arange(n_out))[:, None]
    return {"weights": weights.astype(np.float32), "scales": np.zeros(n_out, np.float32)}


def empty_at_the_end(sizes: Sizes, rng: np.random.Generator) -> Values:
    """All magnitudes are among the first bins, and the whole of them is asked for."""
    values = make_percentile(sizes, "exact", rng)
    values["counts"][sizes["n_bins"] // 2 :] = 0
    values["counts"][0] += 1 << 25
    return values


def one_short_of_the_share(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Billions of magnitudes, and the first bin is one of them short of the share: float32 does not see it."""
    values = make_percentile(sizes, "exact", rng)
    reached = sizes["share"] * 1_000_000
    values["counts"][:] = 0
    values["counts"][:3] = reached - 1, 1, 10_000_000_000 - reached
    return values


DOMAINS = {
    "quantise": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(1, 70_003)},
        scalars={"scale": SCALE},
        arrays={"real": Real(-2_000, 2_000, also=(np.inf, -np.inf, np.nan, -0.0, LARGEST, -LARGEST))},
    ),
    "channel_scales": Domain(
        sizes={"n_out": Whole(1, 301), "n_in": Whole(1, 33_001)},
        arrays={"weights": Real(-1e6, 1e6, also=(0.0, 1e-7))},
        inputs=(Input("tiny rows", {"n_out": 8, "n_in": 40}, tiny_rows),),
    ),
    "fold_batch_norm": Domain(
        sizes={"n_out": Whole(1, 301), "n_in": Whole(1, 301)},
        scalars={"eps": Real(1e-5, 0.1)},
        arrays={
            "weights": SUMMED,
            "bias": SUMMED,
            "gamma": SUMMED,
            "beta": SUMMED,
            "mean": SUMMED,
            "variance": Real(0, 1_000),
        },
    ),
    "percentile_range": Domain(
        sizes={"n_bins": Whole(1, 5_003)},
        scalars={"width": Real(0.01, 9)},
        arrays={"counts": Whole(1, 1 << 40, also=(0,))},
        inputs=(
            Input("empty bins at the end", {"n_bins": 41, "share": 10_000}, empty_at_the_end),
            Input("one short of the share", {"n_bins": 5, "share": 9_900}, one_short_of_the_share),
        ),
    ),
    "range_errors": Domain(
        sizes={"n_bins": Whole(1, 4_101), "n_tried": Whole(1, 301)},
        scalars={"width": Real(0.01, 2)},
        arrays={"counts": Whole(0, 1 << 20), "tried": Real(0.01, 100)},
    ),
    "int8_products": Domain(blocks=ANY_BLOCK_2D, sizes=SIZES, arrays={"a": WORDS, "b": WORDS}),
    "int8_layer": Domain(
        blocks=ANY_BLOCK_2D,
        sizes=SIZES,
        scalars={"residual_multiplier": Real(0, 2), "low": Real(-128, 0), "high": Real(0, 127)},
        arrays={"addend": Real(-1e6, 1e6), "residual": Whole(-128, 127)},
    ),
    "fake_quantise": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(1, 70_003)},
        scalars={"scale": SCALE},
        arrays={"real": Real(-2_000, 2_000), "upstream": SUMMED},
    ),
}
