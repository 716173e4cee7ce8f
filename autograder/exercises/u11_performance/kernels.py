"""Contracts of unit 11 whose answers are kernels: work that need not wait, and numbers wider than they must be."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u11_performance import slips
from autograder.exercises.u11_performance import values as data
from autograder.exercises.u11_performance.values import UNIT

POINTS = {"n": 3001, "terms": 9}
CHAINS = {"n": 1100, "cells": 997, "steps": 12}
GRID = {"n": 3001, "n_cols": 7}

POLY_FOUR = Exercise(
    id="performance.poly_four",
    unit=UNIT,
    title="Four chains at once",
    task="out[i] is the polynomial with these coefficients at x[i], the highest power first. Each thread works on "
    "four points, a grid apart, in one loop over the coefficients.",
    function="poly_four",
    arguments=(
        Argument("coefficients", "in", "float32", "(terms,)", "of the highest power first, of the constant last"),
        Argument("x", "in", "float32", "(n,)", "the points"),
        Argument("out", "out", "float32", "(n,)", "the polynomial at each point"),
    ),
    make=data.make_poly,
    oracle=data.poly,
    bound=data.poly_bound,
    cases=data.POLY_CASES,
    launch=data.a_quarter_of("x"),
    points=4,
    topics=("B9", "C4", "C5"),
    naive="poly_one",
    naive_launch=data.one_each("x"),
    cost=data.poly_cost,
    speed=SpeedPolicy(points=1, sizes_for=lambda n_bytes: {"n": n_bytes // 8}),
    budgets=(
        Budget(
            "independent_operations",
            4,
            POINTS,
            "Four running values that do not wait for one another are four operations under way at once.",
            "one_chain",
            floor=True,
        ),
        Budget(
            "global_store_sectors_per_request",
            5,
            POINTS,
            "Points that lie a grid apart let 32 lanes store 32 neighbours.",
            "uncoalesced",
        ),
    ),
    slips=slips.POLY,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: n(at.warps, "warp") * (n(at["terms"], "coefficient") + n(4, "point")),
    },
    predict_case=POINTS,
    example={"n": 8, "terms": 3},
    why="Four values that do not need one another are under way at once: while one waits for its last step, "
    "three others go on. One loaded coefficient serves all four points.",
)

FOLLOW_FOUR = Exercise(
    id="performance.follow_four",
    unit=UNIT,
    title="Hide the latency",
    task="Follow each chain for the given number of steps: ends[i] is where one comes to from starts[i], going from "
    "cell p to cell succ[p] in each step. Each thread follows four chains, a grid apart, side by side.",
    function="follow_four",
    arguments=(
        Argument("succ", "in", "int32", "(cells,)", "the cell that follows each cell"),
        Argument("starts", "in", "int32", "(n,)", "where each chain begins"),
        Argument("steps", "scalar", "int64", "", "steps to take, 0 or more"),
        Argument("ends", "out", "int32", "(n,)", "where each chain has come to"),
    ),
    make=data.make_chains,
    oracle=data.ends_of_chains,
    cases=data.CHAIN_CASES,
    launch=data.a_quarter_of("starts"),
    points=3,
    topics=("C5", "A6"),
    cost=data.chains_cost,
    budgets=(
        Budget(
            "independent_loads",
            4,
            CHAINS,
            "Four chains that are followed side by side are four loads under way at once.",
            "one_load_at_a_time",
            floor=True,
        ),
    ),
    slips=slips.CHAINS,
    guesses={
        "index": Guess(
            "index",
            "the chain whose end thread 5 of block 1 stores second",
            (1, 5, "ends", 1),
            "thread 5 of block 1 is thread 261 of 512, and its second chain is 512 further on: T is the threads of the "
            "launch, also of those that have fewer chains",
        )
    },
    predict_case=CHAINS,
    example={"n": 8, "cells": 8, "steps": 2},
    why="Four chains per thread are four loads under way, so a step of all four takes about as long as a step of "
    "one. Each chain still waits for its own last load: latency is hidden, not shortened.",
)

STANDARDISE = Exercise(
    id="performance.standardise",
    unit=UNIT,
    title="Find the bug: numbers wider than they must be",
    task="Repair the draft: out[i] = (src[i] - mean[c]) * factor[c], and 0 where that is negative; c is the column of "
    "element i in rows of n_cols. No line may compute in double precision, and none may divide 64-bit integers.",
    function="standardise",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "rows of n_cols elements, one after the other; below 2^31 of them"),
        Argument("mean", "in", "float32", "(n_cols,)", "of each column"),
        Argument("factor", "in", "float32", "(n_cols,)", "of each column"),
        Argument("n_cols", "scalar", "int64", "", "elements per row, 1 or more"),
        Argument("out", "out", "float32", "(n,)", "the scaled elements, none of them negative"),
    ),
    make=data.make_table,
    oracle=data.standardised,
    bound=data.standardised_bound,
    cases=data.TABLE_CASES,
    launch=data.one_each("src"),
    points=3,
    topics=("C7",),
    cost=data.table_cost,
    budgets=(
        Budget(
            "int64_divisions",
            0,
            GRID,
            "The remainder of 64-bit integers takes a long sequence of instructions; that of 32-bit ones a short one.",
            "int64_arithmetic",
        ),
    ),
    slips=slips.TABLE,
    guesses={"line": Guess("line", "the line of the draft that the verdict names first")},
    example={"n": 8, "n_cols": 4},
    why="float32(0) keeps the maximum in single precision, and two uint32 make a 32-bit remainder. The results "
    "are the same; the instructions are fewer.",
)
