"""What each way of unit 13 is predicted to take, and how a measured row is written, without a GPU."""

from __future__ import annotations

from autograder.contract import Case
from autograder.exercises.u13_convolution import EXERCISES
from autograder.exercises.u13_convolution.values import layer
from autograder.exercises.u13_convolution.ways import LAYERS, WAYS, direct_flops, predicted, work_of
from autograder.running.buffers import make_values
from benchmarks.bench_convolution import line

SMALL = layer(1, 4, 8, 16, 64)
BY_FUNCTION = {exercise.function: exercise for exercise in EXERCISES}


def test_every_way_is_predicted_for_every_layer():
    rows = predicted()["rows"]

    assert [(way, len(LAYERS)) for way in WAYS] == [(way, sum(row[0] == way for row in rows)) for way in WAYS]


def test_the_flops_of_winograd_are_those_of_the_exercise():
    values = make_values(BY_FUNCTION["conv_winograd"], Case(SMALL))

    assert BY_FUNCTION["conv_winograd"].cost(values).flops == work_of("conv_winograd", SMALL)[0]


def test_im2col_moves_its_matrix_twice_and_computes_what_the_direct_way_does():
    values = make_values(
        BY_FUNCTION["im2col"], Case({name: SMALL[name] for name in ("n_images", "n_in", "n_rows", "n_cols")})
    )
    direct, unrolled = work_of("conv_direct", SMALL), work_of("im2col", SMALL)

    assert direct[0] == unrolled[0] == direct_flops(SMALL)
    assert 2 * values["cols"].nbytes == unrolled[1] - direct[1]


def test_a_row_compares_a_way_with_the_library():
    row = line("conv_tiled", LAYERS[0], {"conv_tiled": 500.0, "library": 250.0})

    assert ["conv_tiled", "32 x 64 x 56 x 56 to 64", "500", "14.8", "0.50"] == row
