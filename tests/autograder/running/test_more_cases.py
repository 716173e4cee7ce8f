"""Cases that nobody wrote down follow from the contract, the answer and the class's secret."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.contract import Case
from autograder.drills.tasks.neighbours import CONVOLUTION, POOL
from autograder.judge import check
from autograder.running.buffers import make_values
from autograder.running.cases.corners import DEEP, corner_cases, on_device
from autograder.running.cases.more_cases import (
    all_cases,
    drawn_sizes,
    infinity_at_the_end,
    other_launches,
    other_shapes,
)
from autograder.running.cases.named_sizes import named_sizes
from tools.check_exercises import solution_of

ADD = exercises.find("vector_add.vector_add")
SAXPY = exercises.find("indexing.saxpy")


def test_sizes_are_drawn_from_the_answer_and_the_secret():
    names = {
        (source, secret): [case.name for case in drawn_sizes(ADD, source, secret)] for source in "ab" for secret in "xy"
    }

    assert names["a", "x"] == [case.name for case in drawn_sizes(ADD, "a", "x")]
    assert 4 == len({tuple(one) for one in names.values()})


def test_one_size_is_drawn_for_a_traced_case_and_one_for_a_large_one():
    drawn = drawn_sizes(ADD, "an answer", "")

    assert [True, False] == [case.trace for case in drawn]
    assert 7919 * 7 / 8 < drawn[0].sizes["n"] < 7919 and 262_147 * 7 / 8 < drawn[1].sizes["n"] < 262_147


def test_sizes_that_are_not_free_stay():
    bound = replace(ADD, free_sizes=())

    assert () == drawn_sizes(bound, "an answer", "")


def test_other_launches_are_tried_on_the_largest_traced_case_and_have_a_name():
    promising = replace(SAXPY, launches=((1, 96),))

    assert ["n = 8192, launched as 1 x 96"] == [case.name for case in other_launches(promising)]
    assert all(case in all_cases(promising, "", "") for case in (*promising.cases, *other_launches(promising)))


def test_one_infinity_lies_at_the_end_of_an_input_where_the_contract_has_infinities():
    exercise = exercises.find("reductions.block_sum_sequential")
    (case,) = infinity_at_the_end(exercise)
    src = make_values(exercise, case)["src"]

    assert "n = 1025 (infinity at the end)" == case.name and case.demanding
    assert [1024] == list(np.flatnonzero(~np.isfinite(src)))
    assert () == infinity_at_the_end(exercises.find("indexing.invert"))


def test_rows_columns_and_squares_are_tried_that_no_case_of_the_contract_has():
    exercise = exercises.find("matmul.matmul_int8")
    row, column, square = (case.sizes for case in other_shapes(exercise))
    longest = max(max(case.sizes["n_rows"], case.sizes["n_cols"]) for case in exercise.cases)

    assert (1, 1) == (row["n_rows"], column["n_cols"]) and longest < row["n_cols"] == column["n_rows"]
    assert row["n_inner"] > max(case.sizes["n_inner"] for case in exercise.cases)  # a ring of stages comes round
    assert 128 < square["n_rows"] == square["n_cols"]  # more than one tile
    assert () == other_shapes(ADD) == other_shapes(replace(exercise, free_sizes=("n_rows",)))
    assert all(case.demanding and not case.trace for case in other_shapes(exercise))


def test_shapes_that_leave_no_output_are_no_cases():
    for exercise in (CONVOLUTION.exercise, POOL.exercise):  # without padding, a window of three and one of two rows
        (square,) = other_shapes(exercise)
        assert square.sizes["n_rows"] == square.sizes["n_cols"] > 1


def test_an_answer_that_knows_the_sizes_of_the_contract_is_wrong():
    source = """
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    n = out.size
    known = n < 1100 or n == 7919 or n == 262147
    if i < n and known:
        out[i] = a[i] + b[i]
"""
    outcome = check(
        ADD, Program(source.lstrip(), "vector_add", setup=solution_of(ADD).setup), device="simt", isolate=False
    )

    assert not outcome.passed and 0 < outcome.points < outcome.max_points, str(outcome)


@pytest.mark.parametrize("stride", ["4 * 256", "cuda.blockDim.x * 4"])
def test_an_answer_that_knows_the_launch_of_the_contract_is_wrong(stride):
    source = f"""
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, {stride}):
        y[i] = alpha * x[i] + y[i]
"""
    trusting, promising = replace(SAXPY, launches=()), replace(SAXPY, launches=((3, 96),))
    program = Program(source.lstrip(), "saxpy", setup=solution_of(SAXPY).setup)

    assert check(trusting, program, device="simt", isolate=False).passed
    assert "launched as 3 x 96" in str(check(promising, program, device="simt", isolate=False))


def test_a_case_with_a_launch_is_not_the_case_without():
    assert Case({"n": 7}).name != Case({"n": 7}, launch=(1, 32)).name


ADD_ALL_BUT = """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size and not ({left_out}):
        out[i] = a[i] + b[i]
