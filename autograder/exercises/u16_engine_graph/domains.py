"""What may come in unit 16."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u16_engine_graph import drawn_graphs as graphs
from autograder.exercises.u16_engine_graph.chain_values import (
    ADD_ARRAY,
    ADD_NUMBER,
    AT_LEAST,
    AT_MOST,
    N_ARRAYS,
    OF_ARRAYS,
    TIMES_ARRAY,
    TIMES_NUMBER,
    make_chain,
)
from autograder.running.cases.domain import ANY_BLOCK, SUMMED, Domain, Input, Real, Whole

MANY = {"n_layers": 90}


def any_program(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Steps of every kind that take any row of arrays, the first one too, and any number."""
    values = make_chain(sizes, "exact", rng)
    operations = rng.permutation(np.arange(sizes["n_steps"]) % 6)
    taken = np.where(
        np.isin(operations, OF_ARRAYS),
        rng.integers(0, N_ARRAYS, operations.size),
        rng.permutation(np.arange(operations.size)) % values["numbers"].size,
    )
    return {**values, "program": np.column_stack([operations, taken]).astype(np.int32)}


def each_in_turn(of_numbers: int, of_arrays: int) -> Callable[[Sizes, np.random.Generator], Values]:
    """Steps of two kinds that take every number and every row, and no end of a range that hides what came before."""

    def made(sizes: Sizes, rng: np.random.Generator) -> Values:
        values = make_chain(sizes, "exact", rng)
        steps = [(of_numbers, at) for at in range(values["numbers"].size)] + [(of_arrays, at) for at in range(N_ARRAYS)]
        if of_numbers == ADD_NUMBER:
            values["numbers"] += np.arange(values["numbers"].size, dtype=np.float32) / 16  # no sum of some is whole
        return {**values, "program": np.array(steps, np.int32)}

    return made


def far_from_zero(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Millions, and ends that lie as far out. Multiples of 2^22, so that they stay exact."""
    values = make_chain(sizes, "exact", rng)
    far = np.float32(1 << 22)
    program = np.array([[AT_LEAST, 4], [ADD_NUMBER, 2], [AT_MOST, 6]], np.int32)
    row = rng.integers(-9, 10, sizes["n"]).astype(np.float32) * far
    arrays = np.concatenate([row[None], values["arrays"][1:]])
    return {**values, "program": program, "numbers": values["numbers"] * far, "arrays": arrays}


DOMAINS = {
    "infer_shapes": Domain(
        inputs=(
            Input("small pictures", {"n_layers": 300}, graphs.drawn_shapes),
            Input("other small pictures", {"n_layers": 300}, graphs.drawn_shapes),
            Input("large pictures", {"n_layers": 11}, graphs.large_pictures),
        )
    ),
    "clean_graph": Domain(
        inputs=(
            Input("layers that are almost alike", {"n_layers": 150}, graphs.drawn_untidy),
            Input("other layers that are almost alike", {"n_layers": 150}, graphs.drawn_untidy),
        )
    ),
    "fuse_groups": Domain(
        inputs=(
            Input("long chains", MANY, graphs.drawn_groups),
            Input("other long chains", MANY, graphs.drawn_groups),
            Input("one chain", MANY, graphs.long_chain),
        )
    ),
    "run_chain": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(1, 1_101), "n_steps": Whole(0, 301)},
        arrays={"numbers": Real(-1e5, 1e5), "arrays": Real(-1e5, 1e5)},
        inputs=(
            Input("any program", {"n": 33, "n_steps": 12}, any_program),
            Input("millions", {"n": 65, "n_steps": 3}, far_from_zero),
            Input("a sum of all there is", {"n": 33, "n_steps": 12}, each_in_turn(ADD_NUMBER, ADD_ARRAY)),
            Input("a product of all there is", {"n": 33, "n_steps": 12}, each_in_turn(TIMES_NUMBER, TIMES_ARRAY)),
        ),
    ),
    "query_key_value": Domain(
        sizes={
            "n_rows": Whole(1, 1_031),
            "n_in": Whole(1, 1_031),
            "n_query": Whole(1, 1_031),
            "n_key": Whole(1, 1_031),
        },
        arrays={"x": SUMMED, "weights": SUMMED},
    ),
    "network_head": Domain(
        sizes={
            "n_images": Whole(1, 71),
            "n_channels": Whole(1, 64),
            "n_pixels": Whole(1, 3_137),
            "n_classes": Whole(1, 1_031),
        },
        arrays={"x": SUMMED, "residual": SUMMED, "weights": SUMMED, "bias": SUMMED},
        exact=False,
    ),
    "lstm_step": Domain(
        sizes={"n_rows": Whole(1, 301), "n_in": Whole(1, 261), "n_units": Whole(1, 141)},
        arrays={"x": SUMMED, "h": Real(-1, 1), "c": SUMMED, "w": SUMMED, "r": SUMMED, "bias": Real(-200, 200)},
        inputs=(
            Input("more than a thousand units", {"n_rows": 1, "n_in": 1, "n_units": 1_031}),
            Input("more than a thousand inputs", {"n_rows": 1, "n_in": 1_031, "n_units": 1}),
        ),
    ),
}
