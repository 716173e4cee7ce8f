"""What only unit 13 says, held to its kernels."""

from autograder import exercises
from tests.course.profiles import counted, rows_of


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    kernels = {"A": "conv_implicit", "B": "conv_direct", "C": "conv_winograd", "D": "conv_tiled"}
    counters = "float32_flops global_load_requests global_load_sectors shared_load_requests barriers".split()
    layer = {"n_images": 1, "n_in": 8, "n_out": 64, "n_rows": 16, "n_cols": 64, "k": 3}

    for name, *told in rows_of("13_convolution"):
        exercise = exercises.find(f"convolution.{kernels[name]}")
        sizes = {size: layer[size] for size in exercise.cases[0].sizes}
        assert told == counted(exercise, None, sizes, counters), name
