"""Contracts of unit 16 on the host: a graph is read, checked and rewritten before anything runs."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.exercises.u16_engine_graph import (
    compared,
    group_slips,
    group_values,
    picture,
    shape_slips,
    shape_values,
    tidy_slips,
    tidy_values,
)
from autograder.exercises.u16_engine_graph.graphs import LAYERS, OUTPUT, UNIT

INFER_SHAPES = Exercise(
    id="engine_graph.infer_shapes",
    unit=UNIT,
    title="A shape for every layer",
    task="Return the shape of each layer's result, (channels, rows, columns), from the graph and the shape of its "
    "input. Where a kind is unknown, operands do not fit or have no shape, it is (-1, -1, -1), and the rest of the "
    "graph is worked out all the same.",
    function="infer_shapes",
    arguments=(
        LAYERS,
        Argument("given", "in", "int64", "(3,)", "channels, rows and columns of the input"),
        Argument("shapes", "out", "int64", "(n_layers, 3)", "the same of each layer's result, or -1"),
    ),
    make=shape_values.make_shapes,
    oracle=lambda values: {"shapes": shape_values.inferred(values)},
    kind="host",
    on_host=True,
    cases=shape_values.SHAPE_CASES,
    points=2,
    topics=("E3", "E4"),
    slips=shape_slips.SHAPES,
    compared=compared.of_shapes,
    example={"n_layers": 5},
    drawn=picture.draw,
    guesses={
        "prints": Guess(
            "prints",
            "what print((224 + 6 - 7) // 2 + 1, (112 + 2 - 3) // 2 + 1) prints: rows after ResNet's first two layers",
            ("print((224 + 6 - 7) // 2 + 1, (112 + 2 - 3) // 2 + 1)",),
            "a window of 7, padded by 3, and one of 3, padded by 1, each moved on by 2: both halve the rows",
        )
    },
    why="Each layer's shape follows from its operands' shapes, and operands stand before their readers, so one pass "
    "is enough. A layer without a shape leaves its readers without one, and no others, so all faults are told at once.",
)

CLEAN_GRAPH = Exercise(
    id="engine_graph.clean_graph",
    unit=UNIT,
    title="Layers that need not run",
    task="Return two numbers per layer. stands_for: the layer whose result is read in its place. fate: 0 where it is "
    "left out, 1 where its result is worked out once and stored, 2 where it runs. An identity stands for what its "
    "operand stands for, and so does the ReLU of a ReLU; a row equal to an earlier one, operands replaced, stands for "
    "that one. What reads constants alone is stored, and what does not lead to the output is left out.",
    function="clean_graph",
    arguments=(
        LAYERS,
        OUTPUT,
        Argument("stands_for", "out", "int64", "(n_layers,)", "the layer that is read in place of each one"),
        Argument("fate", "out", "int64", "(n_layers,)", "0 left out, 1 stored, 2 runs"),
    ),
    make=tidy_values.make_clean,
    oracle=tidy_values.cleaned,
    kind="host",
    on_host=True,
    cases=tidy_values.CLEAN_CASES,
    points=3,
    topics=("E5", "E6"),
    slips=tidy_slips.CLEAN,
    compared=compared.of_cleaning,
    example={"n_layers": 8},
    drawn=picture.draw,
    guesses={
        "prints": Guess(
            "prints",
            "what print(max(max(-2, 0), 0), max(-2, 0), min(max(-2, 0), 0)) prints: two ReLUs, one, and one with a cut",
            ("print(max(max(-2, 0), 0), max(-2, 0), min(max(-2, 0), 0))",),
            "a second ReLU meets nothing that is negative",
        )
    },
    why="One pass forwards replaces operands before it looks at a row, so what a layer stands for is settled when its "
    "readers come. One pass backwards keeps what a running layer reads; a stored one reads nothing any more.",
)

FUSE_GROUPS = Exercise(
    id="engine_graph.fuse_groups",
    unit=UNIT,
    title="Which layers share a kernel",
    task="Return for each layer the first layer of the kernel that makes its result, -1 for the input and constants. "
    "ADD and RELU join the kernel of an operand that a kernel makes, that no other layer reads and that is not an "
    "output; the first operand is tried before the second. Every other layer begins a kernel.",
    function="fuse_groups",
    arguments=(
        LAYERS,
        group_values.OUTPUTS,
        Argument("kernel", "out", "int64", "(n_layers,)", "the first layer of each one's kernel, or -1"),
    ),
    make=group_values.make_groups,
    oracle=group_values.grouped,
    kind="host",
    on_host=True,
    cases=group_values.GROUP_CASES,
    points=2,
    topics=("E5",),
    slips=group_slips.GROUPS,
    compared=compared.of_groups,
    example={"n_layers": 10},
    drawn=picture.draw,
    guesses={
        "prints": Guess(
            "prints",
            "what print(4 * 4 * 2, 4 * 4 * 2 - 3 * 4 * 2) prints: bytes per element of four kernels that read and "
            "write 4 bytes each, and of one in their place",
            ("print(4 * 4 * 2, 4 * 4 * 2 - 3 * 4 * 2)",),
            "each of the three results between them is written once and read once",
        )
    },
    why="Whatever a kernel hands to its next layer stays in a register, so it must have one reader, and nobody outside "
    "may want it. Operands stand first, so the kernel that a layer joins is known when its turn comes.",
)
