"""What only unit 18 says, held to its kernels and to the engine."""

import numpy as np

import simt
from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u18_engine_kernels import conv_values, values
from autograder.exercises.u18_engine_kernels.stopwatch import COMPILE_US, LAUNCH_US, JudgedDevice
from autograder.running.buffers import make_values
from autograder.running.host_code.run_host import arguments_of
from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.reference import run_op
from tests.course.profiles import rows_of
from tools.check_exercises import solution_of


def exercise(name):
    return exercises.find(f"engine_kernels.{name}")


def traced(name, values_of_case, one=None):
    """Counters of a solution; its outputs land in the values."""
    one = one or exercise(name)
    grid, block, shared = one.launch(values_of_case)
    function = solution_of(one).load()[1]
    return simt.trace(function, grid, block, *values_of_case.values(), dynamic_shared_bytes=shared).counters


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    cases = {
        "A": ("conv_tile", conv_values.TWO_BLOCKS),
        "B": ("conv_ring", conv_values.TWO_BLOCKS),
        "C": ("conv_layer", conv_values.WHOLE_LAYER),
        "D": ("conv_warpgroup", conv_values.WHOLE_LAYER),
    }
    counters = "global_load_bytes global_store_bytes shared_load_requests async_copy_requests".split()

    for name, *told in rows_of("18_engine_kernels"):
        function, sizes = cases[name]
        seen = traced(function, make_values(exercise(function), Case(sizes)))
        assert told == [int(seen[counter]) for counter in counters], name


def test_a_layer_of_pictures_is_the_engines_to_the_bit():
    """Packed, convolved and finished on lines; the engine's reference takes pictures."""
    rng, n_images, n_in, n_out, rows, cols = np.random.default_rng(5), 2, 40, 33, 5, 6
    x, r = (rng.integers(-128, 128, (n_images, n, rows, cols)).astype(np.int8) for n in (n_in, n_out))
    w = rng.integers(-128, 128, (n_out, n_in, 3, 3)).astype(np.int8)
    scale = 2.0 ** -rng.integers(8, 12, n_out).astype(np.float32)
    line, padded = values.line_of(x), np.zeros((n_out, 64, 9), np.int8)
    padded[:, :n_in] = w.reshape(n_out, n_in, 9)
    weights = np.ascontiguousarray(padded.reshape(n_out, 2, 32, 9).transpose(1, 3, 0, 2))
    multiplier = np.zeros(64, np.float32)
    multiplier[:n_out] = scale
    given = {
        "src": line,
        "weights": weights,
        "pitch": cols + 1,
        "height": rows + 1,
        "multiplier": multiplier,
        "addend": np.zeros(64, np.float32),
        "residual": values.line_of(r),
        "residual_multiplier": np.float32(0.5),
        "low": np.float32(0),
        "high": np.float32(np.inf),
        "dst": np.full((2, line.shape[1], 32), 77, np.int8),
    }
    window = dict(kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1], dilations=[1, 1], groups=1)
    tensors = [
        Value("x", DataType.INT8, x.shape, scale=1.0),
        Value("w", DataType.INT8, w.shape, scale=scale, data=w),
        None,
        Value("r", DataType.INT8, r.shape, scale=0.5),
    ]
    attrs = {**window, "activation": {"type": "relu", "alpha": 0.0, "beta": 0.0}}
    op = Op("conv", "conv", tensors, [Value("y", DataType.INT8, r.shape, scale=1.0)], attrs)
    (of_engine,) = run_op(op, [x, w, None, r])

    traced("conv_layer", given)

    assert np.array_equal(values.line_of(of_engine), given["dst"])


def test_a_line_has_zeros_wherever_a_window_reaches_past_a_picture():
    x = np.random.default_rng(2).integers(1, 100, (3, 5, 4, 6)).astype(np.int8)
    line, pitch, height = values.line_of(x), 7, 5
    there = conv_values.inside(line.shape[1], pitch, height)

    assert there.sum() == 3 * 4 * 6
    assert np.array_equal(line[0, there, :5].reshape(3, 4, 6, 5).transpose(0, 3, 1, 2), x)
    assert not line[0, ~there].any()


def test_every_run_of_an_answer_gets_a_device_that_nobody_used():
    given = make_values(exercise("time_kernels"), Case({"n_kernels": 2, "rounds": 3}))
    used, again = (arguments_of(exercise("time_kernels"), given)[0] for _ in range(2))
    used.launch(0)
    used.wait()

    assert used.clock() > COMPILE_US > LAUNCH_US > again.clock() == 0


def test_the_order_of_kernels_in_a_warm_cache_is_another_one():
    given = make_values(exercise("time_kernels"), Case({"n_kernels": 3, "rounds": 9}))
    device = JudgedDevice(given["device"])

    assert np.argmin(device.cold_us) != np.argmin(device.warm_us)
