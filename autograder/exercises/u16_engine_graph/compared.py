"""Where an answer's graph first differs from the right one, layer by layer, and the rule that decides about that layer.

Each takes the arguments and what came out, whole numbers of the right shape that may be any, and returns a sentence; ""
where nothing differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.contract import Values
from autograder.exercises.u16_engine_graph.graphs import (
    ADD,
    CONCAT,
    CONSTANT,
    CONV,
    FLATTEN,
    IDENTITY,
    INPUT,
    POOL,
    RELU,
)
from autograder.exercises.u16_engine_graph.group_values import grouped
from autograder.exercises.u16_engine_graph.shape_values import inferred
from autograder.exercises.u16_engine_graph.tidy_values import LEFT_OUT, RIGHT, RUNS, STORED, cleaned, known, replaced
from autograder.words import listed

NAMES = {INPUT: "the input", CONSTANT: "a constant", IDENTITY: "an identity", RELU: "a ReLU", ADD: "a sum"}
NAMES |= {CONCAT: "a concatenation", FLATTEN: "a flattening", CONV: "a convolution", POOL: "a pooling"}
COLUMNS = ("channels", "kernel", "stride", "padding", "weights")  # of a row, after its operands
HAPPENS = {LEFT_OUT: "is left out", STORED: "is stored", RUNS: "runs"}
SHOULD = {LEFT_OUT: "be left out, fate 0", STORED: "be stored, fate 1", RUNS: "run, fate 2"}
Layers = list[list[int]]


def of_shapes(values: Values, got: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    """For infer_shapes."""
    right, layers = inferred(values), values["layers"].tolist()
    wrong = np.flatnonzero((got["shapes"] != right).any(axis=1))
    if not wrong.size:
        return ""
    i = int(wrong[0])
    kind, *_operands, channels, kernel, stride, pad, _weights = layers[i]
    reads = [f"layer {at} has {_tuple(right[at])}" for at in known(layers[i], i)]
    row = [f"channels {channels}"] * (kind == CONV) + [f"kernel {kernel}, stride {stride}, padding {pad}"]
    because = listed([*reads, *(row if kind in (CONV, POOL) else [])])
    end = f": {because}" if because else ""
    return (
        f"{_layer(layers, i)}, has {_tuple(got['shapes'][i])} in your answer, and should have {_tuple(right[i])}{end}."
    )


def of_cleaning(values: Values, got: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    """For clean_graph: forwards where layers stand for others, then backwards where they run or not."""
    right, layers = cleaned(values), values["layers"].tolist()
    stands_for = right["stands_for"].tolist()
    if (wrong := np.flatnonzero(got["stands_for"] != stands_for)).size:
        i = int(wrong[0])
        mine = int(got["stands_for"][i])
        says = f"{_layer(layers, i)}, stands for {_whom(mine, i)} in your answer, and should stand for"
        return f"{says} {_whom(stands_for[i], i)}: {_why_it_stands(layers, stands_for, i, mine)}."
    if (wrong := np.flatnonzero(got["fate"] != right["fate"])).size:
        i = int(wrong[-1])
        mine, wanted = (int(fate[i]) for fate in (got["fate"], right["fate"]))
        says = f"{_layer(layers, i)}, {HAPPENS.get(mine, f'has fate {mine}')} in your answer"
        why = _why_it_runs(values, stands_for, right["fate"].tolist(), i)
        return f"{says}, and should {SHOULD[wanted]}: {why}."
    return ""


def _why_it_stands(layers: Layers, stands_for: list[int], i: int, mine: int) -> str:
    """The rule by which layer i stands for what it does. mine: what an answer has in its place."""
    kind, reads = layers[i][0], known(layers[i], i)
    if kind == IDENTITY:
        return f"its operand, layer {reads[0]}, stands for {_whom(stands_for[reads[0]], reads[0])}"
    if kind == RELU and layers[stands_for[reads[0]]][0] == RELU:
        return f"its operand, layer {reads[0]}, stands for {_whom(stands_for[reads[0]], reads[0])}, which is a ReLU"
    if stands_for[i] < i:
        return f"once operands are replaced, its row is that of layer {stands_for[i]}"
    if not (0 <= mine < i and layers[mine][0] == kind):
        return "it is no identity and no ReLU of a ReLU, and no earlier row equals its own once operands are replaced"
    operands = [[stands_for[at] for at in known(layers[one], one)] for one in (i, mine)]
    columns = zip(COLUMNS, layers[i][3:], layers[mine][3:], strict=True)
    differs = ["operands"] * (operands[0] != operands[1]) + [name for name, a, b in columns if a != b]
    return f"layer {mine} has other {listed(differs)}"


def _why_it_runs(values: Values, stands_for: list[int], fate: list[int], i: int) -> str:
    """The rule that decides whether layer i runs."""
    layers = values["layers"].tolist()
    readers = [j for j in range(i + 1, len(layers)) if i in {stands_for[at] for at in known(layers[j], j)}]
    running = [j for j in readers if fate[j] == RUNS]
    is_output = stands_for[int(values["output"])] == i
    if fate[i] == LEFT_OUT and stands_for[i] != i:
        return f"layer {stands_for[i]} is read in its place"
    if fate[i] == LEFT_OUT:
        return (
            f"nothing that runs reads it, {_numbered(readers)} being stored or left out"
            if readers
            else "nobody reads it"
        )
    needed = "the output needs it" if is_output else f"{_numbered(running)}, which has to run, reads it"
    if layers[i][0] == CONSTANT:
        return f"{needed}, and a constant is stored"
    constant = replaced(layers, RIGHT)[1]
    if constant[i]:
        return f"{needed}, and all that it reads, {_numbered(known(layers[i], i))}, comes from constants alone"
    return f"{needed}, and the input changes it"


def of_groups(values: Values, got: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    """For fuse_groups."""
    right, layers = grouped(values)["kernel"].tolist(), values["layers"].tolist()
    wrong = np.flatnonzero(got["kernel"] != right)
    if not wrong.size:
        return ""
    i = int(wrong[0])
    says = f"{_layer(layers, i)}, has kernel {int(got['kernel'][i])} in your answer, and should have {right[i]}"
    return f"{says}: {_why_it_joins(layers, values['outputs'].tolist(), right, i)}."


def _why_it_joins(layers: Layers, outputs: list[int], kernel: list[int], i: int) -> str:
    """The rule by which layer i joins a kernel or begins one."""
    if layers[i][0] in (INPUT, CONSTANT):
        return "what is given has no kernel, so it is -1"
    if layers[i][0] not in (RELU, ADD):
        return "only a sum and a ReLU work element by element; every other layer begins a kernel"
    n_readers = np.bincount([at for j, row in enumerate(layers) for at in known(row, j)], minlength=len(layers))
    reasons: list[str] = []
    for at in known(layers[i], i):
        known_of_it = {
            "is given, and no kernel makes it": kernel[at] < 0,
            f"has {n_readers[at]} readers": n_readers[at] > 1,
            "is an output": at in outputs,
        }
        against = [words for words, holds in known_of_it.items() if holds]
        if not against:
            return "; ".join(
                [*reasons, f"layer {at} has no other reader and is no output, and kernel {kernel[at]} makes it"]
            )
        reasons.append(f"layer {at} {against[0]}")
    return f"{'; '.join(reasons)}; so it begins a kernel" if reasons else "it reads nothing, so it begins a kernel"


def _layer(layers: Layers, i: int) -> str:
    """Layer i with its kind and its operands, as in "Layer 7, a sum of 5 and 6"."""
    reads = listed([str(at) for at in known(layers[i], i)])
    return f"Layer {i}, {NAMES.get(layers[i][0], f'of kind {layers[i][0]}')}{' of ' if reads else ''}{reads}"


def _whom(j: int, i: int) -> str:
    return "itself" if j == i else f"layer {j}"


def _numbered(numbers: list[int]) -> str:
    """Layers by their numbers, as in "layer 3" and "layers 3 and 4"."""
    return f"layer{'s' * (len(numbers) > 1)} {listed([str(one) for one in numbers])}"


def _tuple(shape: np.ndarray) -> str:
    return f"({', '.join(str(int(one)) for one in shape)})"
