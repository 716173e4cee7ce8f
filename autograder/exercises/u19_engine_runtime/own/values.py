"""Inputs, oracle and cases of unit 19's own_convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.own.layers import CLIP, LEAKY, NONE, Layer, layers_of, table_of

OWN_ARGUMENTS = (
    Argument("engine", "in", "int64", "(n,)", "an engine of some layers, which the judge builds with your functions"),
    Argument(
        "taken", "out", "int64", "(n_layers,)", "1 for each layer that supports said yes to: engine.tries gives it"
    ),
    Argument("proofs", "out", "int64", "(n_layers,)", "a number made of each result of your kernel: so is this"),
)
NETWORKS: tuple[tuple[Layer, ...], ...] = (
    (Layer(), Layer(adds=1)),
    (Layer(activation=NONE), Layer(activation=CLIP), Layer(activation=LEAKY)),
    (Layer(stride=2), Layer(cols=9), Layer(dilation=2), Layer(dilation=2, pad=2)),
    (Layer(pad=0), Layer(groups=2), Layer(size=1, pad=0), Layer(size=5), Layer(size=1)),
    (Layer(quantised=0), Layer(activation=NONE, adds=1), Layer(quantised=0, adds=1)),
    (Layer(images=2, channels=40, out=33, rows=3), Layer(rows=1, cols=2, channels=3, out=1)),
    (Layer(images=3, channels=33, out=65, rows=4, cols=3, adds=1, activation=CLIP), Layer(pad=2)),
    (Layer(size=1, lopsided=1), Layer(), Layer(stride=2, lopsided=1), Layer(dilation=2, lopsided=1)),
    (Layer(pad=0, lopsided=1), Layer(), Layer(pad=2, lopsided=1)),
)
MORE: tuple[tuple[Layer, ...], ...] = (
    tuple(Layer(channels=channels, out=out) for channels, out in ((1, 97), (97, 1), (32, 32), (64, 31))),
    tuple(Layer(rows=rows, cols=cols, images=images) for rows, cols, images in ((1, 1, 1), (1, 17, 4), (17, 1, 2))),
    (Layer(channels=32, groups=32, out=32), Layer(stride=3), Layer(size=7, pad=3), Layer(dilation=3, pad=3)),
)


def engine_of(table: np.ndarray) -> Any:
    """What a call gets for its first argument: `engine.JudgedEngine`."""
    from autograder.exercises.u19_engine_runtime.own.engine import JudgedEngine

    return JudgedEngine.of(table)


def asked_about(layers: Sequence[Layer], rng: np.random.Generator) -> Values:
    """All arguments for an engine of these layers."""
    n = len(layers)
    table = table_of(int(rng.integers(0, 1_000_000)), layers)
    return {"engine": table, "taken": np.zeros(n, np.int64), "proofs": np.zeros(n, np.int64)}


def make_engine(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """One of NETWORKS, with weights of its own."""
    return asked_about(NETWORKS[sizes["network"] % len(NETWORKS)], rng)


def wired(values: Values) -> dict:
    """The layers that conv_layer computes, and their results as the engine works them out."""
    layers, proofs = layers_of(values["engine"])[1], engine_of(values["engine"]).proofs()
    taken = np.array([int(layer.is_ours) for layer in layers])
    return {"taken": taken, "proofs": taken * np.array(proofs)}


OWN_CASES = tuple(Case({"network": i}, trace=False) for i in range(len(NETWORKS)))
