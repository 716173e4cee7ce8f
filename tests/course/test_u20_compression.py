"""What only unit 20 says, held to its kernels."""

from dataclasses import replace

import numpy as np

import simt
from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u20_compression.naive import products_one_by_one
from autograder.exercises.u20_compression.select_values import digit_of, magnitudes
from autograder.exercises.u20_compression.sparse_values import WHOLE, a_thread_per_sum, chosen, places_of, spread
from autograder.running.buffers import make_values
from benchmarks.compression_kernels import dense_products
from tests.course.profiles import counted, rows_of
from tools.check_exercises import solution_of


def exercise(name):
    return exercises.find(f"compression.{name}")


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    kernels = {
        "A": ("sparse_products", products_one_by_one, WHOLE),
        "B": ("count_digits", None, {"n": 3000, "after": 0}),
        "C": ("sparse_products", None, WHOLE),
        "D": ("two_of_four", None, {"n_rows": 16, "n_inner": 128}),
    }
    counters = "global_load_requests global_load_sectors global_store_bytes shared_load_requests".split()

    for name, *told in rows_of("20_compression"):
        function, kernel, sizes = kernels[name]
        one = exercise(function)
        if kernel is not None:
            one = replace(one, launch=a_thread_per_sum)
        assert told == counted(one, kernel, sizes, counters), name


def test_four_rounds_of_the_oracles_find_the_magnitude_that_sorting_finds():
    weights = np.random.default_rng(3).normal(size=3000).astype(np.float32)
    bits = weights.view(np.int32)
    for keep in (1, 17, 1500, 3000):
        prefix, left = 0, np.int64(keep)
        for shift in (24, 16, 8, 0):
            given = {"bits": bits, "prefix": prefix, "shift": shift, "counts": None}
            counts = exercise("count_digits").expected_of(given)["counts"]
            found = digit_of({"counts": counts, "keep": left})
            prefix, left = prefix << 8 | int(found["digit"]), found["left"]

        assert np.sort(magnitudes(bits))[-keep] == prefix


def test_what_stays_of_every_four_loses_least():
    given = make_values(exercise("two_of_four"), Case({"n_rows": 7, "n_inner": 160}))
    whole = given["weights"].astype(np.float64)
    left = spread({**given, **chosen(given)})

    magnitude = np.sort(np.abs(whole).reshape(7, 40, 4), axis=2)
    assert np.array_equal(magnitude[..., 2:].sum(axis=2), np.abs(left).reshape(7, 40, 4).sum(axis=2))
    assert set(np.unique(left - whole)) <= set(np.unique(-whole)) | {0.0}


def test_all_six_pairs_of_places_and_ties_are_in_the_data():
    products = make_values(exercise("sparse_products"), Case(WHOLE))
    pairs = {tuple(pair) for pair in places_of(products["places"]).reshape(-1, 2).tolist()}
    assert pairs == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}

    fours = np.abs(make_values(exercise("two_of_four"), Case({"n_rows": 16, "n_inner": 128}))["weights"])
    ranked = np.sort(fours.reshape(-1, 4), axis=1)
    assert 50 < np.count_nonzero(ranked[:, 1] == ranked[:, 2])  # a tie across the border


def test_of_passes_over_the_banks_an_eighth_is_gone_and_of_copied_bytes_a_fifth():
    one, values = exercise("sparse_products"), make_values(exercise("sparse_products"), Case(WHOLE))
    sparse = simt.trace(solution_of(one).load()[1], *one.launch(values), *values.values())
    whole, c = spread(values).astype(np.float16), np.zeros_like(values["c"])
    dense = simt.trace(dense_products, *one.launch(values), whole, values["b"], c)

    np.testing.assert_array_equal(values["c"], c)
    shares = [sparse.counters[name] / dense.counters[name] for name in ("shared_load_wavefronts", "global_load_bytes")]
    np.testing.assert_allclose([7 / 8, 25 / 32], shares)
