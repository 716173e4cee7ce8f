"""What only unit 14 says, held to its kernels."""

from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u14_attention import ways
from autograder.exercises.u14_attention.attention_values import sequence
from autograder.running import buffers, run_simt
from tests.course.profiles import counted, rows_of
from tools.check_exercises import solution_of


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    kernels = {"A": "softmax_safe", "B": "softmax_online", "C": "bias_gelu_residual", "D": "layer_norm"}
    counters = "global_load_bytes shared_load_requests barriers special_functions".split()

    for name, *told in rows_of("14_attention"):
        exercise = exercises.find(f"attention.{kernels[name]}")
        assert told == counted(exercise, None, {"n_rows": 8, "n_cols": 1000}, counters), name


def test_what_three_launches_of_attention_ask_for_is_what_the_solution_asks_for():
    exercise = exercises.find("attention.attention_naive")
    values = buffers.make_values(exercise, Case(sequence(2, 33)))
    start = buffers.fresh(exercise, values, 0)

    counters = run_simt.run(exercise, solution_of(exercise).load()[1], start, traced=True, seed=0, seconds=60).counters
    cost = ways.naive_cost(values)
    assert (cost.read_bytes, cost.write_bytes) == (counters["global_load_bytes"], counters["global_store_bytes"])
