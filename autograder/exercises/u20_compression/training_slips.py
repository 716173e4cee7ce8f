"""Wrong outputs of unit 20 that betray their cause, behind pruning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u20_compression.training_values import gradient_of, greedy, moved_by, per_byte, stepped

# masked_step


def by(step_of: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """Another step of the weights that stay. step_of: values -> (n_out, n_in)."""
    return lambda v: {"weights": np.where(v["mask"] != 0, moved_by(v, step_of(v)), 0.0)}


def whole_step(values: Values) -> np.ndarray:
    return float(values["rate"]) * gradient_of(values)


def gradient_not_masked(values: Values) -> dict:
    """The weights are masked, and moved then."""
    masked = np.where(values["mask"] != 0, values["weights"].astype(np.float64), 0.0)
    return {"weights": masked - whole_step(values)}


def gone_keep_what_they_had(values: Values) -> dict:
    """Weights that are gone were not touched."""
    return {"weights": np.where(values["mask"] != 0, stepped(values)["weights"], values["weights"])}


def of_one_sample(at: int) -> Callable[[Values], np.ndarray]:
    """The gradient of one sample alone."""
    return lambda v: float(v["rate"]) * np.outer(v["upstream"][at].astype(float), v["x"][at].astype(float))


STEP = (
    Slip(
        "mask_ignored",
        "all weights are moved: those that the mask has no 1 for are gone, and stay 0",
        lambda v: {"weights": moved_by(v, whole_step(v))},
    ),
    Slip("gradient_not_masked", "weights that are gone come back: their gradient is masked, too", gradient_not_masked),
    Slip("gone_kept", "weights that are gone keep what they had: store 0", gone_keep_what_they_had),
    Slip(
        "mask_upside_down",
        "what stays and what goes is exchanged: 1 stays",
        lambda v: {"weights": np.where(v["mask"] == 0, moved_by(v, whole_step(v)), 0.0)},
    ),
    Slip("uphill", "the step goes up the gradient: the loss falls against it", by(lambda v: -whole_step(v))),
    Slip(
        "averaged",
        "the gradient is divided by the size of the batch: upstream has that in it already",
        by(lambda v: whole_step(v) / len(v["x"])),
    ),
    Slip("rate_left_out", "the whole gradient is taken off: the step is rate times as long", by(gradient_of)),
    Slip("last_sample_only", "each gradient is that of the last sample alone: add with +=", by(of_one_sample(-1))),
    Slip(
        "first_sample_only",
        "each gradient is that of the first sample alone: the batch is added up",
        by(of_one_sample(0)),
    ),
)

# choose_ratios


def priced(price: Callable[[list[int], list[int], int], float]) -> Callable[[Values], dict]:
    """Steps by another price."""
    return lambda values: {"chosen": greedy(values, price)}


def of_all_so_far(lost: list[int], n_bytes: list[int], at: int) -> float:
    """All that the layer has lost, for all bytes that it has saved."""
    return lost[at + 1] / (n_bytes[0] - n_bytes[at + 1])


def alike_everywhere(values: Values) -> dict:
    """The smallest ratio that keeps the budget if all layers have it."""
    total = values["n_bytes"].sum(axis=0)
    return {"chosen": np.full(len(values["lost"]), int(np.argmax(total <= values["budget"])))}


def below(total: int, budget: int) -> bool:
    """The budget itself is too much."""
    return total < budget


RATIOS = (
    Slip(
        "loss_alone",
        "steps are chosen by what they lose alone: a step that saves ten times as much may lose more",
        priced(lambda lost, n_bytes, at: lost[at + 1] - lost[at]),
    ),
    Slip(
        "bytes_alone",
        "steps are chosen by the bytes they save alone: what they lose decides as well",
        priced(lambda lost, n_bytes, at: n_bytes[at + 1] - n_bytes[at]),
    ),
    Slip(
        "whole_way",
        "a step's price is that of the whole way down to it: what the layer has lost already is lost in either case",
        priced(of_all_so_far),
    ),
    Slip(
        "upside_down",
        "steps are chosen by bytes per loss, the wrong way round: the least loss per byte comes first",
        priced(lambda lost, n_bytes, at: -per_byte(lost, n_bytes, at)),
    ),
    Slip(
        "alike_everywhere",
        "every layer has the same ratio: that is what the table was measured to avoid",
        alike_everywhere,
    ),
    Slip(
        "budget_not_reached",
        "one step too many where the budget is met exactly: as many bytes as it says are fine",
        lambda v: {"chosen": greedy(v, per_byte, below)},
    ),
    Slip(
        "ties_to_the_last",
        "of equal prices the later layer goes first: the first does",
        lambda v: {"chosen": greedy(v, per_byte, last=True)},
    ),
)
