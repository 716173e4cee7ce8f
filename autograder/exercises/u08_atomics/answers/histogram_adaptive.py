"""Answers to atomics.histogram_adaptive."""

from numba import cuda, int32

from autograder.exercises.catalogue import right, wrong

CODES = 4096
THREADS = 256
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def clear(s):
    for k in range(cuda.threadIdx.x, CODES, THREADS):
        s[k] = 0
    cuda.syncthreads()


@cuda.jit(device=True)
def merge(s, hist):
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, CODES, THREADS):
        cuda.atomic.add(hist, k, s[k])


@right("one_atomic_two_amounts")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.laneid
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, same)
        amount = cuda.popc(agree) if lane == 0 else 1
        if code >= 0 and (lane == 0 or not same):
            cuda.atomic.add(s, code, amount)
    merge(s, hist)


@right("match_any")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        peers = cuda.match_any_sync(FULL_WARP, code)
        if code >= 0 and cuda.ffs(peers) - 1 == lane:
            cuda.atomic.add(s, code, cuda.popc(peers))
    merge(s, hist)


@right("all_or_each")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    t = cuda.threadIdx.x
    whole = codes.size // THREADS * THREADS
    for first in range(cuda.blockIdx.x * THREADS, whole, cuda.gridsize(1)):
        code = int32(codes[first + t])
        if cuda.all_sync(FULL_WARP, code == cuda.shfl_sync(FULL_WARP, code, 0)):
            if t % WARP == 0:
                cuda.atomic.add(s, code, WARP)
        else:
            cuda.atomic.add(s, code, 1)
    i = whole + cuda.grid(1)
    if i < codes.size:
        cuda.atomic.add(s, codes[i], 1)
    merge(s, hist)


@right("skips_empty_bins")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    first = cuda.blockIdx.x * THREADS
    while first < codes.size:
        i = first + cuda.threadIdx.x
        code = int32(-1)
        if i < codes.size:
            code = int32(codes[i])
        leader = cuda.shfl_sync(FULL_WARP, code, 0)
        n = cuda.popc(cuda.ballot_sync(FULL_WARP, code == leader))
        if lane == 0:
            if code >= 0:
                cuda.atomic.add(s, code, n)
        elif code >= 0 and code != leader:
            cuda.atomic.add(s, code, 1)
        first += cuda.gridDim.x * THREADS
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, CODES, THREADS):
        if s[k] > 0:
            cuda.atomic.add(hist, k, s[k])


@right("favourite_by_vote")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    t = cuda.threadIdx.x
    lane = t & 31
    for turn in range(cuda.blockIdx.x, (codes.size + THREADS - 1) // THREADS, cuda.gridDim.x):
        i = turn * THREADS + t
        inside = i < codes.size
        code = int32(codes[i]) if inside else int32(CODES)
        leader = cuda.shfl_sync(FULL_WARP, code, 0)
        votes = cuda.ballot_sync(FULL_WARP, inside and code == leader)
        if lane == 0 and inside:
            cuda.atomic.add(s, leader, cuda.popc(votes))
        if inside and code != leader:
            cuda.atomic.add(s, code, 1)
    merge(s, hist)


@right("shared_by_two_groups")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    first = cuda.blockIdx.x * THREADS
    while first < codes.size:
        i = first + cuda.threadIdx.x
        code = int32(-1)
        if i < codes.size:
            code = int32(codes[i])
        waiting = code >= 0
        for _ in range(2):  # two groups of equal lanes, each added by its first one
            votes = cuda.ballot_sync(FULL_WARP, waiting)
            chosen = max(cuda.ffs(votes) - 1, 0)
            leader = cuda.shfl_sync(FULL_WARP, code, chosen)
            agree = cuda.ballot_sync(FULL_WARP, waiting and code == leader)
            if waiting and lane == chosen:
                cuda.atomic.add(s, code, cuda.popc(agree))
            waiting = waiting and code != leader
        if waiting:
            cuda.atomic.add(s, code, 1)
        first += cuda.gridsize(1)
    merge(s, hist)


@wrong("always_one_by_one", misconception="lanes_meet", says="one of them adds 32")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    for i in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        cuda.atomic.add(s, codes[i], 1)
    merge(s, hist)


@wrong("leader_adds_one", misconception="leader_adds_one", says="speaks for several lanes")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        if code >= 0 and (lane == 0 or not same):
            cuda.atomic.add(s, code, 1)
    merge(s, hist)


@wrong("others_left_out", misconception="others_forgotten", says="every other lane adds 1")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        agree = cuda.ballot_sync(FULL_WARP, code == cuda.shfl_sync(FULL_WARP, code, 0))
        if code >= 0 and lane == 0:
            cuda.atomic.add(s, code, cuda.popc(agree))
    merge(s, hist)


@wrong("vote_after_some_have_left", misconception="warp_mask", says="lane")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    for i in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        code = int32(codes[i])
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, same)
        if lane == 0 or not same:
            cuda.atomic.add(s, code, cuda.popc(agree) if lane == 0 else 1)
    merge(s, hist)


@wrong("not_cleared", misconception="uninitialised_read", says="s[")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    lane = cuda.threadIdx.x % WARP
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, same)
        if code >= 0 and (lane == 0 or not same):
            cuda.atomic.add(s, code, cuda.popc(agree) if lane == 0 else 1)
    merge(s, hist)


@wrong("plain_add", misconception="lost_update", says="without an atomic")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    clear(s)
    lane = cuda.threadIdx.x % WARP
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, same)
        if code >= 0 and (lane == 0 or not same):
            s[code] += cuda.popc(agree) if lane == 0 else 1
    merge(s, hist)


@wrong("own_codes_twice", misconception="counted_twice", says="they have nothing to add")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    t = cuda.threadIdx.x
    for c in range(t, CODES, THREADS):
        s[c] = 0
    cuda.syncthreads()
    lane = t % WARP
    first = cuda.grid(1) - lane
    while first < codes.size:
        i = first + lane
        code = int32(codes[i]) if i < codes.size else int32(-1)
        leader = cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, code == leader)
        if lane == 0:
            cuda.atomic.add(s, code, cuda.popc(agree))
        elif code >= 0:
            cuda.atomic.add(s, code, 1)
        first += cuda.gridsize(1)
    cuda.syncthreads()
    for c in range(t, CODES, THREADS):
        if s[c] != 0:
            cuda.atomic.add(hist, c, s[c])


@wrong("past_the_end_as_code_0", misconception="past_the_end", says="counted as code 0")
@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    t = cuda.threadIdx.x
    for c in range(t, CODES, THREADS):
        s[c] = 0
    cuda.syncthreads()
    lane = t % WARP
    first = cuda.grid(1) - lane
    while first < codes.size:
        i = first + lane
        code = int32(codes[i]) if i < codes.size else int32(0)
        leader = cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, code == leader)
        if lane == 0:
            cuda.atomic.add(s, code, cuda.popc(agree))
        elif code != leader and code >= 0:
            cuda.atomic.add(s, code, 1)
        first += cuda.gridsize(1)
    cuda.syncthreads()
    for c in range(t, CODES, THREADS):
        if s[c] != 0:
            cuda.atomic.add(hist, c, s[c])
