"""Who takes part: branches, loops of unlike length, early ends, device functions, and arrays of one's own."""

from __future__ import annotations

import math

from numba import cuda, float32, int32

from tests.zoo.entry import Entry, drawn, floats, numbers, zeros

EVERYBODY = 0xFFFFFFFF


def two_sides(x, out):
    i = cuda.grid(1)
    if i % 2 == 0:
        out[i] = x[i] + float32(1)
    else:
        out[i] = math.sqrt(x[i])


def sides_by_warp(x, y, out):
    i = cuda.grid(1)
    if i // 32 % 2 == 0:
        out[i] = x[i]
    else:
        out[i] = y[i] * y[i + 1]


def nested(x, y, out):
    i = cuda.grid(1)
    if x[i] > 1:
        if x[i] > 4:
            out[i] = y[2 * i]
        elif i % 4 == 0:
            out[i] = y[i]
    elif i % 2 == 1:
        out[i] = y[3 * i]


def early_return(x, out):
    i = cuda.grid(1)
    if x[i] < 3:
        return
    out[i] = x[i]


def returns_in_a_loop(x, out, limit):
    i = cuda.grid(1)
    for k in range(8):
        if x[i * 8 + k] > limit:
            out[i] = k
            return
    out[i] = -1


def loop_with_break(x, out):
    i = cuda.grid(1)
    k = i
    while k < x.size:
        if x[k] == 5:
            break
        k += 1
    out[i] = k


def loop_with_continue(x, out):
    i = cuda.grid(1)
    acc = float32(0)
    for k in range(8):
        if (i + k) % 3 == 0:
            continue
        acc += x[i * 8 + k]
    out[i] = acc


def loop_of_unlike_length(lengths, x, out):
    i = cuda.grid(1)
    acc = float32(0)
    for k in range(lengths[i]):
        acc += x[k * 512 + i]
    out[i] = acc


def short_circuit(x, y, out):
    i = cuda.grid(1)
    if x[i] > 2 and y[i] > 3:
        out[i] = 1


def chosen_index(x, y, out):
    i = cuda.grid(1)
    k = i if x[i] > 3 else 511 - i
    out[i] = y[k]


def collatz(x, out):
    i = cuda.grid(1)
    value, turns = x[i] + 1, 0
    while value != 1:
        if value % 2 == 0:
            value = value // 2
        else:
            value = 3 * value + 1
        turns += 1
    out[i] = turns


@cuda.jit(device=True)
def larger_of_neighbours(x, i):
    return max(x[i], x[i + 1])


@cuda.jit(device=True)
def first_above(x, start, limit):
    for k in range(start, start + 8):
        if x[k] > limit:
            return k
    return -1


def calls_device_function(x, out):
    i = cuda.grid(1)
    out[i] = larger_of_neighbours(x, i)


def calls_function_that_returns_early(x, out):
    i = cuda.grid(1)
    out[i] = first_above(x, i, float32(4))


def votes(x, out):
    i = cuda.grid(1)
    ballot = cuda.ballot_sync(EVERYBODY, x[i] > 3)
    if cuda.laneid == 0:
        out[i // 32] = ballot


def one_lane_of_a_warp_works(x, out):
    i = cuda.grid(1)
    if cuda.laneid == 0:
        acc = float32(0)
        for k in range(x.size // out.size):
            acc += x[i + k]
        out[i // 32] = acc


def local_array_in_registers(x, out):
    own = cuda.local.array(4, float32)
    i = cuda.grid(1)
    for k in range(4):
        own[k] = x[k * 512 + i]
    acc = float32(0)
    for k in range(4):
        acc += own[k] * own[3 - k]
    out[i] = acc


def local_array_indexed(x, where, out):
    own = cuda.local.array(8, float32)
    i = cuda.grid(1)
    for k in range(8):
        own[k] = x[k * 512 + i]
    out[i] = own[where[i]] + own[7 - where[i]]


def local_array_counts(x, out):
    own = cuda.local.array(8, int32)
    i = cuda.grid(1)
    for k in range(8):
        own[k] = 0
    for k in range(16):
        own[x[k * 512 + i]] += 1
    for k in range(8):
        out[k, i] = own[k]


def threads_of_a_column(x, out):
    col, row = cuda.threadIdx.x, cuda.threadIdx.y
    if col == 0:
        out[row] = x[row, 0] + x[row, 1]


ENTRIES = (
    Entry("two_sides", "lanes of a warp on both sides of an if", two_sides, lambda: [floats(512), zeros(512)]),
    Entry("sides_by_warp", "whole warps on either side", sides_by_warp, lambda: [floats(512), floats(513), zeros(512)]),
    Entry("nested", "branches within branches", nested, lambda: [floats(512), floats(2048), zeros(512)]),
    Entry("early_return", "lanes that return early", early_return, lambda: [floats(512), zeros(512)]),
    Entry(
        "returns_in_a_loop",
        "lanes that return from a loop",
        returns_in_a_loop,
        lambda: [drawn(4096, 100, 21), zeros(512, dtype="int32"), 70],
    ),
    Entry(
        "loop_with_break",
        "lanes that break from a loop",
        loop_with_break,
        lambda: [floats(512), zeros(512, dtype="int32")],
    ),
    Entry("loop_with_continue", "lanes that skip a turn", loop_with_continue, lambda: [floats(4096), zeros(512)]),
    Entry(
        "loop_of_unlike_length",
        "loops of lengths drawn from 0 to 9",
        loop_of_unlike_length,
        lambda: [drawn(512, 10, 22), floats(5120), zeros(512)],
    ),
    Entry("short_circuit", "the right side of `and`", short_circuit, lambda: [floats(512), floats(512), zeros(512)]),
    Entry("chosen_index", "an index chosen by data", chosen_index, lambda: [floats(512), floats(512), zeros(512)]),
    Entry("collatz", "long loops of unlike length", collatz, lambda: [drawn(512, 99, 23), zeros(512, dtype="int32")]),
    Entry("calls_device_function", "a device function", calls_device_function, lambda: [floats(513), zeros(512)]),
    Entry(
        "calls_function_that_returns_early",
        "a device function that returns from its loop",
        calls_function_that_returns_early,
        lambda: [floats(520), zeros(512, dtype="int32")],
    ),
    Entry("votes", "a ballot a warp", votes, lambda: [floats(512), zeros(16, dtype="uint32")]),
    Entry(
        "one_lane_of_a_warp_works",
        "one lane sums for its warp",
        one_lane_of_a_warp_works,
        lambda: [floats(512), zeros(16)],
    ),
    Entry(
        "local_array_in_registers",
        "a local array with constant indices",
        local_array_in_registers,
        lambda: [floats(2048), zeros(512)],
    ),
    Entry(
        "local_array_indexed",
        "a local array indexed by data",
        local_array_indexed,
        lambda: [floats(4096), drawn(512, 8, 24), zeros(512)],
    ),
    Entry(
        "local_array_counts",
        "a histogram of one's own",
        local_array_counts,
        lambda: [numbers(8192, "int32"), zeros(8, 512, dtype="int32")],
    ),
    Entry(
        "threads_of_a_column",
        "one lane of each row of a block",
        threads_of_a_column,
        lambda: [floats(32, 2), zeros(32)],
        grid=1,
        block=(16, 32),
    ),
)
