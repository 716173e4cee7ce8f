"""What may come in unit 19."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u19_engine_runtime import arena_values as arena
from autograder.exercises.u19_engine_runtime import plan_values as plans
from autograder.exercises.u19_engine_runtime import serving_values as serving
from autograder.exercises.u19_engine_runtime.budgets import edge_values as edges
from autograder.exercises.u19_engine_runtime.budgets import gain_values as gains
from autograder.exercises.u19_engine_runtime.budgets import layer_values as layers
from autograder.exercises.u19_engine_runtime.own import values as own
from autograder.exercises.u19_engine_runtime.threads.values import make_host
from autograder.exercises.u19_engine_runtime.uneven.engine import table_of
from autograder.running.cases.domain import ANY_BLOCK_2D, Domain, Input, Real, Whole


def limited(name: str) -> Callable[[Sizes, np.random.Generator], Values]:
    """Ways among which one limit decides."""
    return lambda sizes, rng: edges.make_close(name, sizes, "exact", rng)


def met_exactly(name: str) -> Callable[[Sizes, np.random.Generator], Values]:
    """Ways of which the best one meets a limit exactly."""
    return lambda sizes, rng: edges.make_met(name, sizes, "exact", rng)


def in_state(state: plans.Spoiled) -> Callable[[Sizes, np.random.Generator], Values]:
    """A longer plan to which this was done."""
    return lambda sizes, rng: plans.spoiled(state, sizes["n_weights"], rng)


def of_more(i: int) -> Callable[[Sizes, np.random.Generator], Values]:
    """An engine of other layers."""
    return lambda sizes, rng: own.asked_about(own.MORE[i], rng)


def all_at_once(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Callers who come one after the other, before the first one's patience ends: who gathers them waits for each."""
    values = make_host(sizes, "exact", rng)
    values["host"][-sizes["n_callers"] :] = np.arange(sizes["n_callers"])
    return values


def one_of_three(sizes: Sizes, rng: np.random.Generator) -> Values:
    """One sequence of three elements in a bucket of five: twice of the same shapes, with other elements."""
    return {
        "engine": table_of([5], 8),
        "tokens": rng.integers(1, 9, 3),
        "starts": np.array([0, 3], np.int64),
        "answers": np.zeros(1, np.int64),
        "runs": np.int64(0),
        "elements": np.int64(0),
    }


