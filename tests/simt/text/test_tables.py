"""A trace in words."""

import numpy as np

import simt
from simt.text import tables
from tests.simt import kernels


def floats(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def zeros(*shape):
    return np.zeros(shape, np.float32)


def row_of(text, expression):
    return next(line for line in text.splitlines() if expression in line)


def test_a_clean_trace_says_so_and_explains_its_sectors():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1024), floats(1024), zeros(1024))

    text = tables.render(trace)

    assert "guarded_add: grid of 4 blocks, 256 threads each" in text
    assert "No mistakes found." in text
    assert "as few as possible" in row_of(text, "a[i]")


def test_strided_loads_say_how_much_of_what_moves_is_needed():
    trace = simt.trace(kernels.copy_strided, 16, 32, floats(4096), zeros(4096), 8)

    row = row_of(tables.global_memory(trace), "load")

    assert "32.00" in row
    assert "8.0 times the fewest possible; 12% of what moves is needed" in row


def test_bank_conflicts_are_told_as_times_the_passes_needed():
    src, dst = floats(64, 64), zeros(64, 64)

    text = tables.shared_memory(simt.trace(kernels.transpose_unpadded, (2, 2), (32, 8), src, dst))

    assert "32.0 times the passes needed" in row_of(text, "tile[tx, ty + k]")
    assert "no conflicts" in row_of(text, "tile[ty + k, tx]")


def test_idle_lanes_and_splitting_warps_are_shown_by_line():
    text = tables.lanes(simt.trace(kernels.tree_sum, 2, 64, floats(128), zeros(2)))

    assert "10.5" in row_of(text, "s[t] += s[t + d]")
    assert "10 of 24" in row_of(text, "if t < d:")


def test_a_queue_at_one_element_is_told_for_atomics():
    x = np.zeros(128, np.int32)

    text = tables.atomics(simt.trace(kernels.histogram, 2, 64, x, np.zeros(4, np.int32)))

    assert "up to 32 lanes of a warp queue for one element" in text


def test_arrays_are_compared_with_their_size():
    text = tables.arrays(simt.trace(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000)))

    assert "loaded once" in row_of(text, "a  ")
    assert "stored once" in row_of(text, "out  ")


def test_findings_come_with_line_message_and_remedy():
    text = tables.findings(simt.trace(kernels.reverse_without_barrier, 1, 64, floats(64), zeros(64)))

    assert text.startswith("race at line")
    assert "with no barrier between them" in text
    assert "Put cuda.syncthreads()" in text


def test_an_impossible_launch_still_renders():
    trace = simt.trace(kernels.guarded_add, 1, 2048, floats(8), floats(8), zeros(8))

    assert "invalid launch" in tables.render(trace)


def test_bytes_are_compared_with_the_fewest_that_can_move():
    guarded = simt.trace(kernels.guarded_add, 4, 256, floats(1024), floats(1024), zeros(1024))
    strided = simt.trace(kernels.copy_strided, 4, 32, floats(4096), zeros(4096), 8)

    assert "threads asked for 12,288 bytes, and no fewer can move" in tables.arrays(guarded)
    assert "8,192 bytes move, and threads asked for 12% of them: sectors move whole" in tables.arrays(strided)


def test_arithmetic_is_told_by_line_and_type_and_against_the_bytes_that_move():
    text = tables.arithmetic(simt.trace(kernels.guarded_add, 4, 256, floats(1024), floats(1024), zeros(1024)))

    assert "1,024" in row_of(text, "out[i] = a[i] + b[i]")
    assert "float64" not in text  # columns of zeros are left out
    assert "In all 1,024 flops, 0.0833 for each byte that has to move" in text


def test_barriers_and_shared_bytes_are_told_by_line():
    text = tables.blocks(simt.trace(kernels.tree_sum, 2, 64, floats(128), zeros(2)))

    assert "256" in row_of(text, "cuda.shared.array(64, float32)")
    assert "6 a block" in text
