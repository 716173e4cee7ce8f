"""What may come in unit 14."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u14_attention.attention_values import make_attention
from autograder.exercises.u14_attention.tensor_values import SIDE, make_tensor
from autograder.exercises.u14_attention.values import WARP, make_softmax
from autograder.running.cases.domain import LARGEST, SUMMED, Domain, Input, Promises, Real, Whole

LONG_ROWS = {"n_rows": Whole(1, 201), "n_cols": Whole(1, 8_301)}


def one_far_above(sizes: Sizes, rng: np.random.Generator) -> Values:
    """In each row one number far above all others, at another place: whoever misses it takes powers past float32."""
    values, row = make_softmax(sizes, "exact", rng), np.arange(sizes["n_rows"])
    values["src"][row, (16 * row + 5) % sizes["n_cols"]] = 300
    return values


SHARES = Domain(
    sizes=LONG_ROWS,
    arrays={"src": Real(-1e30, 1e30, also=(-np.inf, -LARGEST, 0.0, 5.0))},
    inputs=(Input("one number far above the others", {"n_rows": 9, "n_cols": 131}, one_far_above),),
)


def later_keys_count_more(make: Callable, side: int) -> Callable[[Sizes, np.random.Generator], Values]:
    """In each tile of keys the scores lie 1 or more above those of the tile before: what was added up so far shrinks
    each time. side: of a tile."""

    def values_of(sizes: Sizes, rng: np.random.Generator) -> Values:
        values = make(sizes, "exact", rng)
        values["q"][:, :, 0], values["k"][:, :, 0] = 8, np.arange(sizes["n"]) // side
        return values

    return values_of


FAR = Real(-300, 300)
ATTENTION = Domain(
    sizes={"n_heads": Whole(1, 9), "n": Whole(1, 137)},
    arrays={"q": FAR, "k": FAR, "v": FAR},
)

IN_TILES = replace(
    ATTENTION,
    inputs=(
        Input(
            "tiles of keys, the last ones highest",
            {"n_heads": 1, "n": 457},
            later_keys_count_more(make_attention, WARP),
        ),
    ),
)

DOMAINS = {
    "bias_gelu_residual": Domain(
        sizes=LONG_ROWS, arrays={"src": Real(-1e6, 1e6, also=(-3.6, 0.0, 3.6)), "bias": SUMMED, "residual": SUMMED}
    ),
    "layer_norm": Domain(
        sizes={"n_rows": Whole(1, 201), "n_cols": Whole(1, 1_024)},
        arrays={"src": Real(-3_000, 3_000), "gamma": SUMMED, "beta": SUMMED},
    ),
    "softmax_safe": SHARES,
    "softmax_online": SHARES,
    "attention_naive": replace(ATTENTION, long=({"n_heads": 4_100, "n": 64},)),  # more than 65,535 blocks of four rows
    "attention_flash": IN_TILES,
    "attention_causal": IN_TILES,
    "attention_tensor": replace(
        ATTENTION,
        sizes={"n_heads": Whole(1, 5), "n": Whole(1, 201)},
        inputs=(
            Input(
                "tiles of keys, the last ones highest",
                {"n_heads": 1, "n": 777},
                later_keys_count_more(make_tensor, SIDE),
            ),
        ),
    ),
}

PROMISES = {
    "attention_naive": Promises(exactly={"kernel_launches": "At most three launches"}),
}