DOMAINS = {
    "plan_arena": Domain(
        sizes={"n": Whole(1, 91), "align": Whole(1, 513)},
        inputs=(
            Input("lives in no order", {"n": 40, "align": 32}, arena.shuffled),
            Input("others in no order", {"n": 70, "align": 1}, arena.shuffled),
            Input("tensors of one size", {"n": 50, "align": 256}, arena.all_alike),
            Input("one tensor after the other", {"n": 9, "align": 64}, arena.one_by_one),
            Input("tensors past 2 GiB", {"n": 9, "align": 64}, arena.past_two_gib),
        ),
    ),
    "tensor_lives": Domain(sizes={"n": Whole(1, 201)}),
    "load_plan": Domain(
        sizes={"n_weights": Whole(0, 2_001)},
        inputs=tuple(
            Input(f"a plan: {name}", {"n_weights": 40, "state": i}, in_state(state))
            for i, (name, state) in enumerate((plans.STATES | plans.RARE).items())
        )
        + tuple(
            Input(name, {"n_weights": 9, "state": 0}, plans.for_a_runtime(*numbers))
            for name, numbers in {
                "a runtime of version 7 on device 86": (7, 86, 7, 86),
                "a runtime of version 7 and a plan of version 3": (7, 90, 3, 90),
                "a runtime of version 12 and a plan for device 90": (12, 120, 12, 90),
            }.items()
        )
        + (Input("a long plan", {"n_weights": 40_000, "state": 0}, in_state(plans.STATES["whole"])),),
    ),
    "run_network": Domain(
        inputs=(
            Input("rows of one number", {"n_in": 1, "n_out": 2}),
            Input("many results", {"n_in": 3, "n_out": 70}),
        )
    ),
    "choose_profile": Domain(
        sizes={"n": Whole(1, 301), "n_profiles": Whole(1, 41)},
        arrays={"shapes": Whole(1, 60)},
        inputs=(Input("billions of elements", {"n": 30, "n_profiles": 5}, serving.of_many_elements),),
    ),
    "batch_uneven": Domain(
        sizes={"n": Whole(1, 151), "most": Whole(1, 33)},
        inputs=(
            Input("many lengths", {"n": 60, "most": 3, "n_ends": 12}),
            Input("many batches", {"n": 139, "most": 1, "n_ends": 2}),
            Input("other sequences of the same lengths", {"n": 1, "most": 8, "n_ends": 1}, one_of_three),
            Input("and others again", {"n": 1, "most": 8, "n_ends": 1}, one_of_three),
        ),
    ),
    "soft_threshold": Domain(
        blocks=ANY_BLOCK_2D,
        sizes={"n_images": Whole(1, 71), "n_channels": Whole(1, 141), "n_pixels": Whole(1, 1_031)},
        arrays={"x": Real(-9, 9), "thresholds": Real(0, 9)},
        exact=False,
    ),
    "threshold_plugin": Domain(
        inputs=(Input("many channels", {"n_channels": 70}), Input("one channel", {"n_channels": 1}))
    ),
    "spread_work": Domain(
        inputs=(
            Input("many devices", {"n_devices": 16, "n_requests": 200}),
            Input("few requests", {"n_devices": 6, "n_requests": 12}),
            Input("one device", {"n_devices": 1, "n_requests": 3}),
        )
    ),
    "mend_layers": Domain(
        sizes={"n": Whole(1, 301)},
        inputs=(
            Input("layers below a microsecond, on a lesser GPU", {"n": 23}, layers.layers_on(121.0, 1_800.0, 2**-10)),
            Input("layers of milliseconds, on a larger GPU", {"n": 23}, layers.layers_on(2_250.0, 8_000.0, 2**14)),
        ),
    ),
    "count_gains": Domain(
        sizes={"n": Whole(1, 61)},
        inputs=(
            Input("a lesser GPU", {"n": 23}, gains.on_gpu((2.5, 900.0, 8.0, 65.0))),
            Input("tensors past 2 GiB", {"n": 23}, gains.past_two_gib),
            Input(
                "a larger GPU, and tensors a tenth as large", {"n": 23}, gains.on_gpu((3.0, 8_000.0, 75.0, 2_250.0), 10)
            ),
        ),
    ),
    "gather_requests": Domain(
        inputs=(
            Input("many callers", {"n_callers": 40, "n_servers": 2, "most": 8}),
            Input("one batch of all callers", {"n_callers": 40, "n_servers": 1, "most": 40}, all_at_once),
            Input("more servers than callers", {"n_callers": 2, "n_servers": 4, "most": 2}),
            Input("batches of one", {"n_callers": 12, "n_servers": 3, "most": 1}),
        )
    ),
    "two_streams": Domain(
        inputs=(
            Input("many batches", {"n_batches": 150}),
            Input("one batch", {"n_batches": 1}),
            Input("two batches", {"n_batches": 2}),
            Input("one batch again", {"n_batches": 1}),
        )
    ),
    "fit_budget": Domain(
        sizes={"n": Whole(1, 301)},
        inputs=tuple(
            Input(f"{name} decides among {n}", {"n": n}, limited(name)) for name in edges.LIMITS for n in range(30, 42)
        )
        + tuple(Input(f"{name} is met exactly", {"n": 2}, met_exactly(name)) for name in edges.LIMITS),
    ),
    "own_convolution": Domain(
        inputs=tuple(
            Input(name, {"network": len(own.NETWORKS) + i}, of_more(i))
            for i, name in enumerate(("channels of many numbers", "narrow pictures", "other windows"))
        )
    ),
}
