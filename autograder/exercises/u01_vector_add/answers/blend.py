"""Answers to vector_add.blend."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@right("wrapped_constant")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (float32(1) - weight) * x[i] + weight * y[i]


@right("minus_and_plus")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    here = x[i]
    out[i] = here - weight * here + weight * y[i]


@wrong("bare_integer", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (1 - weight) * x[i] + weight * y[i]


@wrong("bare_float", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        rest = 1.0 - weight
        out[i] = rest * x[i] + weight * y[i]


@wrong("places_changed", misconception="wrong_formula", says="have changed places")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = y[i] + weight * (x[i] - y[i])


@wrong("x_not_scaled", misconception="wrong_formula", says="full weight")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + weight * y[i]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    out[i] = x[i] + weight * (y[i] - x[i])


@wrong("weight_as_an_array", misconception="not_compiled", says="compile")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + weight[i] * (y[i] - x[i])


@wrong("only_the_difference", misconception="wrong_formula", says="start at x")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = weight * (y[i] - x[i])


@style("weights_first")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    rest = float32(1) - weight
    if i < out.size:
        out[i] = rest * x[i] + weight * y[i]


@style("stride")
@cuda.jit
def blend(weight, x, y, out):
    one = np.float32(1)
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = (one - weight) * x[i] + weight * y[i]


@wrong("shortcut_for_weight_0", misconception="infinity_left_out", says="0 * inf is NaN")
@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        if weight == 0:
            out[i] = x[i]
        else:
            out[i] = (float32(1) - weight) * x[i] + weight * y[i]
