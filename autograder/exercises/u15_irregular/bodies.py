"""The contract of unit 15 for bodies that attract each other, a tile of them at a time."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u15_irregular import body_slips as slips
from autograder.exercises.u15_irregular import body_values as data
from autograder.exercises.u15_irregular.values import UNIT, at_work

N = {"n": 160}

N_BODY = Exercise(
    id="irregular.n_body",
    unit=UNIT,
    title="All with all",
    task="The pull on body i is the sum over all bodies j of mass[j] (x[j] - x[i]) / d^3, and likewise for y, where "
    "d^2 is (x[j] - x[i])^2 + (y[j] - y[i])^2 + soft. One thread per body; a block of 64 takes 64 bodies at a time "
    "into shared memory.",
    function="n_body",
    arguments=(
        Argument("x", "in", "float32", "(n,)", "where the bodies are"),
        Argument("y", "in", "float32", "(n,)", "and along the other axis"),
        Argument("mass", "in", "float32", "(n,)", "their masses"),
        Argument("soft", "scalar", "float32", "", "softening, above 0: it keeps close bodies from flying apart"),
        Argument("pull_x", "out", "float32", "(n,)", "what all bodies do to each, along x"),
        Argument("pull_y", "out", "float32", "(n,)", "and along y"),
    ),
    make=data.make_bodies,
    oracle=data.pulled,
    bound=data.pull_bound,
    cases=data.BODY_CASES,
    launch=data.a_thread_per_body,
    points=3,
    topics=("D11", "A7"),
    rounds=True,
    one_infinity=False,
    cost=data.body_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            10_000,
            N,
            "each of three blocks loads 160 bodies of 12 bytes once, and each thread its own place",
            "too_much_traffic",
        ),
        at_work(160, N, "each of 160 bodies has a thread of its own"),
    ),
    slips=slips.BODIES,
    predictions={"barriers": "barriers", "global_load_bytes": "global_load_bytes"},
    reasons={
        "barriers": lambda at: n(at.blocks, "block") * n(ceil_div(at["n"], 64), "tile") * n(2, "barrier"),
        "global_load_bytes": lambda at: (
            n(at.blocks, "block") * n(at["n"], "body", "bodies") * n(12, "byte")
            + n(at["n"], "own place") * n(8, "byte")
        ),
    },
    predict_case=N,
    example={"n": 4},
    why="A body that a block has loaded serves all 64 of its threads, so loads fall by the size of a tile. Cells past "
    "the last body get a mass of 0: they pull nobody, and no lane needs a branch.",
)
