"""Reductions, softmax and normalisation: a warp a row, sums by shuffles.

A row is `length` elements, `stride` apart; row j begins at (j // stride) * length * stride + j % stride. So an axis in
the middle is a row, too.
"""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, larger, reader, smaller, writer

WARP = 32
EVERYBODY = 0xFFFFFFFF


def folded_by(combine: Any) -> Any:
    """fold(v) -> all lanes' values combined, in every lane."""

    @inline
    def fold(v):
        for distance in (16, 8, 4, 2, 1):
            v = combine(v, cuda.shfl_xor_sync(EVERYBODY, v, distance))
        return v

    return fold


@inline
def plus(a, b):
    return a + b


@inline
def times(a, b):
    return a * b


warp_sum, warp_max = folded_by(plus), folded_by(larger)


@inline
def first_of_row(row, length, stride):
    return (row // stride) * length * stride + row % stride


REDUCTIONS = {  # name -> start, element, combination, result of (value, length)
    "sum": (0.0, lambda v: v, plus, lambda v, n: v),
    "avg": (0.0, lambda v: v, plus, lambda v, n: v / n),
    "prod": (1.0, lambda v: v, times, lambda v, n: v),
    "max": (-math.inf, lambda v: v, larger, lambda v, n: v),
    "min": (math.inf, lambda v: v, smaller, lambda v, n: v),
    "l1": (0.0, lambda v: abs(v), plus, lambda v, n: v),
    "l2": (0.0, lambda v: v * v, plus, lambda v, n: math.sqrt(v)),
    "sumsquare": (0.0, lambda v: v * v, plus, lambda v, n: v),
    "logsum": (0.0, lambda v: v, plus, lambda v, n: math.log(v)),
}


def reduce(name: str, source: str, target: str) -> tuple:
    """(kernel, signature, threads): reduce(x, y, x_scale, y_scale, rows, length, stride), one result a row."""
    start, element, combine, result = REDUCTIONS[name]
    START, element, result, fold = float32(start), inline(element), inline(result), folded_by(combine)
    read, write = reader(source), writer(target)

    def kernel(x, y, x_scale, y_scale, rows, length, stride):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            first, value = first_of_row(row, length, stride), START
            for j in range(lane, length, WARP):
                value = combine(value, element(read(x, first + j * stride, x_scale)))
            value = fold(value)
            if lane == 0:
                write(y, row, result(value, float32(length)), y_scale)

    numbers = [types.float32] * 2 + [types.int64] * 3
    return kernel, types.void(array(source), array(target), *numbers), THREADS


def softmax(source: str, target: str, log: bool) -> tuple:
    """(kernel, signature, threads): softmax(x, y, x_scale, y_scale, rows, length, stride)."""
    read, write, LOG = reader(source), writer(target), log

    def kernel(x, y, x_scale, y_scale, rows, length, stride):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:
            first, most = first_of_row(row, length, stride), -INFINITY
            for j in range(lane, length, WARP):
                most = larger(most, read(x, first + j * stride, x_scale))
            most = warp_max(most)
            total = float32(0)
            for j in range(lane, length, WARP):
                total += math.exp(read(x, first + j * stride, x_scale) - most)
            total = warp_sum(total)
            for j in range(lane, length, WARP):
                v = read(x, first + j * stride, x_scale) - most
                write(y, first + j * stride, v - math.log(total) if LOG else math.exp(v) / total, y_scale)

    numbers = [types.float32] * 2 + [types.int64] * 3
    return kernel, types.void(array(source), array(target), *numbers), THREADS


def changed(scaled: bool, shifted: bool) -> Any:
    """change(v, scale, bias, k): v times scale[k] plus bias[k], where there are such."""
    SCALED, SHIFTED = scaled, shifted

    @inline
    def change(v, scale, bias, k):
        if SCALED:
            v *= scale[k]
        if SHIFTED:
            v += bias[k]
        return v

    return change


def normalize(
    source: str, target: str, centred: bool, scaled: bool, shifted: bool, means: bool = False, inverses: bool = False
) -> tuple:
    """(kernel, signature, threads) of normalize(x, y, scale, bias, mean_of, inverse_of, x_scale, y_scale, epsilon,
    rows, length, stride, inner, channels).

    y = (x - mean) / sqrt(variance + epsilon) * scale[k] + bias[k] over rows; k = i // inner % channels for element i of
    the tensor. centred: False leaves the mean out (RMS). means, inverses: whether each row's mean, and the number that
    it is multiplied with, are results, too.
    """
    read, write, CENTRED, MEANS, INVERSES = reader(source), writer(target), centred, means, inverses
    change = changed(scaled, shifted)

    def kernel(
        x, y, scale, bias, mean_of, inverse_of, x_scale, y_scale, epsilon, rows, length, stride, inner, channels
    ):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:
            first, mean = first_of_row(row, length, stride), float32(0)
            if CENTRED:
                for j in range(lane, length, WARP):
                    mean += read(x, first + j * stride, x_scale)
                mean = warp_sum(mean) / float32(length)
            squares = float32(0)
            for j in range(lane, length, WARP):
                v = read(x, first + j * stride, x_scale) - mean
                squares += v * v
            inverse = float32(1) / math.sqrt(warp_sum(squares) / float32(length) + epsilon)
            if MEANS and lane == 0:
                mean_of[row] = mean
            if INVERSES and lane == 0:
                inverse_of[row] = inverse
            for j in range(lane, length, WARP):
                at = first + j * stride
                v = change((read(x, at, x_scale) - mean) * inverse, scale, bias, at // inner % channels)
                write(y, at, v, y_scale)

    parameters, numbers = array("float32"), [types.float32] * 3 + [types.int64] * 5
    return kernel, types.void(array(source), array(target), *[parameters] * 4, *numbers), THREADS
