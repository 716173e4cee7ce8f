"""Answers to language_models.check_draft."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

WARP, MANY, MANY_WARPS = 32, 256, 8
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
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
def left_of(target, draft, end, refused):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, MANY):
        taken = draft[j] if refused else float32(0)
        acc += max(target[j] - taken, float32(0))
    return acc


@right("the_first_by_a_minimum")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    first = cuda.shared.array(1, int32)
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    n, n_words = drafted.shape[1], target.shape[2]
    if t == 0:
        first[0] = n
    cuda.syncthreads()
    if t < n:
        word = drafted[text, t]
        if not chances[text, t] * draft[text, t, word] < target[text, t, word]:
            cuda.atomic.min(first, 0, t)
    cuda.syncthreads()
    kept = first[0]
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    low, high = 0, n_words - 1
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    while low < high:
        middle = (low + high) // 2
        if block_total(left_of(more, less, middle + 1, kept < n)) > goal:
            high = middle
        else:
            low = middle + 1
    if t == 0:
        n_kept[text], added[text] = kept, low


@right("pieces_of_256")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    stay = cuda.shared.array(WARP, int32)
    found = cuda.shared.array(1, int32)
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    n, n_words = drafted.shape[1], target.shape[2]
    if t < n:
        word = drafted[text, t]
        stay[t] = 1 if chances[text, t] * draft[text, t, word] < target[text, t, word] else 0
    if t == 0:
        found[0] = n_words - 1
    cuda.syncthreads()
    kept = 0
    while kept < n and stay[kept] == 1:
        kept += 1
    factor = float32(1) if kept < n else float32(0)
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    begin, before = 0, float32(0)
    while begin + MANY < n_words and before + block_total(left_of(more[begin:], less[begin:], MANY, kept < n)) <= goal:
        before += block_total(left_of(more[begin:], less[begin:], MANY, kept < n))
        begin += MANY
    j = begin + t
    acc = max(more[j] - factor * less[j], float32(0)) if j < n_words else float32(0)
    d = 1
    while d < WARP:
        other = cuda.shfl_up_sync(FULL_WARP, acc, d)
        if t % WARP >= d:
            acc += other
        d *= 2
    sums = cuda.shared.array(MANY_WARPS, float32)
    if t % WARP == WARP - 1:
        sums[t // WARP] = acc
    cuda.syncthreads()
    for warp in range(t // WARP):
        acc += sums[warp]
    if j < n_words and before + acc > goal:
        cuda.atomic.min(found, 0, j)
    cuda.syncthreads()
    if t == 0:
        n_kept[text], added[text] = kept, found[0]


@wrong("all_that_would_stay", misconception="kept_after_a_refusal", says="after the first refusal")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = n + 1 - cuda.popc(cuda.ballot_sync(FULL_WARP, refused))
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("the_draft_decides", misconception="models_exchanged", says="exchanged in the test")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * target[text, lane, word] >= draft[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("equal_is_enough", misconception="edge_kept", says="must be below it")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] > target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("target_alone", misconception="draft_not_asked", says="target's probability alone")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("better_words_alone", misconception="only_better_words", says="the chance has no say")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("drawn_from_the_target", misconception="added_from_target", says="take those of the draft off")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, False))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, False)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("drawn_at_the_end", misconception="added_from_last_place", says="where the refused word stood")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, n], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, False))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, False)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@cuda.jit(device=True, forceinline=True)
def signed_left(target, draft, end, refused):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, MANY):
        taken = draft[j] if refused else float32(0)
        acc += target[j] - taken
    return acc


@wrong("with_its_sign", misconception="not_cut_at_zero", says="cut it at 0")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(signed_left(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(signed_left(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("chance_as_it_is", misconception="unscaled_chance", says="as it is")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n]
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@wrong("chance_used_twice", misconception="used_chance", says="the last chance is for it")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, kept] * block_total(left_of(more, less, n_words, kept < n))
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word


@cuda.jit(device=True, forceinline=True)
def left_of_warp(target, draft, end, refused):
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, WARP):
        taken = draft[j] if refused else float32(0)
        acc += max(target[j] - taken, float32(0))
    return warp_sum(acc)


@wrong("the_first_warp_alone", misconception="few_threads", says="256 threads")
@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    if t >= WARP:
        return
    goal = chances[text, n] * left_of_warp(more, less, n_words, kept < n)
    word = 0
    for bit in range(16, -1, -1):
        further = word + (1 << bit)
        if further < n_words and left_of_warp(more, less, further, kept < n) <= goal:
            word = further
    if t == 0:
        n_kept[text] = kept
        added[text] = word
