"""Answers to language_models.choose_token."""

import math

from numba import cuda, float32, int32, uint32

from autograder.exercises.catalogue import right, wrong

WARP, MANY, MANY_WARPS = 32, 256, 8
FULL_WARP = 0xFFFFFFFF
LOWEST = float32(-3.4028234663852886e38)


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def warp_max(x):
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def block_total(x):
    sums = cuda.shared.array(MANY_WARPS, float32)
    lane = cuda.threadIdx.x % WARP
    x = warp_sum(x)
    cuda.syncthreads()
    if lane == 0:
        sums[cuda.threadIdx.x // WARP] = x
    cuda.syncthreads()
    return warp_sum(sums[lane] if lane < MANY_WARPS else float32(0))


@cuda.jit(device=True, forceinline=True)
def largest(row):
    tops = cuda.shared.array(MANY_WARPS, float32)
    top = LOWEST
    for j in range(cuda.threadIdx.x, row.size, MANY):
        top = max(top, row[j])
    top = warp_max(top)
    if cuda.threadIdx.x % WARP == 0:
        tops[cuda.threadIdx.x // WARP] = top
    cuda.syncthreads()
    return warp_max(tops[cuda.threadIdx.x % MANY_WARPS])


@cuda.jit(device=True, forceinline=True)
def rank(x):
    bits = cuda.libdevice.float_as_int(x + float32(0))
    return uint32(bits ^ (bits >> 31 | int32(-2147483648)))


@cuda.jit(device=True, forceinline=True)
def how_many(row, least):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, row.size, MANY):
        if rank(row[j]) >= least:
            acc += float32(1)
    return acc


@cuda.jit(device=True, forceinline=True)
def weight_of(row, end, least, top, temperature):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, MANY):
        if rank(row[j]) >= least:
            acc += math.exp((row[j] - top) / temperature)
    return acc


@right("halves_of_what_is_left")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, temperature = logits[text], temperatures[text]
    top = largest(row)
    low, high = uint32(0), rank(top)
    while low < high:  # the largest rank that k words reach
        middle = low + (high - low + uint32(1)) // uint32(2)
        if block_total(how_many(row, middle)) >= float32(top_ks[text]):
            low = middle
        else:
            high = middle - uint32(1)
    goal, high = top_ps[text] * block_total(weight_of(row, row.size, low, top, temperature)), rank(top)
    while low < high:  # and the largest one whose words weigh enough
        middle = low + (high - low + uint32(1)) // uint32(2)
        if block_total(weight_of(row, row.size, middle, top, temperature)) >= goal:
            low = middle
        else:
            high = middle - uint32(1)
    goal = chances[text] * block_total(weight_of(row, row.size, low, top, temperature))
    begin, end = 0, row.size - 1
    while begin < end:
        half = (begin + end) // 2
        if block_total(weight_of(row, half + 1, low, top, temperature)) > goal:
            end = half
        else:
            begin = half + 1
    if cuda.threadIdx.x == 0:
        tokens[text] = begin


@cuda.jit(device=True, forceinline=True)
def three(row, base, shift, top, inverse, counted):
    acc = cuda.local.array(3, float32)
    for i in range(3):
        acc[i] = float32(0)
    for j in range(cuda.threadIdx.x, row.size, MANY):
        here = rank(row[j])
        x = float32(1) if counted else math.exp((row[j] - top) * inverse)
        for i in range(3):
            if here >= base | uint32(i + 1) << uint32(shift):
                acc[i] += x
    return acc[0], acc[1], acc[2]