"""


def added_but(left_out: str):
    program = Program(ADD_ALL_BUT.format(left_out=left_out), "vector_add", setup=solution_of(ADD).setup)
    return check(ADD, program, device="simt", isolate=False)


@pytest.mark.parametrize("left_out", ["i > 300_000", "out.size == 4096", "500 < out.size <= 800", "i >= 3 * 100 << 10"])
def test_an_answer_that_leaves_out_a_size_which_it_names_is_wrong_at_it(left_out):
    outcome = added_but(left_out)

    assert "wrong" in {case.status for case in outcome.cases} and not outcome.passed, str(outcome)


def test_a_right_answer_that_names_sizes_stays_right_and_one_that_names_none_has_no_more_cases():
    assert added_but("out.size < 70 and i > 300_000").passed
    assert () == named_sizes(ADD, ADD_ALL_BUT.format(left_out="i > 1 << 40 or i < -5 or i == 3 // 0"))
    assert () == named_sizes(ADD, "def vector_add(")


def test_a_number_at_which_all_pairs_would_take_for_ever_makes_no_case():
    bodies = exercises.find("irregular.n_body")

    assert [] == [case.name for case in named_sizes(bodies, "if n > 65_535:\n    pass\n")]
    assert [65_535, 65_538] == [case.sizes["n"] for case in named_sizes(ADD, "if n > 65_535:\n    pass\n")]


def test_a_function_of_the_host_is_asked_for_no_size_that_its_oracle_would_take_hours_for():
    gains = exercises.find("engine_runtime.count_gains")

    assert () == named_sizes(gains, "launches[way & 65_535] = 1")
    assert {128, 131} == {case.sizes["n"] for case in named_sizes(gains, "if n > 128:\n    pass\n")}


def sizes_named(identifier: str, source: str) -> list[dict[str, int]]:
    return [dict(case.sizes) for case in named_sizes(exercises.find(identifier), source)]


@pytest.mark.parametrize("source", ["if k0 < 256:\n    pass", "most = 256\nx = min(n, most)", "x = k0 % 2048"])
def test_a_loop_over_tiles_goes_two_iterations_past_a_number_that_the_answer_names(source):
    depths = [sizes["n_inner"] for sizes in sizes_named("matmul.matmul_wide", source)]

    assert any(depth >= 256 + 2 * 64 for depth in depths)


def test_a_number_is_tried_for_a_size_though_another_size_has_it_in_the_contract():
    matmul = exercises.find("matmul.matmul_column")
    assert any(65 == case.sizes["n_rows"] for case in matmul.cases)
    assert not any(65 == case.sizes["n_cols"] for case in matmul.cases)

    assert any(65 == sizes["n_cols"] for sizes in sizes_named(matmul.id, "if c.shape[1] == 65:\n    pass"))


def test_a_small_number_is_tried_for_a_size_that_no_case_has_so_many_of():
    blocks = [sizes["n_blocks"] for sizes in sizes_named("engine_kernels.conv_tile", "x = min(src.shape[0], 30)")]

    assert 33 in blocks and 33 > max(
        case.sizes["n_blocks"] for case in exercises.find("engine_kernels.conv_tile").cases
    )


def test_a_number_is_tried_for_a_size_of_the_domain_as_far_as_that_goes_and_in_its_steps():
    columns = [sizes["n_cols"] for sizes in sizes_named("language_models.half_product", "if c < 697:\n    pass")]

    assert 704 in columns and not any(size % 8 for size in columns)


def test_a_number_that_a_function_of_numbers_names_is_tried_among_others_that_are_drawn():
    named = sizes_named("performance.resident_warps", "if registers < 254:\n    pass")
    with_it = [sizes for sizes in named if sizes["registers"] in (254, 255)]

    assert {254, 255} == {sizes["registers"] for sizes in with_it}
    assert len({sizes["threads"] for sizes in with_it}) > 4


def test_sizes_that_are_all_large_ask_no_thread_for_more_than_a_slow_answer_gets_through():
    exercise = exercises.find("convolution.conv_direct")
    corners = corner_cases(exercise)
    large = [case.sizes for case in corners if case.corner == "value" and min(case.sizes.values()) >= 5]
    assert large

    for sizes in large:
        values = exercise.make(sizes, "exact", np.random.default_rng(0))
        assert exercise.cost(values).flops <= DEEP * values["dst"].size, sizes
    assert any(exercise.domain.sizes["k"].high == case.sizes["k"] for case in corners), "the end has a case of its own"


def test_an_input_that_not_every_gpu_has_room_for_is_for_the_interpreter_alone():
    exercise = exercises.find("atomics.shares_of_sum")
    cases = all_cases(exercise, "")

    interpreted, on_a_gpu = (on_device(exercise, cases, device) for device in ("simt", "cuda"))

    assert [*cases] == interpreted
    assert ["many blocks"] == [case.corner for case in cases if case not in on_a_gpu]
