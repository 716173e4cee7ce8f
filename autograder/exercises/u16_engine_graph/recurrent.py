"""Contract of unit 16 for a recurrent layer: a step of an LSTM in one kernel."""

from __future__ import annotations

from autograder.contract import Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u16_engine_graph import step_slips as slips
from autograder.exercises.u16_engine_graph import step_values as data
from autograder.exercises.u16_engine_graph.graphs import UNIT
from autograder.exercises.u16_engine_graph.step_values import STEP
from autograder.exercises.u16_engine_graph.values import at_work

LSTM_STEP = Exercise(
    id="engine_graph.lstm_step",
    unit=UNIT,
    title="A step of an LSTM in one kernel",
    task="One step of an LSTM. Four sums per unit, i, o, f and g in this order of columns: bias + x w + h r. Then "
    "new_c = sigmoid(f) c + sigmoid(i) tanh(g) and new_h = sigmoid(o) tanh(new_c). One thread per unit and row: x of "
    "the grid along the units, y down the rows. The sums stay in registers.",
    function="lstm_step",
    arguments=data.STEP_ARGUMENTS,
    make=data.make_step,
    oracle=data.stepped,
    bound=data.step_bound,
    rounds=True,
    cases=data.STEP_CASES,
    launch=data.a_thread_per_unit,
    points=3,
    topics=("E21", "E5"),
    free_sizes=("n_rows", "n_in", "n_units"),
    cost=data.step_cost,
    budgets=(at_work(4 * 40, STEP, "each of 40 units has a thread of its own in each of 4 rows"),),
    slips=slips.STEP,
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={
        "global_store_bytes": lambda at: n(at["n_rows"] * at["n_units"], "unit") * n(2, "array") * n(4, "byte"),
    },
    guesses={"line": Guess("line", "the line of the draft that its verdict names")},
    predict_case=STEP,
    example=data.step(1, 1, 2),
    shown=data.one_unit,
    as_made=("x", "h", "w", "r", "bias"),
    why="Four products with one input are the horizontal fusion of rung 5, and what follows them on each unit is the "
    "vertical one of rung 3: the sums never leave their registers, and x and h are loaded for all four at once.",
)
