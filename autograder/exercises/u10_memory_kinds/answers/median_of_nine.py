"""Answers to memory_kinds.median_of_nine."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("swaps_under_a_condition")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    s = cuda.local.array(9, float32)
    for k in range(9):
        s[k] = x[i + k]
    for end in range(8, 3, -1):
        for k in range(8):
            if k < end and s[k] > s[k + 1]:
                s[k], s[k + 1] = s[k + 1], s[k]
    out[i] = s[4]


@cuda.jit(device=True)
def in_order(a, b, c):
    low, high = min(a, b), max(a, b)
    return min(low, c), max(low, min(high, c)), max(high, c)


@right("three_sorted_triples")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        a, b, c = in_order(x[i], x[i + 1], x[i + 2])
        d, e, f = in_order(x[i + 3], x[i + 4], x[i + 5])
        g, h, j = in_order(x[i + 6], x[i + 7], x[i + 8])
        low, high = max(max(a, d), g), min(min(c, f), j)
        middle = in_order(b, e, h)[1]
        out[i] = in_order(low, middle, high)[1]


@right("places_by_rank_that_the_compiler_unrolls")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        v = cuda.local.array(9, float32)
        s = cuda.local.array(9, float32)
        for k in range(9):
            v[k] = x[i + k]
        for j in range(9):
            rank = 0
            for k in range(9):
                if v[k] < v[j] or (v[k] == v[j] and k < j):
                    rank += 1
            s[rank] = v[j]
        out[i] = s[4]


@right("counts_who_is_smaller")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        v = (x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5], x[i + 6], x[i + 7], x[i + 8])
        found = v[0]
        for j in range(9):
            below = same = 0
            for k in range(9):
                below += v[k] < v[j]
                same += v[k] == v[j]
            if below <= 4 and below + same > 4:
                found = v[j]
        out[i] = found


@right("odd_and_even_pairs_in_a_grid_stride_loop")
@cuda.jit
def median_of_nine(x, out):
    s = cuda.local.array(9, float32)
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        for k in range(9):
            s[k] = x[i + k]
        for turn in range(9):
            for k in range(4):
                j = 2 * k + turn % 2
                s[j], s[j + 1] = min(s[j], s[j + 1]), max(s[j], s[j + 1])
        out[i] = s[4]


@right("both_ends_taken_out")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = x[i + k]
        for _ in range(4):
            for k in range(8):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
            for k in range(8, 0, -1):
                s[k - 1], s[k] = min(s[k - 1], s[k]), max(s[k - 1], s[k])
        out[i] = s[4]


@wrong("insertion_sort", misconception="local_array_in_memory", says="registers have no index")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            value = x[i + k]
            j = k
            while j > 0 and s[j - 1] > value:
                s[j] = s[j - 1]
                j -= 1
            s[j] = value
        out[i] = s[4]


@wrong("selection_sort", misconception="local_array_in_memory", says="registers have no index")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = x[i + k]
        for turn in range(5):
            least = turn
            for k in range(turn + 1, 9):
                if s[k] < s[least]:
                    least = k
            s[turn], s[least] = s[least], s[turn]
        out[i] = s[4]


@wrong("every_neighbour_loaded_again", misconception="too_many_loads", says="nine loads per thread")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        found = x[i]
        for j in range(9):
            below = same = 0
            for k in range(9):
                below += x[i + k] < x[i + j]
                same += x[i + k] == x[i + j]
            if below <= 4 and below + same > 4:
                found = x[i + j]
        out[i] = found


@wrong("mean", misconception="mean_for_median", says="mean of the nine")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(9):
            acc += x[i + k]
        out[i] = acc / float32(9)


@wrong("middle_place_and_not_middle_value", misconception="not_sorted", says="in the middle of the window")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i + 4]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    s = cuda.local.array(9, float32)
    for k in range(9):
        s[k] = x[i + k]
    for end in range(8, 3, -1):
        for k in range(end):
            s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
    out[i] = s[4]


@wrong("fourth", misconception="one_place_too_low", says="fourth smallest")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = x[i + k]
        for end in range(8, 0, -1):
            for k in range(end):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
        out[i] = s[3]


@wrong("one_pass_too_few", misconception="wrong_formula", says="out")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = x[i + k]
        for end in range(8, 4, -1):
            for k in range(end):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
        out[i] = s[4]


@wrong("shared_array_for_private_numbers", misconception="lost_update", says="s[0]")
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    s = cuda.shared.array(9, float32)
    if i < out.size:
        for k in range(9):
            s[k] = x[i + k]
        for end in range(8, 3, -1):
            for k in range(end):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
        out[i] = s[4]
