"""What only unit 17 says, held to its kernels and to the engine."""

import numpy as np

from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u17_engine_int8 import range_values, values
from autograder.running.buffers import make_values
from minitrt.calibration import ranges
from minitrt.calibration.collect import scale_of
from minitrt.calibration.histogram import Histogram
from minitrt.reference.registry import saturate
from tests.course.profiles import counted, rows_of
from tests.course.released import notebook


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    product = {"n_rows": 16, "n_words": 8, "n_cols": 64}
    kernels = {
        "A": ("int8_products", product),
        "B": ("int8_layer", product | {"relu": 1}),
        "C": ("quantise", {"n": 1024}),
        "D": ("fake_quantise", {"n": 1024}),
    }
    counters = "global_load_requests global_load_sectors global_store_bytes global_store_sectors".split()

    for name, *told in rows_of("17_engine_int8"):
        function, sizes = kernels[name]
        assert told == counted(exercises.find(f"engine_int8.{function}"), None, sizes, counters), name


def test_steps_are_those_that_the_engine_stores():
    exercise = exercises.find("engine_int8.quantise")
    for case in exercise.cases:
        given = make_values(exercise, case)
        with np.errstate(invalid="ignore", over="ignore"):
            of_engine = saturate(given["real"] / given["scale"])
        assert np.array_equal(of_engine, exercise.expected_of(given)["steps"]), case.name


def test_scales_are_those_that_the_engine_takes():
    for largest in (0.0, 1e-30, 0.1, 3.7, 12.7, 1e30):
        assert scale_of(largest) == values.scales_of(np.array([largest]))[0]


def test_a_percentile_is_the_engines():
    exercise = exercises.find("engine_int8.percentile_range")
    for case in exercise.cases:
        given = make_values(exercise, case)
        seen = Histogram(given["counts"], float(given["width"]), 1.0)
        assert ranges.percentile(seen, float(given["share"])) == exercise.expected_of(given)["limit"], case.name


def test_the_least_error_is_at_the_range_that_the_engine_takes():
    seen = Histogram()
    seen.add(np.random.default_rng(3).laplace(size=4096).astype(np.float32))
    middles = (np.arange(len(seen.counts)) + 0.5) * seen.width
    tried = middles[np.unique(np.linspace(16, len(middles) - 1, 512).astype(int))]
    given = {"counts": seen.counts, "width": seen.width, "tried": tried}

    errors = range_values.range_errors(given)["errors"]

    assert ranges.mean_square(seen) == tried[errors.argmin()]


def test_ties_saturation_and_large_sums_are_in_the_data():
    exact = make_values(exercises.find("engine_int8.quantise"), Case({"n": 1025}))
    steps = exact["real"] / exact["scale"]
    assert 200 < np.count_nonzero(steps % 1 == 0.5) and {-128, 127} <= set(values.saturated(steps))
    products = exercises.find("engine_int8.int8_products")
    deep = max(products.cases, key=lambda case: case.sizes["n_words"])
    assert 2**24 < products.expected_of(make_values(products, deep))["sums"].max()


def test_the_solved_notebook_shows_the_engines_layer_to_the_bit():
    said = [
        output.text
        for cell in notebook("solutions", "17_engine_int8").cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and "differ from the engine's" in output.text
    ]

    assert ["0 of 512 outputs differ from the engine's"] == [text.splitlines()[0] for text in said]
