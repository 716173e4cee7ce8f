"""Answers to atomics.max_by_cas."""

import math

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong


@right("reads_first")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        bits = cuda.libdevice.float_as_int(src[i])
        old = cuda.atomic.add(best_bits, 0, 0)
        while src[i] > cuda.libdevice.int_as_float(old):
            assumed = old
            old = cuda.atomic.cas(best_bits, 0, assumed, bits)
            if old == assumed:
                break


@right("done_flag")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i >= src.size:
        return
    x = src[i]
    seen = cuda.atomic.cas(best_bits, 0, int32(0), int32(0))
    done = False
    while not done:
        if not x > cuda.libdevice.int_as_float(seen):
            done = True
        else:
            found = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(x))
            done = found == seen
            seen = found


@right("swaps_the_larger_of_both")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size and src[i] == src[i]:
        seen = cuda.libdevice.float_as_int(float32(-math.inf))
        while True:
            larger = max(src[i], cuda.libdevice.int_as_float(seen))
            found = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(larger))
            if found == seen:
                break
            seen = found


@cuda.jit(device=True)
def atomic_max_float(cell, x):
    seen = cuda.atomic.cas(cell, 0, 0, 0)
    while cuda.libdevice.int_as_float(seen) < x:
        found = cuda.atomic.cas(cell, 0, seen, cuda.libdevice.float_as_int(x))
        if found == seen:
            return
        seen = found


@right("device_function")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        atomic_max_float(best_bits, src[i])


@right("own_best_first")
@cuda.jit
def max_by_cas(src, best_bits):
    x = float32(-math.inf)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        if src[i] > x:
            x = src[i]
    atomic_max_float(best_bits, x)


@right("compare_and_swap_by_its_other_name")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = cuda.atomic.compare_and_swap(best_bits, 0, 0)
        while src[i] > cuda.libdevice.int_as_float(seen):
            found = cuda.atomic.compare_and_swap(best_bits, seen, cuda.libdevice.float_as_int(src[i]))
            if found == seen:
                break
            seen = found


@wrong("bits_as_whole_numbers", misconception="bits_compared", says="as whole numbers")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.max(best_bits, 0, cuda.libdevice.float_as_int(src[i]))


@wrong("no_swap", misconception="lost_update", says="best_bits[0]")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        if src[i] > cuda.libdevice.int_as_float(best_bits[0]):
            best_bits[0] = cuda.libdevice.float_as_int(src[i])


@wrong("tries_once", misconception="order_dependent", says="Try again in a loop: look at what the swap found")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)
        if src[i] > cuda.libdevice.int_as_float(seen):
            cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(src[i]))


@wrong("never_looks_again", misconception="infinite_loop", says="never ends", outcome="TimedOut")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)
        while src[i] > cuda.libdevice.int_as_float(seen):
            if cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(src[i])) == seen:
                break


@wrong("value_in_place_of_bits", misconception="value_for_bits", says="bits of a float32")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.max(best_bits, 0, int32(src[i]))


@wrong("exchanged", misconception="order_dependent", says="best_bits")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        if src[i] > cuda.libdevice.int_as_float(cuda.atomic.add(best_bits, 0, 0)):
            cuda.atomic.exch(best_bits, 0, cuda.libdevice.float_as_int(src[i]))


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def max_by_cas(src, best_bits):
    atomic_max_float(best_bits, src[cuda.grid(1)])


@wrong("nan_wins", misconception="nan_wins", says="NaN")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)
        while not src[i] <= cuda.libdevice.int_as_float(seen):
            found = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(src[i]))
            if found == seen:
                break
            seen = found


@wrong("first_block_only", misconception="only_first_block", says="first 256")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.threadIdx.x
    if i < src.size:
        atomic_max_float(best_bits, src[i])


@wrong("new_before_old", misconception="output_not_written", says="are in the wrong order")
@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)
        while src[i] > cuda.libdevice.int_as_float(seen):
            found = cuda.atomic.cas(best_bits, 0, cuda.libdevice.float_as_int(src[i]), seen)
            if found == seen:
                break
            seen = found
