"""Answers to memory_access.read_again."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("while_loops")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    acc = float32(0)
    turn = 0
    while turn < times:
        i = t
        while i < src.size:
            acc += src[i]
            i += sums.size
        turn += 1
    sums[t] = acc


@right("steps_by_hand")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    step = cuda.gridDim.x * cuda.blockDim.x
    acc = float32(0.0)
    for _ in range(times):
        for i in range(t, len(src), step):
            acc = acc + src[i]
    if t < sums.size:
        sums[t] = acc


@right("a_sum_per_pass")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    total = float32(0)
    for _ in range(times):
        acc = float32(0)
        for i in range(t, src.size, sums.size):
            acc += src[i]
        total += acc
    sums[t] = total


@cuda.jit(device=True)
def one_pass(src, first, step):
    acc = float32(0)
    for i in range(first, src.size, step):
        acc += src[i]
    return acc


@right("device_function")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    acc = float32(0)
    for _ in range(times):
        acc += one_pass(src, t, cuda.gridsize(1))
    sums[t] = acc


@right("there_and_back")
@cuda.jit
def read_again(src, times, sums):
    t, step = cuda.grid(1), cuda.gridsize(1)
    last = t + (src.size - 1 - t) // step * step if t < src.size else -1
    acc = float32(0)
    for turn in range(times):
        if turn % 2 == 0:
            for i in range(t, src.size, step):
                acc += src[i]
        else:
            for i in range(last, -1, -step):
                acc += src[i]
    sums[t] = acc


@right("two_sums")
@cuda.jit
def read_again(src, times, sums):
    t, step = cuda.grid(1), cuda.gridsize(1)
    a = float32(0)
    b = float32(0)
    for _ in range(times):
        for i in range(t, src.size, 2 * step):
            a += src[i]
            if i + step < src.size:
                b += src[i + step]
    sums[t] = a + b


@wrong("multiplied", misconception="not_read_again", says="reads three times")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    sums[cuda.grid(1)] = float32(times) * acc


@wrong("loaded_once_added_often", misconception="not_read_again", says="reads three times")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        for _ in range(times):
            acc += x
    sums[cuda.grid(1)] = acc


@wrong("times_left_out", misconception="times_left_out", says="counts once")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("one_pass_too_many", misconception="off_by_one", says="once too often")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for _ in range(times + 1):
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("sum_begins_anew", misconception="times_left_out", says="begins anew")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for _ in range(times):
        acc = float32(0)
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("a_stretch_each", misconception="uncoalesced", says="stretch of its own")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    share = (src.size + sums.size - 1) // sums.size
    acc = float32(0)
    for _ in range(times):
        for i in range(t * share, min((t + 1) * share, src.size)):
            acc += src[i]
    sums[t] = acc


@wrong("everybody_reads_all", misconception="work_repeated", says="each has its own")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for _ in range(times):
        for i in range(src.size):
            acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("step_of_the_block", misconception="wrong_formula", says="as long as the grid")
@cuda.jit
def read_again(src, times, sums):
    acc = float32(0)
    for _ in range(times):
        for i in range(cuda.grid(1), src.size, cuda.blockDim.x):
            acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("adds_in_memory", misconception="output_accumulates", says="nobody has written it")
@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    for _ in range(times):
        for i in range(t, src.size, cuda.gridsize(1)):
            sums[t] += src[i]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def read_again(src, times, sums):
    acc = 0.0
    for _ in range(times):
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            acc += src[i]
    sums[cuda.grid(1)] = acc


@wrong("one_block_reads_for_all", misconception="few_threads", says="all 512 threads read")
@cuda.jit
def read_again(src, times, sums):
    if cuda.blockIdx.x == 0:
        for t in range(cuda.threadIdx.x, sums.size, cuda.blockDim.x):
            acc = float32(0)
            for _ in range(times):
                for i in range(t, src.size, sums.size):
                    acc += src[i]
            sums[t] = acc