@right("two_bits_at_a_time")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, inverse = logits[text], float32(1) / temperatures[text]
    top, goal, base = largest(row), float32(top_ks[text]), uint32(0)
    for search in range(2):
        base = uint32(0)
        for shift in range(30, -1, -2):
            a, b, c = three(row, base, shift, top, inverse, search == 0)
            a, b, c = block_total(a), block_total(b), block_total(c)
            if c >= goal:
                base |= uint32(3) << uint32(shift)
            elif b >= goal:
                base |= uint32(2) << uint32(shift)
            elif a >= goal:
                base |= uint32(1) << uint32(shift)
        goal = (top_ps[text] if search == 0 else chances[text]) * block_total(
            weight_of(row, row.size, base, top, temperatures[text])
        )
    token = 0
    for bit in range(16, -1, -1):
        further = token | 1 << bit
        if further < row.size:
            if block_total(weight_of(row, further, base, top, temperatures[text])) <= goal:
                token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("temperature_is_not_read", misconception="temperature_forgotten", says="the temperature has no effect")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], float32(1)
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("hotter_is_sharper", misconception="temperature_multiplied", says="so divide")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], float32(1) / temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("nothing_subtracted", misconception="no_maximum", says="subtract the largest logit")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = float32(0), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("all_words_may_come", misconception="top_k_forgotten", says="top_k has no effect")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(n)
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("more_than_k", misconception="one_too_many", says="one word more")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) > k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("share_is_not_read", misconception="top_p_forgotten", says="top_p has no effect")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("share_of_every_word", misconception="share_of_all", says="of the weights of all words")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = min(
        top_ps[text] * block_total(weight_of(row, n, uint32(0), top, temperature)),
        block_total(weight_of(row, n, least, top, temperature)),
    )
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("from_the_most_likely_on", misconception="by_likelihood", says="from the most likely on")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    turn = uint32(0)  # the rank at which the sum from above exceeds the goal
    for bit in range(31, -1, -1):
        higher = turn | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) > goal:
            turn = higher
    above = turn + uint32(1)
    rest = goal - block_total(weight_of(row, n, above, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n:
            alike = block_total(weight_of(row, further, turn, top, temperature))
            if alike - block_total(weight_of(row, further, above, top, temperature)) <= rest:
                token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("chance_as_it_is", misconception="unscaled_chance", says="as it is")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text]
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("below_and_not_at", misconception="zero_chance", says="where the chance is 0")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) < goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("drawn_from_all", misconception="all_words_drawn", says="should have been left out")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    least = uint32(0)
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@cuda.jit(device=True, forceinline=True)
def largest_of_warp(row):
    top = LOWEST
    for j in range(cuda.threadIdx.x, row.size, WARP):
        top = max(top, row[j])
    return warp_max(top)


@cuda.jit(device=True, forceinline=True)
def count_of_warp(row, least):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, row.size, WARP):
        if rank(row[j]) >= least:
            acc += float32(1)
    return warp_sum(acc)


@cuda.jit(device=True, forceinline=True)
def weight_of_warp(row, end, least, top, temperature):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, WARP):
        if rank(row[j]) >= least:
            acc += math.exp((row[j] - top) / temperature)
    return warp_sum(acc)


@wrong("the_first_warp_alone", misconception="few_threads", says="256 threads")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    text = cuda.blockIdx.x
    if cuda.threadIdx.x >= WARP:
        return
    row, n, temperature = logits[text], logits.shape[1], temperatures[text]
    top, k = largest_of_warp(row), float32(top_ks[text])
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if count_of_warp(row, higher) >= k:
            least = higher
    goal = top_ps[text] * weight_of_warp(row, n, least, top, temperature)
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if weight_of_warp(row, n, higher, top, temperature) >= goal:
            least = higher
    goal = chances[text] * weight_of_warp(row, n, least, top, temperature)
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and weight_of_warp(row, further, least, top, temperature) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token


@wrong("the_most_likely_one", misconception="greedy", says="the chance has no say")
@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    first = cuda.shared.array(1, int32)
    text = cuda.blockIdx.x
    row = logits[text]
    if cuda.threadIdx.x == 0:
        first[0] = row.size
    top = largest(row)
    for j in range(cuda.threadIdx.x, row.size, MANY):
        if row[j] == top:
            cuda.atomic.min(first, 0, j)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        tokens[text] = first[0]
