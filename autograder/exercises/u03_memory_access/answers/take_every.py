"""Answers to memory_access.take_every."""

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, wrong


@right("grid_stride")
@cuda.jit
def take_every(src, start, step, dst):
    for i in range(cuda.grid(1), dst.size, cuda.gridsize(1)):
        dst[i] = src[start + i * step]


@right("early_return")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i >= len(dst):
        return
    place = start + step * i
    dst[i] = src[place]


@cuda.jit(device=True)
def place_of(i, start, step):
    return start + i * step


@right("device_function")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.shape[0]:
        dst[i] = src[place_of(i, start, step)]


@right("while_loop")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    while i < dst.size:
        dst[i] = src[start + i * step]
        i += cuda.gridsize(1)


@right("blocks_turned_round")
@cuda.jit
def take_every(src, start, step, dst):
    block = cuda.gridDim.x - 1 - cuda.blockIdx.x
    i = block * cuda.blockDim.x + cuda.threadIdx.x
    if i < dst.size:
        dst[i] = src[start + i * step]


@right("strided_view")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        if step > 0:
            dst[i] = src[start:][i * step]
        else:
            dst[i] = src[start + i * step]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    dst[i] = src[start + i * step]


@wrong("guard_of_the_source", misconception="no_guard", says="outside")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[start + i * step]


@wrong("start_left_out", misconception="start_left_out", says="start is left out")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i * step]


@wrong("step_left_out", misconception="step_left_out", says="step is left out")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[min(start + i, src.size - 1)]


@wrong("start_scaled", misconception="start_scaled", says="multiplied by step")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[min(max((start + i) * step, 0), src.size - 1)]


@wrong("index_in_the_block", misconception="only_first_block", says="first")
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.threadIdx.x
    if i < dst.size:
        dst[i] = src[start + i * step]


@wrong("everybody_does_everything", misconception="work_repeated", says="repeat one")
@cuda.jit
def take_every(src, start, step, dst):
    for i in range(dst.size):
        dst[i] = src[start + i * step]


@wrong("a_stretch_for_each_thread", misconception="few_threads", says="nothing to do")
@cuda.jit
def take_every(src, start, step, dst):
    share = (dst.size + 127) // 128
    t = cuda.grid(1)
    for i in range(t * share, min((t + 1) * share, dst.size)):
        dst[i] = src[start + i * step]


@wrong(
    "place_in_float32",
    misconception="float_index",
    says="`np.float32(start)` holds every whole number up to 16,777,216",
)
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[int(np.float32(start) + np.float32(i) * np.float32(step))]


@wrong("one_block_does_it_all", misconception="few_threads", says="one block does the work of 5")
@cuda.jit
def take_every(src, start, step, dst):
    if cuda.blockIdx.x == 0:
        for i in range(cuda.threadIdx.x, dst.size, cuda.blockDim.x):
            dst[i] = src[start + i * step]
