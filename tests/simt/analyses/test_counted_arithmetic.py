"""Counts of arithmetic, held to counts made by hand."""

import math

import numpy as np
import pytest
from numba import cuda, float32, uint32

import simt
from simt.analyses.costs.counted_arithmetic import ArithmeticOperations, kind_of
from simt.analyses.counters import add_counters
from simt.compiling.counting import Told
from simt.events import Listener
from simt.events.ears import how_much_is_told
from tests.simt import kernels

TILE = 8
HALF = 0.5


def counted(kernel, grid, block, *arguments, **options) -> dict[str, int]:
    """All counts of one launch."""
    operations = ArithmeticOperations()
    simt.launch(kernel, grid, block, *arguments, listeners=[operations], **options)
    total: dict[str, int] = {}
    for row in operations.tally.rows.values():
        add_counters(total, row)
    return total


def floats(*shape):
    return np.ones(shape, np.float32)


def matmul(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    col, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for begin in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, begin + tx]
        tile_b[ty, tx] = b[begin + ty, col]
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    c[row, col] = acc


def test_a_matrix_product_is_two_n_cubed_flops():
    n = 32

    counts = counted(matmul, (n // TILE, n // TILE), (TILE, TILE), floats(n, n), floats(n, n), floats(n, n))

    assert 2 * n**3 == counts["float32_flops"]
    assert 2 * n * n * (n // TILE) == counts["integer_operations"]  # begin + tx, begin + ty
    assert {"float32_flops", "integer_operations"} == counts.keys()


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


@pytest.mark.parametrize(("dtype", "counter"), [("f2", "float16"), ("f4", "float32"), ("f8", "float64")])
def test_lanes_outside_the_guard_are_not_counted_and_the_type_is_that_of_the_result(dtype, counter):
    x = np.ones(1000, dtype)

    assert {f"{counter}_flops": 2 * 1000} == counted(saxpy, 4, 256, x.dtype.type(2), x, x.copy())


def test_a_tree_of_sums_adds_one_less_than_it_has_elements_in_every_block():
    counts = counted(kernels.tree_sum, 3, 64, floats(192), floats(3))

    assert 3 * (64 - 1) == counts["float32_flops"]


def unlike_types(x, n, out):
    i = cuda.grid(1)
    out[i] = x[i] + 1  # numba adds an int64 to a float32 in double precision
    out[i] = x[i] / n
    out[i] = math.sqrt(x[i])
    out[i] = -x[i]
    out[i] = x[i] ** 2
    out[i] = x[i] ** 5
    out[i] = x[i] ** n
    out[i] = (2.0 * math.pi * HALF) * n
    out[i] = x[i] + x[i]
    out[i] = cuda.fma(x[i], x[i], x[i])
    out[i] = max(x[i], out[i])
    out[i] = i // 3


def test_each_kind_of_operation_is_counted_where_it_belongs():
    counts = counted(unlike_types, 1, 32, floats(32), 3, floats(32))

    per_lane = {name: count / 32 for name, count in counts.items()}
    assert {
        "float64_flops": 1 + 1,  # x + 1; the constant times n, whose own factors the compiler multiplies
        "float32_flops": 1 + 3 + 1 + 2,  # squared; to the fifth by squaring; a sum; fma
        "float_divisions": 1,
        "special_functions": 2,  # sqrt; a power that only the launch knows
        "integer_operations": 1,
    } == per_lane


def collatz(start, steps):
    i = cuda.grid(1)
    value, count = start[i], uint32(0)
    while value != uint32(1):
        value = value // uint32(2) if value % uint32(2) == uint32(0) else uint32(3) * value + uint32(1)
        count += uint32(1)
    steps[i] = count


def test_divergent_loops_count_what_each_lane_really_did():
    start = np.arange(1, 257, dtype=np.uint32)
    expected = 0
    for value in start.tolist():
        while value != 1:
            expected += 3 if value % 2 == 0 else 4  # the remainder, the halving or two operations, the count
            value = value // 2 if value % 2 == 0 else 3 * value + 1

    assert {"integer_operations": expected} == counted(collatz, 1, 256, start, np.zeros(256, np.uint32))


@cuda.jit(device=True)
def polynomial(x):
    return (x * x + x) * x


def calls_a_device_function(x, out):
    i = cuda.grid(1)
    if i % 2:
        out[i] = polynomial(x[i]) - polynomial(x[i] + x[i])


def test_a_device_function_counts_in_its_own_lines_for_the_lanes_that_called_it():
    operations = ArithmeticOperations()
    simt.launch(calls_a_device_function, 1, 64, floats(64), floats(64), listeners=[operations])

    by_function: dict[str, dict[str, int]] = {}
    for place, row in operations.tally.rows.items():
        add_counters(by_function.setdefault(place.function, {}), row)
    assert {"float32_flops": 2 * 3 * 32} == by_function["polynomial"]
    assert {"float32_flops": 2 * 32, "integer_operations": 64} == by_function["calls_a_device_function"]


def complex_square(z, out):
    i = cuda.grid(1)
    out[i] = z[i] * z[i] + z[i]


def test_a_complex_product_is_four_products_and_two_sums():
    z = np.ones(32, np.complex64)

    assert {"float32_flops": 32 * (6 + 2)} == counted(complex_square, 1, 32, z, z.copy())


@pytest.mark.parametrize(
    ("operation", "dtype", "kind"),
    [
        ("hfma", "f2", ("float16_flops", 2)),
        ("fadd_rn", "f4", ("float32_flops", 1)),
        ("dmul_rn", "f8", ("float64_flops", 1)),
        ("fast_fdividef", "f4", ("float_divisions", 1)),
        ("fast_sinf", "f4", ("special_functions", 1)),
        ("sqrtf", "f4", ("special_functions", 1)),
        ("log1pf", "f4", ("special_functions", 1)),
        ("hsin", "f2", ("special_functions", 1)),
        ("erf", "f8", ("special_functions", 1)),
        ("<<", "i8", ("integer_operations", 1)),
        ("**-2", "f4", ("special_functions", 1)),
        ("**1", "f4", None),
        ("floorf", "f4", None),
        ("less", "?", None),
        ("copysign", "f8", None),
    ],
)
def test_functions_of_libdevice_and_halves_are_known_by_what_they_do(operation, dtype, kind):
    assert kind == kind_of(operation, np.dtype(dtype))


def test_a_launch_without_such_a_listener_compiles_to_none_of_it():
    class Deaf(Listener):
        def access(self, event):
            pass

    assert Told.NOTHING == how_much_is_told(())
    assert Told.EVENTS == how_much_is_told([Deaf()])
    assert Told.ARITHMETIC == how_much_is_told([Deaf(), ArithmeticOperations()])
