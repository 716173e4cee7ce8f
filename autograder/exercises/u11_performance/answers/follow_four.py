"""Answers to performance.follow_four."""

from numba import cuda, int32

from autograder.exercises.catalogue import right, wrong

EACH = 4


@right("early_return")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, n = cuda.grid(1), cuda.gridsize(1), starts.size
    if i >= n:
        return
    p = starts[i]
    q = starts[i + step] if i + step < n else p
    r = starts[i + 2 * step] if i + 2 * step < n else p
    s = starts[i + 3 * step] if i + 3 * step < n else p
    k = 0
    while k < steps:
        p, q, r, s = succ[p], succ[q], succ[r], succ[s]
        k += 1
    ends[i] = p
    if i + step < n:
        ends[i + step] = q
    if i + 2 * step < n:
        ends[i + 2 * step] = r
    if i + 3 * step < n:
        ends[i + 3 * step] = s


@right("a_local_array")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    at = cuda.local.array(EACH, int32)
    i, step = cuda.grid(1), cuda.gridsize(1)
    for j in range(EACH):
        at[j] = starts[i + j * step] if i + j * step < starts.size else int32(0)
    for _ in range(steps):
        for j in range(EACH):
            at[j] = succ[at[j]]
    for j in range(EACH):
        if i + j * step < ends.size:
            ends[i + j * step] = at[j]


@right("chains_past_the_end_stand_still_in_cell_0")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    t, width = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x, cuda.blockDim.x * cuda.gridDim.x
    i1, i2, i3 = t + width, t + 2 * width, t + 3 * width
    p = q = r = s = int32(0)
    if t < starts.size:
        p = starts[t]
    if i1 < starts.size:
        q = starts[i1]
    if i2 < starts.size:
        r = starts[i2]
    if i3 < starts.size:
        s = starts[i3]
    for _ in range(steps):
        p = succ[p]
        q = succ[q]
        r = succ[r]
        s = succ[s]
    if t < ends.size:
        ends[t] = p
    if i1 < ends.size:
        ends[i1] = q
    if i2 < ends.size:
        ends[i2] = r
    if i3 < ends.size:
        ends[i3] = s


@cuda.jit(device=True)
def start_of(starts, i):
    return starts[min(i, starts.size - 1)]


@cuda.jit(device=True)
def arrive(ends, i, cell):
    if i < ends.size:
        ends[i] = cell


@right("device_functions")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step = cuda.grid(1), cuda.gridsize(1)
    if i < starts.size:
        p, q = starts[i], start_of(starts, i + step)
        r, s = start_of(starts, i + 2 * step), start_of(starts, i + 3 * step)
        for _ in range(steps):
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
        ends[i] = p
        arrive(ends, i + step, q)
        arrive(ends, i + 2 * step, r)
        arrive(ends, i + 3 * step, s)


@right("counts_down_two_steps_a_turn")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i <= last:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        left = steps
        if left % 2 == 1:
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
            left -= 1
        while left > 0:
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
            left -= 2
        ends[i] = p
        if i + step <= last:
            ends[i + step] = q
        if i + 2 * step <= last:
            ends[i + 2 * step] = r
        if i + 3 * step <= last:
            ends[i + 3 * step] = s


@right("clamped_and_stored_last_first")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, n = cuda.grid(1), cuda.gridsize(1), starts.size
    if i < n:
        a, b, c = min(i + step, n - 1), min(i + 2 * step, n - 1), min(i + 3 * step, n - 1)
        p, q, r, s = starts[i], starts[a], starts[b], starts[c]
        for _turn in range(steps):
            s = succ[s]
            r = succ[r]
            q = succ[q]
            p = succ[p]
        if i + 3 * step < n:
            ends[c] = s
        if i + 2 * step < n:
            ends[b] = r
        if i + step < n:
            ends[a] = q
        ends[i] = p


@wrong("one_after_the_other", misconception="one_load_at_a_time", says="followed side by side")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    for i in range(cuda.grid(1), starts.size, cuda.gridsize(1)):
        p = starts[i]
        for _ in range(steps):
            p = succ[p]
        ends[i] = p


@wrong("one_chain_per_thread", misconception="one_chain_each", says="three quarters")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i = cuda.grid(1)
    if i < starts.size:
        p = starts[i]
        for _ in range(steps):
            p = succ[p]
        ends[i] = p


@wrong("one_step_too_far", misconception="off_by_one", says="one step too far")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps + 1):
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s


@wrong("two_pairs", misconception="one_load_at_a_time", says="followed side by side")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    for j in range(i, starts.size, 2 * step):
        p, q = starts[j], starts[min(j + step, last)]
        for _ in range(steps):
            p = succ[p]
            q = succ[q]
        ends[j] = p
        if j + step < ends.size:
            ends[j + step] = q


@wrong("no_guards", misconception="no_guard", says="outside")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step = cuda.grid(1), cuda.gridsize(1)
    p, q, r, s = starts[i], starts[i + step], starts[i + 2 * step], starts[i + 3 * step]
    for _ in range(steps):
        p, q, r, s = succ[p], succ[q], succ[r], succ[s]
    ends[i], ends[i + step], ends[i + 2 * step], ends[i + 3 * step] = p, q, r, s


@wrong("one_chain_feeds_the_next", misconception="wrong_formula", says="ends")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps):
            p = succ[p]
            q = succ[p]
            r = succ[q]
            s = succ[r]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s


@wrong("no_step", misconception="wrong_formula", says="no step was taken")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    for i in range(cuda.grid(1), starts.size, cuda.gridsize(1)):
        ends[i] = starts[i]


@wrong("ends_where_two_chains_end", misconception="wrong_formula", says="cells that lead to themselves")
@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps):
            if p == succ[p] and q == succ[q]:
                break
            p, q, r, s = succ[p], succ[q], succ[r], succ[s]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s
