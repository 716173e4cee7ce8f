"""Answers to atomics.best_under_lock."""

import math

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32


@cuda.jit(device=True)
def block_best(x, i):
    """The course's own: the largest x of the block and the lowest i that has it, for every thread."""
    values = cuda.shared.array(THREADS, float32)
    indices = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    values[t], indices[t] = x, i
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            larger = values[t + d] > values[t]
            if larger or (values[t + d] == values[t] and indices[t + d] < indices[t]):
                values[t], indices[t] = values[t + d], indices[t + d]
        d //= 2
    cuda.syncthreads()
    return values[0], indices[0]


@cuda.jit(device=True)
def own_best(src):
    """The block's best of one element per thread."""
    i = cuda.grid(1)
    x = float32(-math.inf)
    if i < src.size:
        x = src[i]
    return block_best(x, i)


@cuda.jit(device=True)
def update(value, index, x, at):
    if x > value[0] or (x == value[0] and at < index[0]):
        value[0] = x
        index[0] = at


@right("negated_flag")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    waiting = cuda.threadIdx.x == 0
    while waiting:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            cuda.threadfence()
            update(value, index, x, at)
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
            waiting = False


@right("breaks_out")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x != 0:
        return
    while True:
        if cuda.atomic.exch(lock, 0, 1) == 0:
            cuda.threadfence()
            update(value, index, x, at)
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
            break


@right("adds_and_takes_back")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    waiting = cuda.threadIdx.x == 0
    while waiting:
        if cuda.atomic.add(lock, 0, 1) == 0:
            cuda.threadfence()
            update(value, index, x, at)
            cuda.threadfence()
            waiting = False
        cuda.atomic.sub(lock, 0, 1)


@right("opens_with_a_swap")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.compare_and_swap(lock, 0, 1) == 0:
                cuda.threadfence()
                update(value, index, x, at)
                cuda.threadfence()
                cuda.atomic.cas(lock, 0, 1, 0)
                done = True


@right("last_thread_of_the_block")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == cuda.blockDim.x - 1:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                if x > value[0]:
                    value[0] = x
                    index[0] = at
                elif x == value[0]:
                    index[0] = min(index[0], at)
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True


@right("grid_stride")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = float32(-math.inf), src.size
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        if src[i] > x:
            x, at = src[i], i
    x, at = block_best(x, at)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                update(value, index, x, at)
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True


@right("own_tree")
@cuda.jit
def best_under_lock(src, lock, value, index):
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = i
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d and s[t + d] < src.size:
            if src[s[t + d]] > src[s[t]] or (src[s[t + d]] == src[s[t]] and s[t + d] < s[t]):
                s[t] = s[t + d]
        d //= 2
    if t == 0 and s[0] < src.size:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                update(value, index, src[s[0]], s[0])
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True


@wrong("every_thread_spins", misconception="infinite_loop", says="never ends", outcome="TimedOut")
@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    if i < src.size:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        update(value, index, src[i], i)
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@wrong("every_thread_takes_it", misconception="locks_too_often", says="does nothing else")
@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    if i < src.size:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                update(value, index, src[i], i)
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True


@wrong("no_fence_before_opening", misconception="lost_update", says="threadfence")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                update(value, index, x, at)
                cuda.atomic.exch(lock, 0, 0)
                done = True


@wrong("goes_on_when_the_lock_is_taken", misconception="lost_update", says="the wrong way round")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) == 0:
            pass
        cuda.threadfence()
        update(value, index, x, at)
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@wrong("adds_and_takes_back_without_a_fence", misconception="grid_order", says="threadfence")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    waiting = cuda.threadIdx.x == 0
    while waiting:
        if cuda.atomic.add(lock, 0, 1) == 0:
            update(value, index, x, at)
            waiting = False
        cuda.atomic.sub(lock, 0, 1)


@wrong("lets_two_in", misconception="lost_update", says="value[0]")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    waiting = cuda.threadIdx.x == 0
    while waiting:
        if cuda.atomic.add(lock, 0, 1) <= 1:
            cuda.threadfence()
            update(value, index, x, at)
            cuda.threadfence()
            waiting = False
        cuda.atomic.sub(lock, 0, 1)


@wrong("no_lock", misconception="lost_update", says="value[0]")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        update(value, index, x, at)


@wrong("never_opened", misconception="infinite_loop", says="never ends", outcome="TimedOut")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                update(value, index, x, at)
                cuda.threadfence()
                done = True


@wrong("two_atomics_in_place_of_a_lock", misconception="order_dependent", says="depends on the order")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        before = cuda.atomic.max(value, 0, x)
        if x > before:
            cuda.atomic.exch(index, 0, at)


@wrong("ties_go_to_whoever_comes_last", misconception="order_dependent", says="order in which blocks")
@cuda.jit
def best_under_lock(src, lock, value, index):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                if x >= value[0]:
                    value[0] = x
                    index[0] = at
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True


@wrong("helper_called_by_some", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    if i < src.size:
        x, at = block_best(src[i], i)
        if cuda.threadIdx.x == 0:
            done = False
            while not done:
                if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                    cuda.threadfence()
                    update(value, index, x, at)
                    cuda.threadfence()
                    cuda.atomic.exch(lock, 0, 0)
                    done = True
