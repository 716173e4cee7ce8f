"""What may come in unit 20."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u20_compression.channel_values import layers, make_layers
from autograder.exercises.u20_compression.rounded_values import layer, make_rounded
from autograder.exercises.u20_compression.select_values import make_digits
from autograder.exercises.u20_compression.sparse_values import make_products, words_of
from autograder.exercises.u20_compression.training_values import layers as choice
from autograder.exercises.u20_compression.training_values import make_choices, make_step, step
from autograder.running.cases.domain import ANY_BLOCK, ANY_BLOCK_2D, Domain, Input, Real, Whole

MOST_STEPS = np.nextafter(np.float32(1 << 31), np.float32(0))  # the largest float32 that an int32 holds
HIGHEST, LOWEST = (2, 3), (0, 1)  # places of which all fours have the same


def largest_there_are(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Weights whose magnitudes are the largest that float32 has, what lies beyond them, and zeros of either sign."""
    values = make_digits(sizes, "exact", rng)
    largest = np.finfo(np.float32).max
    numbers = np.array([largest, -largest, np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-40], np.float32)
    weights = rng.choice(numbers, sizes["n"])
    return values | {"bits": weights.view(np.int32), "prefix": np.int32(0)}


def all_alike(places: tuple[int, int]):
    """Products whose fours all have these places."""

    def made(sizes: Sizes, rng: np.random.Generator) -> Values:
        values = make_products(sizes, "exact", rng)
        whole = np.broadcast_to(np.array(places), (sizes["n_rows"], sizes["n_inner"] // 4, 2))
        return values | {"places": words_of(whole)}

    return made


def first_digit_0(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Weights of which half are so small that their first digit is 0, as the prefix is, and the others are not."""
    values = make_digits(sizes, "general", rng)
    weights = values["bits"].view(np.float32)
    weights[::2] = rng.uniform(-1e-38, 1e-38, weights[::2].size)
    return values | {"prefix": np.int32(0)}


def more_than_24_bits(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Two to the 24th weights of one digit, and a few of another, among which the last that stays is."""
    counts = np.zeros(256, np.int32)
    counts[[200, 100]] = 1 << 24, 7
    keep = np.int64((1 << 24) + 3 + sizes["all_of_it"])
    return {"counts": counts, "keep": keep, "digit": np.int64(0), "left": np.int64(0)}


def one_counts(sizes: Sizes, rng: np.random.Generator) -> Values:
    """One digit alone has all the weights: the lowest, or the highest."""
    counts = np.zeros(256, np.int32)
    counts[255 * (sizes["nth"] % 2)] = 1 << 20
    keep = np.int64(1 if sizes["all_of_it"] == 0 else 1 << 20)
    return {"counts": counts, "keep": keep, "digit": np.int64(0), "left": np.int64(0)}


def hardly_larger(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Every channel is larger than the one before it, by a sixteenth in some hundreds."""
    values = make_layers(sizes, "exact", rng)
    values["weights"][:], values["shortcut"][:] = 300, 0
    values["weights"][:, 0] += np.arange(sizes["n_mid"]) / 16
    return values


def hardly_cheaper(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Large layers of which each saves a byte more than the one before it, at the same loss; one step is enough."""
    n_layers = sizes["n_layers"]
    n_bytes = np.stack([np.full(n_layers, 400_000_000), 200_000_000 - np.arange(n_layers)], axis=1)
    values = {"lost": np.tile([0, 9_000], (n_layers, 1)), "n_bytes": n_bytes}
    return values | {"budget": np.int64(n_bytes[:, 0].sum() - 1), "chosen": np.zeros(n_layers, np.int64)}


def less_than_nothing(sizes: Sizes, rng: np.random.Generator) -> Values:
    """The first layer loses nothing by its step, the last gains by it, and the budget asks for one step."""
    values = hardly_cheaper(sizes, rng)
    values["lost"][0, 1], values["lost"][-1, 1] = 0, -9
    return values


def a_dear_byte(sizes: Sizes, rng: np.random.Generator) -> Values:
    """All layers go all the way, and the last step costs thousands for a single byte."""
    values = hardly_cheaper(sizes, rng)
    values["n_bytes"][0, 1] = values["n_bytes"][0, 0] - 1
    return values | {"budget": np.int64(values["n_bytes"][:, 1].sum())}


def tiny_steps(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Rows of weights far below 1, as a dying channel has, whose steps are as small."""
    values = make_rounded(sizes, "exact", rng)
    small = np.float32(2.0) ** -np.arange(8, 8 + sizes["n_out"], dtype=np.float32)[:, None]
    return values | {"weights": values["weights"] * small, "steps": values["steps"] * small[:, 0]}


def far_beyond_their_steps(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Inputs of as many steps as an int32 counts, and no more, as the task says: all of them are cut."""
    values = make_rounded(sizes, "exact", rng)
    return values | {"x": MOST_STEPS * values["x_step"] * np.sign(values["x"])}


def infinite_where_gone(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Weights that are gone have diverged, and so has the gradient of a row that is gone whole: they become 0."""
    values = make_step(sizes, "exact", rng)
    values["mask"][-1] = 0
    values["weights"][values["mask"] == 0] = np.inf
    values["upstream"][:, -1] = np.inf
    return values


def saved_by_the_last_step(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A budget that the layers have to the byte after some steps, and one step dearer than all others by far."""
    values = make_choices(sizes, "exact", rng)
    values["lost"][0, 1:] += 9_000
    values["n_bytes"][1:, 1:] -= 32
    return values | {"budget": np.int64(values["n_bytes"][0, 0] + values["n_bytes"][1:, -1].sum())}


DOMAINS = {
    "count_digits": Domain(
        sizes={"n": Whole(1, 70_003)},
        inputs=(
            Input("the largest there are, and zeros", {"n": 300, "after": 0}, largest_there_are),
            Input("a first digit of 0", {"n": 300, "after": 1}, first_digit_0),
        ),
    ),
    "digit_of": Domain(
        inputs=(
            Input("only zeros", {"nth": 0, "all_of_it": 0}, one_counts),
            Input("one digit alone, all of it", {"nth": 1, "all_of_it": 1}, one_counts),
            Input("more weights than 24 bits count", {"nth": 1, "all_of_it": 0}, more_than_24_bits),
        ),
    ),
    "shrink_channels": Domain(
        inputs=(
            Input("all channels stay", layers(9, 9)),
            Input("as many channels as batch norm has numbers", layers(4, 2)),
            Input("one of many stays", layers(70, 1, 2, 2, 2, 2)),
            Input("one of as many others stays", layers(70, 1, 2, 2, 2, 2)),
            Input("each hardly larger than the one before it", layers(9, 4), hardly_larger),
            Input("a long layer behind a flattening", layers(33, 20, 2_100, 1, 3, 49)),
        ),
    ),
    "two_of_four": Domain(
        blocks=ANY_BLOCK,
        sizes={"n_rows": Whole(1, 301), "n_inner": Whole(32, 2_080, 32)},
        arrays={"weights": Real(-65_504, 65_504, also=(0.0, -0.0, 1.0))},
    ),
    "sparse_products": Domain(
        inputs=(
            Input("the first two of every four", {"n_rows": 128, "n_inner": 32, "n_cols": 128}, all_alike(LOWEST)),
            Input("the last two of every four", {"n_rows": 128, "n_inner": 64, "n_cols": 128}, all_alike(HIGHEST)),
            Input("many steps", {"n_rows": 128, "n_inner": 1_056, "n_cols": 128}),
        ),
    ),
    "masked_step": Domain(
        blocks=ANY_BLOCK_2D,
        sizes={"n_out": Whole(1, 301), "n_in": Whole(1, 301), "n_batch": Whole(1, 1_031)},
        scalars={"rate": Real(0.001, 2)},
        arrays={
            "weights": Real(-9, 9),
            "mask": Whole(0, 1),
            "x": Real(-9, 9),
            "upstream": Real(-9, 9, also=(0.0,)),
        },
        inputs=(Input("infinite numbers where a weight is gone", step(5, 40, 3), infinite_where_gone),),
        exact=False,
    ),
    "rounded_layer": Domain(
        blocks=ANY_BLOCK_2D,
        sizes={"n_out": Whole(1, 301), "n_in": Whole(1, 1_031), "n_batch": Whole(1, 301)},
        scalars={"x_step": Real(0.002, 2, also=(0.0,))},
        arrays={"x": Real(-99, 99), "weights": Real(-9, 9), "steps": Real(0.002, 2, also=(0.0,))},
        exact=False,
        inputs=(
            Input("tiny steps", layer(7, 9, 3, 1), tiny_steps),
            Input("numbers far beyond their steps", layer(7, 9, 3, 1), far_beyond_their_steps),
        ),
    ),
    "choose_ratios": Domain(
        inputs=(
            Input("each hardly cheaper than the one before it", choice(5, 2, 0), hardly_cheaper),
            Input("a step that gains beside one that loses nothing", choice(3, 2, 0), less_than_nothing),
            Input("a dear byte", choice(3, 2, 0), a_dear_byte),
            Input("one layer that must stay whole", choice(5, 4, 0), saved_by_the_last_step),
            Input("nothing to save", choice(7, 5, 100)),
            Input("many layers", choice(120, 10, 20)),
        ),
    ),
}
