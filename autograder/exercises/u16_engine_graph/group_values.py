"""Inputs, oracle and cases of unit 16's fuse_groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u16_engine_graph.graphs import ADD, CONSTANT, CONV, INPUT, NONE, POOL, RELU, row, table

OUTPUTS = Argument("outputs", "in", "int64", "(n_outputs,)", "the layers whose results the network gives")
TIDY = [
    row(INPUT),
    row(CONV, 0, channels=8, kernel=3, pad=1, weights=1),
    row(CONSTANT, channels=8, weights=2),
    row(ADD, 1, 2),  # a bias
    row(RELU, 3),
    row(CONV, 4, channels=8, kernel=3, pad=1, weights=3),
    row(CONSTANT, channels=8, weights=4),
    row(ADD, 5, 6),
    row(ADD, 7, 4),  # a residual
    row(RELU, 8),
    row(POOL, 9, kernel=2, stride=2),
    row(RELU, 10),
    row(CONV, 9, channels=8, weights=5),  # layer 9 has other readers, too
    row(RELU, 9),
    row(ADD, 12, 13),
    row(CONV, 11, channels=8, weights=6),
    row(ADD, 2, 15),  # a constant first
    row(RELU, 16),  # of an output
    row(ADD, 17, 11),
    row(RELU, 14),
    row(RELU, 0),  # of the input
    row(ADD, 9, 20),
    row(POOL, 18, kernel=2, stride=2),  # of a result that nobody else reads
]
MIDDLE = 16  # an output with a reader


def make_groups(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A tidy graph, its outputs, and room for the kernels."""
    n_layers = sizes["n_layers"]
    rows = list(TIDY)
    while len(rows) < n_layers:
        a, b = sorted(int(rng.integers(max(0, len(rows) - 5), len(rows))) for _ in range(2))
        kind_of_layer = int(rng.choice([RELU, RELU, ADD, ADD, ADD, CONV, POOL]))
        if kind_of_layer == ADD and a != b:
            rows.append(row(ADD, *rng.permutation([a, b]).tolist()))
        elif kind_of_layer == RELU:
            rows.append(row(RELU, b))
        else:
            rows.append(row(CONV, b, channels=8, kernel=3, pad=1, weights=len(rows)))
    outputs = [MIDDLE] * (n_layers > MIDDLE + 1) + [n_layers - 1]
    layers = table(rows, n_layers)
    return {"layers": layers, "outputs": np.array(outputs, np.int64), "kernel": np.full(n_layers, NONE, np.int64)}


@dataclass(frozen=True)
class Grouping:
    """What of the rules is followed; all of them, for a right answer."""

    readers: bool = True  # of what is joined there is one
    most_readers: int = 1
    outputs: bool = True  # are stored, so nobody joins them
    own_outputs: bool = False  # asked whether the layer itself is one
    element_wise_alone: bool = True  # convolutions and pooling join nothing
    pooling: bool = False  # joins, too
    sums: bool = True  # join, too
    both_operands: bool = True
    first_before_second: bool = True
    whole_chain: bool = True  # the kernel of the operand, not the operand
    given_apart: bool = True  # what is given is made by no kernel


RIGHT = Grouping()


def grouped(values: Values, ways: Grouping = RIGHT) -> dict:
    """kernel, (n_layers,) int64: the first layer of the kernel that makes each result, -1 for what is given."""
    layers, outputs = values["layers"].tolist(), values["outputs"].tolist()
    reads = [[at for at in layer[1:3] if 0 <= at < i] for i, layer in enumerate(layers)]
    n_readers = np.bincount([at for operands in reads for at in operands], minlength=len(layers))
    joining = {RELU, *([ADD] * ways.sums), *([POOL] * ways.pooling)}
    kernel = list(range(len(layers)))
    for i, (kind, *_) in enumerate(layers):
        if kind in (INPUT, CONSTANT):
            kernel[i] = NONE if ways.given_apart else i
            continue
        operands = reads[i] if ways.both_operands else reads[i][:1]
        for at in operands if ways.first_before_second else operands[::-1]:
            alone = n_readers[at] <= ways.most_readers or not ways.readers
            stored = (i if ways.own_outputs else at) in outputs and ways.outputs
            made = kernel[at] >= 0
            if alone and made and not stored and (kind in joining or not ways.element_wise_alone):
                kernel[i] = kernel[at] if ways.whole_chain else at
                break
    return {"kernel": np.array(kernel, np.int64)}


GROUP_CASES = tuple(Case({"n_layers": n_layers}, trace=False) for n_layers in (10, 15, 23, 1, 5, 40))
