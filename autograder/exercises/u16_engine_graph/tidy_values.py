"""Inputs, oracle and cases of unit 16's clean_graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Case, Sizes, Values
from autograder.exercises.u16_engine_graph.graphs import (
    ADD,
    CONSTANT,
    CONV,
    IDENTITY,
    INPUT,
    NONE,
    RELU,
    UNTIDY,
    row,
    table,
)

LEFT_OUT, STORED, RUNS = range(3)


def make_clean(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A graph with much to be tidied, its output, and room for both results."""
    n_layers = sizes["n_layers"]
    layers, output = untidy(n_layers, rng)
    room = {name: np.full(n_layers, -1, np.int64) for name in ("stands_for", "fate")}
    return {"layers": layers, "output": np.int64(output), **room}


def untidy(n_layers: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """A graph of n_layers with much to be tidied, and its output. Of a sum's operands, the one whose result was there
    first stands first, so that a + b and b + a are never both there."""
    rows = list(UNTIDY)
    while len(rows) < n_layers:
        a, b = (int(rng.integers(max(0, len(rows) - 7), len(rows))) for _ in range(2))
        kind = int(rng.choice([CONSTANT, IDENTITY, RELU, RELU, ADD, ADD, CONV]))
        if kind == CONSTANT:
            rows.append(row(CONSTANT, channels=8, weights=int(rng.integers(1, 4))))
        elif kind == CONV:
            rows.append(row(CONV, a, channels=8, kernel=3, pad=1, weights=int(rng.integers(2, 4))))
        elif kind == ADD:
            stands_for, _ = replaced(rows, RIGHT)
            rows.append(row(ADD, *sorted((a, b), key=lambda at: stands_for[at])))
        else:
            rows.append(row(kind, a))
    return table(rows, n_layers), n_layers - 1


@dataclass(frozen=True)
class Cleaning:
    """What of the rules is followed; all of them, for a right answer."""

    identities: bool = True  # stand for their operand
    second_relus: bool = True
    all_relus: bool = False  # every ReLU does nothing
    twins: bool = True
    operands_first: bool = True  # operands are replaced before rows are compared
    chains: bool = True  # what stands for something that stands for something
    operands_in_key: bool = True
    weights_in_key: bool = True
    folds: bool = True
    one_constant: bool = False  # one constant operand is enough
    behind_folded: bool = True  # what folded layers read goes
    dead: bool = True
    output_replaced: bool = True
    operands_replaced: bool = True  # when what is needed is followed
    input_varies: bool = True
    relus_by_table: bool = False  # a ReLU's operand is looked up as the table has it


RIGHT = Cleaning()


def cleaned(values: Values, ways: Cleaning = RIGHT) -> dict:
    """stands_for and fate, (n_layers,) int64."""
    layers = values["layers"].tolist()
    stands_for, constant = replaced(layers, ways)
    output = int(values["output"])
    needed = {stands_for[output] if ways.output_replaced else output}
    fate = np.zeros(len(layers), np.int64)
    for i in reversed(range(len(layers))):
        if i in needed or not (ways.dead or stands_for[i] != i):
            fate[i] = STORED if constant[i] else RUNS
            if not constant[i] or not ways.behind_folded:
                needed |= {stands_for[at] if ways.operands_replaced else at for at in known(layers[i], i)}
    return {"stands_for": np.array(stands_for, np.int64), "fate": fate}


def known(layer: list[int], i: int) -> list[int]:
    """The operands of layer i: others are none."""
    return [at for at in layer[1:3] if 0 <= at < i]


def replaced(layers: list[list[int]], ways: Cleaning) -> tuple[list[int], list[bool]]:
    """What each layer stands for, and whether no input changes it."""
    stands_for: list[int] = []
    constant: list[bool] = []
    seen: dict[tuple, int] = {}
    for i, (kind, *operands, channels, kernel, stride, pad, weights) in enumerate(layers):
        operands = [at if at < i else NONE for at in operands]
        reads = [stands_for[at] if at >= 0 else at for at in operands]
        compared = (reads if ways.operands_first else operands) if ways.operands_in_key else ()
        key = (kind, *compared, channels, kernel, stride, pad)
        key += (weights,) if ways.weights_in_key else ()
        found = seen.setdefault(key, i) if ways.twins else i
        source = reads[0]
        asked = operands[0] if ways.relus_by_table else source
        through = stands_for[source] if ways.chains and source >= 0 else operands[0]
        if kind == IDENTITY and ways.identities:
            found = through
        if kind == RELU and (ways.all_relus or ways.second_relus and asked >= 0 and layers[asked][0] == RELU):
            found = through
        stands_for.append(found)
        kept = [constant[at] for at in reads if at >= 0]
        enough = any(kept) if ways.one_constant else all(kept)
        varies = kind == INPUT and ways.input_varies
        constant.append(kind == CONSTANT or not varies and ways.folds and enough)
    return stands_for, constant


CLEAN_CASES = tuple(Case({"n_layers": n_layers}, trace=False) for n_layers in (8, 11, 15, 21, 1, 6, 40))
