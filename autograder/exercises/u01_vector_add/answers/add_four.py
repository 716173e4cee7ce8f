"""Answers to vector_add.add_four."""

import functools

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def blocks_for(n, threads):
    return max(1, (n + threads - 1) // threads)


def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


@right("a_new_array_each_time")
def add_four(a, b, c, d):
    d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))
    ab, abc, out = (cuda.device_array_like(d_a) for _ in range(3))
    blocks = blocks_for(a.size, THREADS)
    vector_add[blocks, THREADS](d_a, d_b, ab)
    vector_add[blocks, THREADS](ab, d_c, abc)
    vector_add[blocks, THREADS](abc, d_d, out)
    return out.copy_to_host()


@right("two_pairs")
def add_four(a, b, c, d):
    d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))
    add = vector_add[blocks_for(a.size, THREADS), THREADS]
    add(d_a, d_b, d_a)
    add(d_c, d_d, d_c)
    add(d_a, d_c, d_a)
    return d_a.copy_to_host()


@wrong("adds_the_first_two_twice", misconception="too_many_launches", says="Four arrays take three additions")
def add_four(a, b, c, d):
    d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))
    total = cuda.device_array_like(d_a)
    add = vector_add[blocks_for(a.size, THREADS), THREADS]
    add(d_a, d_b, total)
    add(d_a, d_b, total)
    add(total, d_c, total)
    add(total, d_d, total)
    return total.copy_to_host()


@wrong("three_round_trips", misconception="too_many_transfers", says="four inputs up and one sum down")
def add_four(a, b, c, d):
    return add_on_device(add_on_device(add_on_device(a, b), c), d)


@wrong("numpy_arrays_handed_in", misconception="host_array", says="copies every NumPy array that a kernel is handed")
def add_four(a, b, c, d):
    out = np.zeros_like(a)
    blocks = blocks_for(a.size, THREADS)
    for term in (a, b, c, d):
        vector_add[blocks, THREADS](out, term, out)
    return out


@wrong("starts_from_zeros", misconception="too_many_transfers", says="four inputs up and one sum down")
def add_four(a, b, c, d):
    d_sum = cuda.to_device(np.zeros_like(a))
    for term in (a, b, c, d):
        vector_add[blocks_for(a.size, THREADS), THREADS](d_sum, cuda.to_device(term), d_sum)
    return d_sum.copy_to_host()


@wrong("forgets_the_last", misconception="wrong_formula", says="d, was never added")
def add_four(a, b, c, d):
    d_sum = cuda.to_device(a)
    for term in (b, c):
        vector_add[blocks_for(a.size, THREADS), THREADS](d_sum, cuda.to_device(term), d_sum)
    return d_sum.copy_to_host()


@wrong("loses_the_sum", misconception="wrong_formula", says="the sum so far was lost")
def add_four(a, b, c, d):
    d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))
    d_out = cuda.device_array_like(d_a)
    add = vector_add[blocks_for(a.size, THREADS), THREADS]
    add(d_a, d_b, d_out)
    add(d_b, d_c, d_out)
    add(d_c, d_d, d_out)
    return d_out.copy_to_host()


@wrong("adds_into_unset_memory", misconception="uninitialised_read", says="nothing has written it")
def add_four(a, b, c, d):
    d_sum = cuda.device_array(a.size, np.float32)
    for term in (a, b, c, d):
        vector_add[blocks_for(a.size, THREADS), THREADS](d_sum, cuda.to_device(term), d_sum)
    return d_sum.copy_to_host()


@wrong("blocks_rounded_down", misconception="missing_tail", says="`a.size // THREADS` rounds down")
def add_four(a, b, c, d):
    d_sum = cuda.to_device(a)
    for term in (b, c, d):
        vector_add[max(1, a.size // THREADS), THREADS](d_sum, cuda.to_device(term), d_sum)
    return d_sum.copy_to_host()


@style("pairs")
def add_four(a, b, c, d):
    arrays = [cuda.to_device(x) for x in (a, b, c, d)]
    ab, cd = cuda.device_array_like(arrays[0]), cuda.device_array_like(arrays[0])
    launch = vector_add[blocks_for(a.size, THREADS), THREADS]
    launch(arrays[0], arrays[1], ab)
    launch(arrays[2], arrays[3], cd)
    launch(ab, cd, ab)
    return ab.copy_to_host()


@style("reduce")
def add_four(a, b, c, d):
    def plus(x, y):
        out = cuda.device_array_like(x)
        vector_add[blocks_for(a.size, 512), 512](x, y, out)
        return out

    return functools.reduce(plus, map(cuda.to_device, (a, b, c, d))).copy_to_host()
