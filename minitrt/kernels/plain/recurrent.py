"""LSTM, GRU and simple recurrent layers: a block a sequence and direction, which walks through time by itself.

A warp makes a gate's sum, lane by lane along the weights' rows; then a thread updates each element of the state. State
and sums are float32 in scratch memory: of each block hidden elements each of h, c and reset * h, then the gates' sums
of x, then those of h.
"""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain import activations
from minitrt.kernels.plain.elements import array, reader, writer
from minitrt.kernels.plain.rows import WARP, warp_sum

THREADS = 256
ONE = float32(1)
GATES = {"lstm": 4, "gru": 3, "rnn": 1}
STATES = 3  # h, c, reset * h
FUNCTIONS = {  # as ONNX names them, in small letters, with its usual numbers
    "sigmoid": lambda v: activations.sigmoid(v),
    "tanh": lambda v: math.tanh(v),
    "relu": lambda v: max(v, float32(0)),
    "softsign": lambda v: v / (ONE + abs(v)),
    "hardsigmoid": lambda v: min(max(v * float32(0.2) + float32(0.5), float32(0)), ONE),
}


def rooms(kind: str) -> int:
    """Elements of scratch memory that a block has for each of the state."""
    return STATES + 2 * GATES[kind]


def limited(name: str, clipped: bool) -> Any:
    """f(v, clip): an activation, of a number between -clip and clip."""
    function, CLIPPED = inline(FUNCTIONS[name]), clipped

    @inline
    def limit(v, clip):
        return function(min(max(v, -clip), clip) if CLIPPED else v)

    return limit


def updating(kind: str, functions: tuple, clipped: bool, coupled: bool, peeping: bool, before_reset: bool) -> Any:
    """update(scratch, of_x, of_h, j, hidden, h, c, p, peep, clip) -> h, c of element j after this step.

    of_x, of_h: where the gates' sums begin; p: peepholes, from element peep on. Gates in ONNX's order.
    """
    f, g, _ = [limited(name, clipped) for name in (*functions, functions[-1], functions[-1])][:3]
    out = limited(functions[-1], False)  # of the memory, which clip does not bound
    COUPLED, PEEPING, BEFORE = coupled, peeping, before_reset

    @inline
    def lstm(scratch, of_x, of_h, j, hidden, h, c, p, peep, clip):
        i, o = scratch[of_x + j] + scratch[of_h + j], scratch[of_x + hidden + j] + scratch[of_h + hidden + j]
        forget = scratch[of_x + 2 * hidden + j] + scratch[of_h + 2 * hidden + j]
        new = scratch[of_x + 3 * hidden + j] + scratch[of_h + 3 * hidden + j]
        if PEEPING:
            i, forget = i + float32(p[peep + j]) * c, forget + float32(p[peep + 2 * hidden + j]) * c
        i = f(i, clip)
        c = (ONE - i if COUPLED else f(forget, clip)) * c + i * g(new, clip)
        if PEEPING:
            o += float32(p[peep + hidden + j]) * c
        return f(o, clip) * out(c, clip), c

    @inline
    def gru(scratch, of_x, of_h, j, hidden, h, c, p, peep, clip):
        z, at = f(scratch[of_x + j] + scratch[of_h + j], clip), 2 * hidden + j
        reset = f(scratch[of_x + hidden + j] + scratch[of_h + hidden + j], clip) if BEFORE else ONE
        return (ONE - z) * g(scratch[of_x + at] + reset * scratch[of_h + at], clip) + z * h, c

    @inline
    def rnn(scratch, of_x, of_h, j, hidden, h, c, p, peep, clip):
        return f(scratch[of_x + j] + scratch[of_h + j], clip), c

    return {"lstm": lstm, "gru": gru, "rnn": rnn}[kind]


def making_sums(source: str, biased: bool) -> Any:
    """sums(m, row, n, v, at, b, bias, lane) -> a row of a matrix times v from `at` on, with its bias, in every lane."""
    read, BIASED = reader(source), biased

    @inline
    def sums(m, row, n, v, at, b, bias, lane):
        total = float32(0)
        for i in range(lane, n, WARP):
            total += read(m, row * n + i, ONE) * float32(v[at + i])
        total = warp_sum(total)
        return total + read(b, bias, ONE) if BIASED else total

    return sums


