"""Answers to irregular.count_draws."""

import numpy as np
from numba import cuda, int32, uint32, uint64

from autograder.exercises.catalogue import right, wrong

MULTIPLIER = np.uint64(0xD256D193)
KEY_STEP = np.uint32(0x9E3779B9)
ONE = 1 << 32
SAMPLERS = 128


@cuda.jit(device=True)
def philox(i, stream, seed):
    left, right_word, key = uint32(i), uint32(stream), uint32(seed)
    for _ in range(10):
        product = MULTIPLIER * left
        left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
        key = uint32(key + KEY_STEP)
    return left


@cuda.jit(device=True)
def block_sum(x):
    s = cuda.shared.array(SAMPLERS, int32)
    t = cuda.threadIdx.x
    s[t] = x
    d = SAMPLERS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


@right("counts_every_draw_as_it_comes")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample = cuda.grid(1)
    draws, begin = 0, 0
    acc = uint64(0)
    while sample < n_samples:
        acc += philox(draws - begin, sample, seed)
        draws += 1
        if acc >= ONE:
            sample += cuda.gridsize(1)
            begin = draws
            acc = uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@right("what_is_left_until_one")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, step = cuda.grid(1), cuda.blockDim.x * cuda.gridDim.x
    left, k, mine = ONE, 0, 0
    while sample < n_samples:
        left -= philox(k, sample, seed)
        k += 1
        mine += 1
        if left <= 0:
            left, k = ONE, 0
            sample += step
    mine = block_sum(mine)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, mine)


@right("a_sum_and_an_atomic_for_each_warp")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += uint64(philox(k, sample, seed))
        k += 1
        if acc >= uint64(ONE):
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    for d in (16, 8, 4, 2, 1):
        draws += cuda.shfl_down_sync(0xFFFFFFFF, draws, d)
    if cuda.threadIdx.x % 32 == 0:
        cuda.atomic.add(total, 0, draws)


@right("endless_until_break")
@cuda.jit
def count_draws(seed, n_samples, total):
    t = cuda.threadIdx.x
    sample = t + cuda.blockIdx.x * cuda.blockDim.x
    k, acc, draws = 0, 0, 0
    while True:
        if sample >= n_samples:
            break
        acc = acc + philox(k, sample, seed)
        k = k + 1
        if acc > 0xFFFFFFFF:
            draws = draws + k
            sample = sample + cuda.gridsize(1)
            k = 0
            acc = 0
    all_of_block = block_sum(draws)
    if t == 0:
        cuda.atomic.add(total, 0, all_of_block)


@right("counts_in_shared_memory")
@cuda.jit
def count_draws(seed, n_samples, total):
    of_block = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        of_block[0] = 0
    cuda.syncthreads()
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >> uint64(32):
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    cuda.atomic.add(of_block, 0, draws)
    cuda.syncthreads()
    if t == 0:
        cuda.atomic.add(total, 0, of_block[0])


@right("without_a_branch")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        draws += 1
        done = acc >= ONE
        sample += cuda.gridsize(1) if done else 0
        k = 0 if done else k + 1
        acc = uint64(0) if done else acc
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong(
    "sample_after_sample", misconception="waits_for_each_sample", says="wait for each other at the end of every sample"
)
@cuda.jit
def count_draws(seed, n_samples, total):
    draws = 0
    for sample in range(cuda.grid(1), n_samples, cuda.gridsize(1)):
        acc, k = uint64(0), 0
        while acc < ONE:
            acc += philox(k, sample, seed)
            k += 1
        draws += k
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("an_atomic_per_thread", misconception="too_many_atomics", says="a block adds up the counts of its threads")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    cuda.atomic.add(total, 0, draws)


@wrong("one_stream_for_all", misconception="one_stream", says="the sample's number is its stream")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, 0, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("thread_for_a_stream", misconception="thread_not_sample", says="the stream was the thread's number")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, cuda.grid(1), seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("seed_per_sample", misconception="seed_per_sample", says="it has a stream of its own")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, 0, uint32(seed + sample))
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("draws_count_on", misconception="not_begun_anew", says="each sample begins with draw 0")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc = cuda.grid(1), 0, uint64(0)
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            sample += cuda.gridsize(1)
            acc = uint64(0)
    draws = block_sum(k)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("sum_goes_on", misconception="not_begun_anew", says="each sample begins with a sum of 0")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k = 0
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("last_draw_not_counted", misconception="last_draw", says="one draw of each sample is missing")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
        else:
            k += 1
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("thread_zero_only", misconception="first_thread_only", says="only the draws of thread 0 of each block")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("plain_addition", misconception="lost_update", says="total[0]")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        total[0] += draws


@wrong("sum_of_32_bits", misconception="infinite_loop", says="Does every loop end?", outcome="TimedOut")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint32(0), 0
    while sample < n_samples:
        acc = uint32(acc + philox(k, sample, seed))
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint32(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)


@wrong("samples_counted", misconception="samples_counted", says="the draws are to be counted")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, done = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            done += 1
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    done = block_sum(done)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, done)


@wrong("leaves_before_the_sum", misconception="barrier_in_branch", says="barrier")
@cuda.jit
def count_draws(seed, n_samples, total):
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    if sample < n_samples:
        while sample < n_samples:
            acc += philox(k, sample, seed)
            k += 1
            if acc >= ONE:
                draws += k
                sample += cuda.gridsize(1)
                k, acc = 0, uint64(0)
        draws = block_sum(draws)
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(total, 0, draws)


@wrong("every_thread_adds_the_sum", misconception="sum_added_by_all", says="one thread per block should")
@cuda.jit
def count_draws(seed, n_samples, total):
    s, k, acc, d = cuda.grid(1), 0, uint64(0), 0
    while s < n_samples:
        acc += philox(k, s, seed)
        k += 1
        if acc >= ONE:
            d += k
            s += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    cuda.atomic.add(total, 0, block_sum(d))


@wrong("stride_of_one_block", misconception="stride_by_block", says="cuda.gridsize(1)")
@cuda.jit
def count_draws(seed, n_samples, total):
    s, k, acc, d = cuda.grid(1), 0, uint64(0), 0
    while s < n_samples:
        acc += philox(k, s, seed)
        k += 1
        if acc >= ONE:
            d += k
            s += cuda.blockDim.x
            k, acc = 0, uint64(0)
    b = block_sum(d)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, b)
