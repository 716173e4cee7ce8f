"""Contract of unit 16 for layers that work on single elements: a chain of them in one launch."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u16_engine_graph import chain_slips as slips
from autograder.exercises.u16_engine_graph import chain_values as data
from autograder.exercises.u16_engine_graph.chain_values import CHAIN
from autograder.exercises.u16_engine_graph.graphs import UNIT
from autograder.exercises.u16_engine_graph.values import at_work

RUN_CHAIN = Exercise(
    id="engine_graph.run_chain",
    unit=UNIT,
    title="A chain of layers in one launch",
    task="Run a program on every element. It begins with arrays[0, i]; step (op, at) then adds arrays[at, i] (op 0), "
    "multiplies by it (1), adds numbers[at] (2), multiplies by it (3), makes it at least numbers[at] (4) or at most "
    "numbers[at] (5). One thread per element, which stores once.",
    function="run_chain",
    arguments=data.CHAIN_ARGUMENTS,
    make=data.make_chain,
    oracle=data.chained,
    bound=data.chain_bound,
    cases=data.CHAIN_CASES,
    launch=data.one_thread_each,
    points=2,
    topics=("E5",),
    free_sizes=("n", "n_steps"),
    one_infinity=False,
    cost=data.chain_cost,
    budgets=(
        Budget(
            "global_store_bytes",
            4 * 1025,
            CHAIN,
            "1,025 elements are stored once, after the last step",
            "stored_each_step",
        ),
        at_work(1025, CHAIN, "each of 1,025 elements has a thread of its own"),
    ),
    slips=slips.CHAIN,
    predictions={"global_load_requests": "global_load_requests", "global_store_bytes": "global_store_bytes"},
    reasons={
        "global_load_requests": lambda at: (
            n(33, "warp with an element", "warps with an element")
            * (n(1, "element") + n(at["n_steps"], "step") * n(3, "load"))
        ),
        "global_store_bytes": lambda at: n(at["n"], "element") * n(4, "byte"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(min(max(7, 0), 6), max(min(7, 6), 0), max(-7, 0)) prints: ReLU6 of 7 in two ways, and of -7",
            ("print(min(max(7, 0), 6), max(min(7, 6), 0), max(-7, 0))",),
            "at least 0, at most 6: where the lower end is the smaller one, the order does not matter",
        )
    },
    predict_case=CHAIN,
    example=data.chain(8, 3),
    why="An element is loaded once and stored once, however many layers there are: in between it stays in a register. "
    "The program is the same for all threads, so all lanes of a warp take the same branch.",
)
