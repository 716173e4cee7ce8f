"""Comparison: exact where it can be, a derived bound where it cannot, and never fooled by NaN."""

import numpy as np
import pytest

from autograder import exercises
from autograder.running.buffers import fresh, make_values
from autograder.running.compare import compare, moved, sum_bound, ulp_bound

F32 = np.float32


def test_equal_outputs_have_no_mismatch():
    assert compare("out", F32([1, 2, 3]), np.array([1.0, 2.0, 3.0]), dtype="float32") is None


def test_the_sign_of_a_zero_counts_only_where_values_are_moved():
    moved = compare("out", F32([1, 0.0]), np.array([1.0, -0.0]), dtype="float32", signed=True)

    assert "out[1] is 0, expected -0 (1 of 2 wrong)" == moved.says
    assert compare("out", F32([1, 0.0]), np.array([1.0, -0.0]), dtype="float32") is None


@pytest.mark.parametrize(
    ("identifier", "outputs"),
    [
        ("shared_memory.transpose_tiled", ["dst"]),
        ("convolution.im2col", ["cols"]),  # zeros past an edge are no inputs
        ("engine_int8.fake_quantise", ["gradient"]),
        ("matmul.matmul_naive", []),
    ],
)
def test_zeros_keep_their_sign_where_numbers_are_moved_and_not_where_they_are_worked_out(identifier, outputs):
    exercise = exercises.find(identifier)
    values = make_values(exercise, next(case for case in exercise.cases if case.values == "special"))

    assert outputs == moved(exercise, values, exercise.expected_of(fresh(exercise, values, None)))


def test_the_first_wrong_element_is_named_with_how_many_are_wrong():
    mismatch = compare("out", F32([1, 0, 3, 0]), np.array([1.0, 2.0, 3.0, 4.0]), dtype="float32")
    assert "out[1] is 0, expected 2 (2 of 4 wrong)" == mismatch.says


def test_a_wrong_element_of_a_matrix_has_two_indices():
    mismatch = compare("out", F32([[1, 2], [3, 0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), dtype="float32")
    assert (1, 1) == mismatch.index


def test_a_scalar_output_is_named_without_an_index():
    assert "blocks is 4, expected 5" == compare("blocks", np.int64(4), np.int64(5), dtype="int64").says


@pytest.mark.parametrize("bound", [None, 1e9], ids=["exact", "within a huge bound"])
def test_nan_never_passes_where_a_number_is_expected(bound):
    mismatch = compare("out", F32([1, np.nan]), np.array([1.0, 2.0]), bound, "float32")
    assert ("nan", (1,)) == (mismatch.reason, mismatch.index)


@pytest.mark.parametrize("bound", [None, 1e9], ids=["exact", "within a huge bound"])
def test_nan_and_infinities_pass_exactly_where_they_are_expected(bound):
    values = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare("out", F32(values), values, bound, "float32") is None
    assert [True, True, True, False] == list(
        compare("out", F32([1, -np.inf, np.inf, 1]), values, bound, "float32").wrong
    )


def test_the_wrong_shape_is_told_before_any_value():
    mismatch = compare("out", F32([1, 2]), np.array([1.0, 2.0, 3.0]), dtype="float32")
    assert "out has shape (2,), expected (3,)" == mismatch.says


def test_the_wrong_dtype_is_told_even_where_the_values_agree():
    mismatch = compare("out", np.array([1.0, 2.0]), np.array([1.0, 2.0]), dtype="float32")
    assert "out has dtype float64, expected float32" == mismatch.says


def test_an_exact_case_allows_only_the_rounding_of_the_output_type():
    expected = np.array([0.1 + 0.2])
    assert compare("out", F32([0.1 + 0.2]), expected, dtype="float32") is None
    neighbour = np.nextafter(F32(0.1 + 0.2), F32(1))
    assert compare("out", np.array([neighbour]), expected, dtype="float32") is not None


def test_a_bound_is_inclusive_and_per_element():
    got, expected = F32([1.0, 2.0]), np.array([1.5, 2.5])
    assert compare("out", got, expected, np.array([0.5, 0.5]), "float32") is None
    assert [False, True] == list(compare("out", got, expected, np.array([0.5, 0.25]), "float32").wrong)


def test_large_integers_are_compared_as_integers():
    expected = np.array([2**53 + 1])
    assert compare("out", np.array([2**53]), expected, dtype="int64") is not None


def test_empty_outputs_are_right():
    assert compare("out", np.empty(0, F32), np.empty(0), dtype="float32") is None


@pytest.mark.parametrize("order", ["sequential", "pairwise", "blocked"])
def test_any_order_of_float32_summation_is_within_the_sum_bound(order):
    terms = np.random.default_rng(7).standard_normal(4096).astype(F32)
    exact = terms.astype(np.float64).sum()
    got = {
        "sequential": lambda: np.cumsum(terms, dtype=F32)[-1],
        "pairwise": lambda: terms.sum(dtype=F32),
        "blocked": lambda: np.cumsum([np.cumsum(part, dtype=F32)[-1] for part in terms.reshape(64, 64)], dtype=F32)[-1],
    }[order]()
    bound = sum_bound(np.abs(terms.astype(np.float64)).sum(), terms.size, exact)
    assert compare("sum", F32(got), np.float64(exact), bound, "float32") is None


def test_sums_of_float16_inputs_are_outside_the_sum_bound():
    rng = np.random.default_rng(7)
    terms = rng.uniform(0.5, 1, 4096).astype(F32)
    exact = terms.astype(np.float64).sum()
    got = terms.astype(np.float16).astype(np.float64) * (1 + 2.0**-11)
    bound = sum_bound(np.abs(terms.astype(np.float64)).sum(), terms.size, exact)
    assert compare("sum", F32(got.sum()), np.float64(exact), bound, "float32") is not None


def test_an_ulp_bound_scales_with_the_result():
    bound = ulp_bound(np.array([1.0, 1024.0]), 4)
    assert 1024.0 == bound[1] / bound[0]
    assert compare("out", F32([1 + 3 * 2.0**-23]), np.array([1.0]), ulp_bound(np.array([1.0]), 4), "float32") is None
    assert (
        compare("out", F32([1 + 6 * 2.0**-23]), np.array([1.0]), ulp_bound(np.array([1.0]), 4), "float32") is not None
    )
