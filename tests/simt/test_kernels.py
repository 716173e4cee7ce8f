"""Whole kernels against NumPy: what the interpreter computes is what the loop over all threads would."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, float64, int32
from simt.errors import KernelTypeError, UnsupportedError

TILE = 8
BLOCK = 64
rng = np.random.default_rng(7)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def scale(factor, src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = factor * src[i]


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1000])
def test_a_guard_keeps_spare_threads_out(n):
    src, dst = floats(n), np.zeros(n, np.float32)
    simt.launch(scale, -(-n // BLOCK), BLOCK, np.float32(3), src, dst)
    np.testing.assert_array_equal(np.float32(3) * src, dst)


@pytest.mark.parametrize("blocks", [1, 3, 40])
def test_a_grid_stride_loop_covers_any_size_with_any_grid(blocks):
    def add_one(src, dst):
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            dst[i] = src[i] + 1

    src, dst = np.arange(1000), np.zeros(1000, np.int64)
    simt.launch(add_one, blocks, BLOCK, src, dst)
    np.testing.assert_array_equal(src + 1, dst)


def test_early_return_leaves_the_other_threads_running():
    def root(src, dst):
        i = cuda.grid(1)
        if i >= src.size:
            return
        if src[i] < 0:
            dst[i] = -1
            return
        dst[i] = math.sqrt(src[i])

    src = floats(300)
    dst = np.zeros_like(src)
    simt.launch(root, 5, BLOCK, src, dst)
    np.testing.assert_allclose(np.where(src < 0, -1, np.sqrt(np.abs(src))), dst, rtol=1e-6)


def test_break_and_continue_act_on_each_thread_alone():
    def row_sum(rows, out):
        i = cuda.grid(1)
        if i >= rows.shape[0]:
            return
        total = 0
        for j in range(rows.shape[1]):
            if rows[i, j] < 0:
                break
            if rows[i, j] % 2 == 1:
                continue
            total += rows[i, j]
        out[i] = total

    def expected(row):
        stop = np.flatnonzero(row < 0)
        row = row[: stop[0]] if len(stop) else row
        return row[row % 2 == 0].sum()

    rows = rng.integers(-1, 30, (700, 32))
    out = np.zeros(700, np.int64)
    simt.launch(row_sum, 11, BLOCK, rows, out)
    np.testing.assert_array_equal([expected(row) for row in rows], out)


def test_else_of_a_loop_runs_for_threads_that_did_not_break():
    def first_divisor(numbers, out):
        i = cuda.grid(1)
        if i < numbers.size:
            for d in range(2, 10):
                if numbers[i] % d == 0:
                    out[i] = d
                    break
            else:
                out[i] = -1

    numbers = np.arange(2, 602)
    out = np.zeros(600, np.int64)
    simt.launch(first_divisor, 10, BLOCK, numbers, out)
    expected = [next((d for d in range(2, 10) if n % d == 0), -1) for n in numbers]
    np.testing.assert_array_equal(expected, out)


def test_while_else_runs_after_the_last_turn():
    def halve(numbers, turns):
        i = cuda.grid(1)
        k = 0
        while numbers[i] > 1:
            if numbers[i] == 7:
                turns[i] = -7
                break
            numbers[i] //= 2
            k += 1
        else:
            turns[i] = k

    numbers = np.array([1, 2, 8, 9, 7, 14, 1000, 0])
    turns = np.zeros(8, np.int64)
    simt.launch(halve, 1, 8, numbers, turns)
    np.testing.assert_array_equal([0, 1, 3, 3, -7, -7, -7, 0], turns)


def test_a_divergent_loop_runs_each_thread_its_own_number_of_turns():
    def collatz(start, steps):
        i = cuda.grid(1)
        n = start[i]
        k = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            k += 1
        steps[i] = k

    def expected(n):
        return 0 if n == 1 else 1 + expected(n // 2 if n % 2 == 0 else 3 * n + 1)

    start = np.arange(1, 1025)
    steps = np.zeros(1024, np.int64)
    simt.launch(collatz, 4, 256, start, steps)
    np.testing.assert_array_equal([expected(int(n)) for n in start], steps)


def block_sum(src, out):
    tile = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = src[i] if i < src.size else 0.0
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_block_reduction_gives_the_same_bits_in_any_order_of_blocks(seed):
    src = floats(1000)
    out = np.zeros(16, np.float32)
    simt.launch(block_sum, 16, BLOCK, src, out, seed=seed)
    tree = np.zeros(1024, np.float32)
    tree[:1000] = src
    tree = tree.reshape(16, BLOCK)
    while tree.shape[1] > 1:
        half = tree.shape[1] // 2
        tree = tree[:, :half] + tree[:, half:]
    np.testing.assert_array_equal(tree[:, 0], out)


@pytest.mark.parametrize("shape", [(16, 16, 16), (17, 9, 30), (1, 40, 3)])
def test_tiled_matmul_handles_ragged_shapes(shape):
    def matmul(a, b, c):
        tile_a = cuda.shared.array((TILE, TILE), float32)
        tile_b = cuda.shared.array((TILE, TILE), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        col, row = cuda.grid(2)
        acc = float32(0)
        for k in range(0, a.shape[1], TILE):
            tile_a[ty, tx] = a[row, k + tx] if row < a.shape[0] and k + tx < a.shape[1] else 0
            tile_b[ty, tx] = b[k + ty, col] if k + ty < b.shape[0] and col < b.shape[1] else 0
            cuda.syncthreads()
            for j in range(TILE):
                acc += tile_a[ty, j] * tile_b[j, tx]
            cuda.syncthreads()
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc

    n_rows, n_inner, n_cols = shape
    a, b = floats(n_rows, n_inner), floats(n_inner, n_cols)
    c = np.zeros((n_rows, n_cols), np.float32)
    grid = (-(-n_cols // TILE), -(-n_rows // TILE))
    simt.launch(matmul, grid, (TILE, TILE), a, b, c)
    np.testing.assert_allclose(a.astype(np.float64) @ b, c, rtol=1e-4, atol=1e-5)


def test_histogram_with_global_and_shared_atomics():
    def histogram(src, total):
        bins = cuda.shared.array(16, int32)
        t = cuda.threadIdx.x
        if t < 16:
            bins[t] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            cuda.atomic.add(bins, src[i], 1)
        cuda.syncthreads()
        if t < 16:
            cuda.atomic.add(total, t, bins[t])

    src = rng.integers(0, 16, 5000, dtype=np.intp)
    total = np.zeros(16, np.int32)
    simt.launch(histogram, 4, BLOCK, src, total)
    np.testing.assert_array_equal(np.bincount(src, minlength=16), total)


def test_atomics_return_the_value_before_them_in_thread_order():
    def ticket(counter, out):
        i = cuda.grid(1)
        out[i] = cuda.atomic.add(counter, 0, 2)

    counter, out = np.array([5]), np.zeros(100, np.int64)
    simt.launch(ticket, 1, 100, counter, out)
    np.testing.assert_array_equal(5 + 2 * np.arange(100), out)
    assert [205] == counter.tolist()


@pytest.mark.parametrize(
    "operation, dtype", [("add", "u1"), ("exch", "f4"), ("inc", "i4"), ("max", "f2"), ("add", "c8")]
)
def test_atomics_of_types_that_numba_has_none_for_are_refused(operation, dtype):
    def update(cells):
        if operation == "exch":
            cuda.atomic.exch(cells, 0, 1)
        elif operation == "inc":
            cuda.atomic.inc(cells, 0, 1)
        elif operation == "max":
            cuda.atomic.max(cells, 0, 1)
        else:
            cuda.atomic.add(cells, 0, 1)

    with pytest.raises(KernelTypeError, match=f"line .*atomic.{operation}` does not work on"):
        simt.launch(update, 1, 1, np.zeros(1, dtype))


def test_shuffles_of_types_that_numba_has_none_for_are_refused():
    def shuffle(values):
        values[cuda.threadIdx.x] = cuda.shfl_sync(0xFFFFFFFF, values[cuda.threadIdx.x], 0)

    with pytest.raises(KernelTypeError, match="line .*shfl_sync` does not work on uint32"):
        simt.launch(shuffle, 1, 32, np.zeros(32, np.uint32))


@pytest.mark.parametrize(
    "operation, start, expected",
    [("max", -1.0, 9.0), ("min", 20.0, 0.0), ("sub", 50.0, 5.0)],
)
def test_float_atomics(operation, start, expected):
    def update(cell, out):
        i = cuda.grid(1)
        if operation == "max":
            out[i] = cuda.atomic.max(cell, 0, i)
        elif operation == "min":
            out[i] = cuda.atomic.min(cell, 0, i)
        else:
            out[i] = cuda.atomic.sub(cell, 0, i)

    cell, out = np.array([start]), np.zeros(10)
    simt.launch(update, 1, 10, cell, out)
    assert expected == cell[0]
    assert start == out[0]


def test_compare_and_swap_lets_exactly_one_thread_win():
    def elect(lock, winner):
        i = cuda.grid(1)
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            winner[0] = i

    lock, winner = np.zeros(1, np.int32), np.full(1, -1)
    simt.launch(elect, 3, 32, lock, winner)
    assert (1, 0) == (lock[0], winner[0])


def test_a_lock_taken_inside_the_loop_serialises_every_thread():
    def locked_add(lock, total):
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                total[0] += 1
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True

    lock, total = np.zeros(1, np.int32), np.zeros(1, np.int64)
    simt.launch(locked_add, 2, 32, lock, total)
    assert 64 == total[0]


def test_warp_shuffles_sum_32_lanes():
    def warp_sum(src, out):
        i = cuda.grid(1)
        value = src[i]
        step = 16
        while step > 0:
            value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
            step //= 2
        if cuda.laneid == 0:
            out[i // 32] = value

    src = np.arange(256)
    out = np.zeros(8, np.int64)
    simt.launch(warp_sum, 2, 128, src, out)
    np.testing.assert_array_equal(src.reshape(8, 32).sum(axis=1), out)


@pytest.mark.parametrize("width", [32, 16, 8])
def test_shuffles_stay_within_their_width(width):
    def rotate(out):
        t = cuda.threadIdx.x
        out[0, t] = cuda.shfl_sync(0xFFFFFFFF, t, 3, width)
        out[1, t] = cuda.shfl_up_sync(0xFFFFFFFF, t, 2, width)
        out[2, t] = cuda.shfl_down_sync(0xFFFFFFFF, t, 2, width)
        out[3, t] = cuda.shfl_xor_sync(0xFFFFFFFF, t, 5, width)

    lane = np.arange(32)
    first = lane // width * width
    out = np.zeros((4, 32), np.int64)
    simt.launch(rotate, 1, 32, out)
    np.testing.assert_array_equal(first + 3, out[0])
    np.testing.assert_array_equal(np.where(lane - 2 >= first, lane - 2, lane), out[1])
    np.testing.assert_array_equal(np.where(lane + 2 < first + width, lane + 2, lane), out[2])
    np.testing.assert_array_equal(lane ^ 5, out[3])


def test_votes_see_the_lanes_of_their_own_warp():
    def vote(out):
        t = cuda.threadIdx.x
        out[0, t] = cuda.all_sync(0xFFFFFFFF, t < 40)
        out[1, t] = cuda.any_sync(0xFFFFFFFF, t > 40)
        out[2, t] = cuda.ballot_sync(0xFFFFFFFF, t % 3 == 0)
        out[3, t] = cuda.match_any_sync(0xFFFFFFFF, t // 8)
        out[4, t] = cuda.popc(cuda.activemask())

    out = np.zeros((5, 64), np.int64)
    simt.launch(vote, 1, 64, out)
    assert [1] * 32 + [0] * 32 == out[0].tolist()
    assert [0] * 32 + [1] * 32 == out[1].tolist()
    first = sum(1 << lane for lane in range(0, 32, 3))
    assert first == out[2, 0] & 0xFFFFFFFF
    np.testing.assert_array_equal(np.repeat([0xFF, 0xFF00, 0xFF0000], 8), out[3, :24])
    assert {32} == set(out[4].tolist())


def test_block_votes_count_the_threads_of_their_own_block():
    def votes(src, counts, every, some):
        i = cuda.grid(1)
        n = cuda.syncthreads_count(int32(src[i] > 5))
        a = cuda.syncthreads_and(int32(src[i] > -1))
        o = cuda.syncthreads_or(int32(src[i] > 9))
        if cuda.threadIdx.x == 0:
            b = cuda.blockIdx.x
            counts[b], every[b], some[b] = n, a, o

    src = np.arange(12)
    counts, every, some = (np.zeros(3, np.int64) for _ in range(3))
    simt.launch(votes, 3, 4, src, counts, every, some)
    assert [0, 2, 4] == counts.tolist()
    assert [1, 1, 1] == every.tolist()
    assert [0, 0, 1] == some.tolist()


def clamp(value, low, high=1.0):
    if value < low:
        return low
    if value > high:
        return high
    return value


def test_device_functions_return_early_per_thread_and_take_defaults():
    def apply(src, dst):
        i = cuda.grid(1)
        if i < src.size:
            dst[i] = clamp(src[i], -0.5) + clamp(i, 10, high=20)

    src = floats(500).astype(np.float64)
    dst = np.zeros(500)
    simt.launch(apply, 8, BLOCK, src, dst)
    np.testing.assert_array_equal(np.clip(src, -0.5, 1.0) + np.clip(np.arange(500), 10, 20), dst)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def test_device_functions_may_recurse():
    def kernel(out):
        out[cuda.grid(1)] = factorial(cuda.threadIdx.x)

    out = np.zeros(10, np.int64)
    simt.launch(kernel, 1, 10, out)
    np.testing.assert_array_equal([math.factorial(n) for n in range(10)], out)


def test_functions_inside_a_kernel_read_variables_around_them():
    def apply(src, dst):
        i = cuda.grid(1)
        if i >= src.size:
            return
        offset = i * 10

        def shifted(value):
            if value < 0:
                return offset
            return value + offset

        twice = lambda value: 2 * shifted(value)  # noqa: E731
        if i % 3 == 0:
            dst[i] = twice(src[i])
        else:
            dst[i] = shifted(src[i])

    src = rng.integers(-5, 5, 600)
    dst = np.zeros(600, np.int64)
    simt.launch(apply, 3, 256, src, dst)
    i = np.arange(600)
    shifted = np.where(src < 0, 10 * i, src + 10 * i)
    np.testing.assert_array_equal(np.where(i % 3 == 0, 2 * shifted, shifted), dst)


def test_grids_of_three_dimensions_index_as_on_the_hardware():
    def fill(out):
        x, y, z = cuda.grid(3)
        if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
            out[z, y, x] = (z * out.shape[1] + y) * out.shape[2] + x

    out = np.full((5, 7, 9), -1)
    simt.launch(fill, (3, 4, 3), (4, 2, 2), out)
    np.testing.assert_array_equal(np.arange(5 * 7 * 9).reshape(5, 7, 9), out)


def test_linear_thread_order_runs_x_fastest():
    def who(out):
        t = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
        out[t] = cuda.laneid

    out = np.zeros(4 * 5 * 6, np.int64)
    simt.launch(who, 1, (4, 5, 6), out)
    np.testing.assert_array_equal(np.arange(120) % 32, out)


POINT = np.dtype([("x", np.float32), ("hits", np.int32), ("path", np.int16, (3,))])


def test_records_are_read_and_written_by_field():
    def visit(points):
        i = cuda.grid(1)
        if i < points.size:
            points[i].x = points[i].x * 2
            points[i]["hits"] += i
            points[i].path[1] = i
            points.hits[i] += 1

    points = np.zeros(40, POINT)
    points["x"] = np.arange(40)
    simt.launch(visit, 2, 32, points)
    np.testing.assert_array_equal(2 * np.arange(40), points["x"])
    np.testing.assert_array_equal(np.arange(40) + 1, points["hits"])
    np.testing.assert_array_equal(np.arange(40), points["path"][:, 1])


def test_a_single_record_comes_back_changed():
    def fill(point):
        point.x = 1.5
        point.hits = 3

    point = np.zeros(1, POINT)[0]
    simt.launch(fill, 1, 1, point)
    assert (1.5, 3) == (point["x"], point["hits"])


def test_float16_stays_float16_among_halves():
    def add(a, b, out):
        i = cuda.grid(1)
        out[i] = cuda.fp16.hfma(a[i], b[i], a[i] + b[i])

    a, b = floats(32).astype(np.float16), floats(32).astype(np.float16)
    out = np.zeros(32, np.float16)
    simt.launch(add, 1, 32, a, b, out)
    expected = (a.astype(np.float32) * b + (a + b).astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(expected, out)


def test_dynamic_shared_memory_is_one_buffer_whatever_its_type():
    def reverse(src, dst):
        words = cuda.shared.array(0, int32)
        numbers = cuda.shared.array(0, float32)
        t = cuda.threadIdx.x
        numbers[t] = src[t]
        cuda.syncthreads()
        dst[t] = words[cuda.blockDim.x - 1 - t]

    src = floats(64)
    dst = np.zeros(64, np.int32)
    simt.launch(reverse, 1, 64, src, dst, dynamic_shared_bytes=256)
    np.testing.assert_array_equal(src[::-1].view(np.int32), dst)


def test_local_arrays_belong_to_one_thread():
    def sort3(rows, out):
        i = cuda.grid(1)
        mine = cuda.local.array(3, float64)
        for k in range(3):
            mine[k] = rows[i, k]
        for _ in range(2):
            for k in range(2):
                if mine[k] > mine[k + 1]:
                    mine[k], mine[k + 1] = mine[k + 1], mine[k]
        for k in range(3):
            out[i, k] = mine[k]

    rows = rng.random((100, 3))
    out = np.zeros((100, 3))
    simt.launch(sort3, 1, 100, rows, out)
    np.testing.assert_array_equal(np.sort(rows, axis=1), out)


def test_slices_are_views_of_the_same_memory():
    def total(row):
        result = 0
        for k in range(len(row)):
            result += row[k]
        return result

    def rows_and_columns(matrix, by_row, by_column, part):
        i = cuda.grid(1)
        by_row[i] = total(matrix[i])
        by_column[i] = total(matrix[:, i])
        part[i] = total(matrix[i, 1::2])
        matrix[i, -1] = 0

    matrix = rng.integers(0, 100, (6, 6))
    before = matrix.copy()
    by_row, by_column, part = (np.zeros(6, np.int64) for _ in range(3))
    simt.launch(rows_and_columns, 1, 6, matrix, by_row, by_column, part)
    np.testing.assert_array_equal(before.sum(axis=1), by_row)
    np.testing.assert_array_equal(before.sum(axis=0), by_column)
    np.testing.assert_array_equal(before[:, 1::2].sum(axis=1), part)
    assert [0] * 6 == matrix[:, -1].tolist()


def test_slices_with_bounds_of_their_own_per_thread():
    def prefix(src, out):
        i = cuda.grid(1)
        acc = 0
        piece = src[: i + 1]
        for k in range(piece.shape[0]):
            acc += piece[k]
        out[i] = acc

    src = np.arange(50)
    out = np.zeros(50, np.int64)
    simt.launch(prefix, 1, 50, src, out)
    np.testing.assert_array_equal(np.cumsum(src), out)


def test_arrays_that_are_not_contiguous_keep_their_strides():
    def double(src, dst):
        i, j = cuda.grid(2)
        if i < src.shape[0] and j < src.shape[1]:
            dst[i, j] = 2 * src[i, j]

    whole = np.arange(60).reshape(6, 10)
    target = np.zeros((10, 12), np.int64)
    simt.launch(double, (2, 2), (4, 4), whole[::-1, 1::2], target[1:7, ::-2][:, :5])
    np.testing.assert_array_equal(2 * whole[::-1, 1::2], target[1:7, ::-2][:, :5])
    assert 2 * whole[::-1, 1::2].sum() == target.sum()


def test_grid_sync_orders_all_blocks():
    def neighbour(values, out):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        values[i] = i * i
        grid.sync()
        out[i] = values[(i + 700) % values.size]

    n = 1024 * 40
    values, out = np.zeros(n, np.int64), np.zeros(n, np.int64)
    simt.launch(neighbour, 40, 1024, values, out)
    np.testing.assert_array_equal(((np.arange(n) + 700) % n) ** 2, out)


def sync_everyone(grid):
    grid.sync()


def in_every_thread():
    sync_everyone(cuda.cg.this_grid())


def test_grid_sync_is_seen_inside_device_functions():
    def neighbour(values, out):
        i = cuda.grid(1)
        values[i] = i + 1
        in_every_thread()
        out[i] = values[values.size - 1 - i]

    n = 1024 * 40
    values, out = np.zeros(n, np.int64), np.zeros(n, np.int64)
    simt.launch(neighbour, 40, 1024, values, out)
    np.testing.assert_array_equal(np.arange(n, 0, -1), out)


WEIGHTS = np.array([1.0, 2.0, 4.0], np.float32)


def test_global_arrays_are_constant_memory():
    def stencil(src, dst):
        weights = cuda.const.array_like(WEIGHTS)
        i = cuda.grid(1)
        if 0 < i < src.size - 1:
            dst[i] = weights[0] * src[i - 1] + WEIGHTS[1] * src[i] + weights[2] * src[i + 1]

    src, dst = floats(100), np.zeros(100, np.float32)
    simt.launch(stencil, 2, BLOCK, src, dst)
    np.testing.assert_allclose(np.convolve(src, WEIGHTS[::-1], "valid"), dst[1:-1], rtol=1e-5, atol=1e-6)


Pair = namedtuple("Pair", "first second")


def test_tuples_and_named_tuples_of_arrays_are_arguments():
    def add(pair, both, out):
        i = cuda.grid(1)
        out[i] = pair.first[i] + both[1][i] * pair.second

    a, out = np.arange(10.0), np.zeros(10)
    simt.launch(add, 1, 10, Pair(a, 3.0), (1, a), out)
    np.testing.assert_array_equal(4 * a, out)


def test_complex_numbers():
    def escape(image, width):
        x, y = cuda.grid(2)
        c = complex(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / width)
        z = 0.0j
        for k in range(50):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag >= 4:
                image[y, x] = k
                return
        image[y, x] = 50

    def expected(x, y):
        c, z = complex(-2 + 3 * x / 16, -1 + 2 * y / 16), 0j
        for k in range(50):
            z = z * z + c
            if abs(z) ** 2 >= 4:
                return k
        return 50

    image = np.zeros((16, 16), np.int64)
    simt.launch(escape, (2, 2), (8, 8), image, 16)
    np.testing.assert_array_equal([[expected(x, y) for x in range(16)] for y in range(16)], image)


def test_conditions_do_not_evaluate_what_they_guard():
    def count(src, keep):
        i = cuda.grid(1)
        if i < src.size and src[i] > 0:
            keep[i] = 1
        if 0 <= i < src.size <= src.size + src[min(i, src.size - 1)] * 0:
            keep[i] += 1

    src = np.array([1, -1, 2])
    keep = np.zeros(3, np.int64)
    simt.launch(count, 1, 32, src, keep)
    assert [2, 1, 2] == keep.tolist()


def test_one_shared_array_per_call_site_even_on_one_line():
    def two(out):
        a, b = cuda.shared.array(4, int32), cuda.shared.array(4, int32)
        t = cuda.threadIdx.x
        a[t] = t
        b[t] = 10 * t
        cuda.syncthreads()
        out[t] = a[3 - t] + b[t]

    out = np.zeros(4, np.int64)
    simt.launch(two, 1, 4, out)
    assert [3, 12, 21, 30] == out.tolist()


def test_vector_types():
    def rotate(out):
        v = cuda.float32x4(1, 2, 3, 4)
        w = cuda.float3(v.y, v.z, v.w)
        out[0], out[1] = w.x, w.z

    out = np.zeros(2)
    simt.launch(rotate, 1, 1, out)
    assert [2, 4] == out.tolist()


@pytest.mark.parametrize(
    "use, says",
    [
        (lambda v: v[0], "write .x"),
        (lambda v: v + v, "vectors have no `.`"),
        (lambda v: v == v, "vectors have no"),
        (lambda v: cuda.float64x2(v), "takes no vector of float32"),
        (lambda v: cuda.float32x4(v), "cannot be made from 2 values"),
    ],
)
def test_vectors_have_parts_and_nothing_else(use, says):
    use = cuda.jit(device=True)(use)

    def kernel(out):
        use(cuda.float32x2(1, 2))

    with pytest.raises(UnsupportedError, match=f"line .*{says}"):
        simt.launch(cuda.jit(kernel), 1, 1, np.zeros(1))


def test_partial_warps_and_many_blocks_take_the_same_path():
    def warp_rank(out):
        i = cuda.grid(1)
        if cuda.threadIdx.x % 2 == 0:
            out[i] = cuda.popc(cuda.activemask() & cuda.lanemask_lt())

    out = np.full(40 * 5, -1)
    simt.launch(warp_rank, 5, 40, out)
    expected = np.where(np.arange(40) % 2 == 0, np.arange(40) % 32 // 2, -1)
    np.testing.assert_array_equal(np.tile(expected, 5), out)