def recurrent(
    kind: str, source: str, functions: tuple, clipped: bool = False, coupled: bool = False, before_reset: bool = False,
    reverse: bool = False, biased: bool = False, peeping: bool = False, given: str = "", lengths: str = "",
) -> tuple:  # fmt: skip
    """(kernel, signature, threads) of recurrent(x, w, r, b, lengths, h, c, p, y, last_h, last_c, scratch, clip, time,
    batch, size, hidden, strides of x from a step and an image to the next, of y from a step, a direction and an image,
    of states from a direction and an image).

    given: which states at the beginning are given: "", "h", "c" or "hc". lengths: type of the sequences' lengths, ""
    where all are as long as x.
    """
    update, sums = updating(kind, functions, clipped, coupled, peeping, before_reset), making_sums(source, biased)
    read, write, G, REVERSE, TIMED = reader(source), writer(source), GATES[kind], reverse, bool(lengths)
    H_GIVEN, C_GIVEN, LSTM, ROOMS = "h" in given, "c" in given, kind == "lstm", rooms(kind)
    AFTER, f = kind == "gru" and not before_reset, limited(functions[0], clipped)

    def kernel(
        x, w, r, b, lengths, h, c, p, y, last_h, last_c, scratch, clip, time, batch, size, hidden, x_time, x_image,
        y_time, y_way, y_image, s_way, s_image,
    ):  # fmt: skip
        thread, way = int64(cuda.threadIdx.x), int64(cuda.blockIdx.x) // batch
        image, lane, rows = int64(cuda.blockIdx.x) % batch, thread % WARP, G * hidden
        state, of_states = int64(cuda.blockIdx.x) * ROOMS * hidden, way * s_way + image * s_image
        of_x, of_h = state + STATES * hidden, state + (STATES + G) * hidden
        for j in range(thread, hidden, THREADS):
            scratch[state + j] = read(h, of_states + j, ONE) if H_GIVEN else float32(0)
            scratch[state + hidden + j] = read(c, of_states + j, ONE) if C_GIVEN else float32(0)
        cuda.syncthreads()
        for step in range(time):
            t = time - 1 - step if REVERSE or way == 1 else step
            live, here = t < int64(lengths[image]) if TIMED else True, t * y_time + way * y_way + image * y_image
            if live:  # the same for a whole block
                for row in range(thread // WARP, rows, THREADS // WARP):
                    from_x = sums(w, way * rows + row, size, x, t * x_time + image * x_image, b,
                                  2 * way * rows + row, lane)  # fmt: skip
                    from_h = sums(r, way * rows + row, hidden, scratch, state, b, (2 * way + 1) * rows + row, lane)
                    if lane == 0:
                        scratch[of_x + row], scratch[of_h + row] = from_x, from_h
                cuda.syncthreads()  # every gate has its sums
                if AFTER:
                    for j in range(thread, hidden, THREADS):
                        reset = f(scratch[of_x + hidden + j] + scratch[of_h + hidden + j], clip)
                        scratch[state + 2 * hidden + j] = reset * scratch[state + j]
                    cuda.syncthreads()
                    for row in range(2 * hidden + thread // WARP, rows, THREADS // WARP):
                        from_h = sums(r, way * rows + row, hidden, scratch, state + 2 * hidden, b,
                                      (2 * way + 1) * rows + row, lane)  # fmt: skip
                        if lane == 0:
                            scratch[of_h + row] = from_h
                    cuda.syncthreads()
            for j in range(thread, hidden, THREADS):
                if live:
                    scratch[state + j], scratch[state + hidden + j] = update(
                        scratch, of_x, of_h, j, hidden, scratch[state + j], scratch[state + hidden + j], p,
                        3 * way * hidden, clip,
                    )  # fmt: skip
                write(y, here + j, scratch[state + j] if live else float32(0), ONE)
            cuda.syncthreads()  # the state is this step's, for every warp
        for j in range(thread, hidden, THREADS):
            write(last_h, of_states + j, scratch[state + j], ONE)
            if LSTM:
                write(last_c, of_states + j, scratch[state + hidden + j], ONE)

    data = array(source)
    arrays = [data] * 4 + [array(lengths or "int32")] + [data] * 6 + [array("float32")]
    return kernel, types.void(*arrays, types.float32, *[types.int64] * 11), THREADS
