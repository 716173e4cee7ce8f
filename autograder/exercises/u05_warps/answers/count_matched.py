"""Answers to warps.count_matched."""

from numba import cuda, int32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF
THREADS = 256
ROOM = 1024  # at least as many counters as any case has


@right("leader_by_first_set_bit")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    here = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(here, key)
        if cuda.laneid == cuda.ffs(group) - 1:
            cuda.atomic.add(hist, key, cuda.popc(group))


@right("a_key_of_nobody")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    key = keys[i] if i < keys.size else int32(-1)
    group = cuda.match_any_sync(FULL_WARP, key)
    if key >= 0 and group & cuda.lanemask_lt() == 0:
        cuda.atomic.add(hist, key, cuda.popc(group))


@right("rank_in_the_group")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    inside = i < keys.size
    mask = cuda.ballot_sync(FULL_WARP, inside)
    if not inside:
        return
    key = keys[i]
    group = cuda.match_any_sync(mask, key)
    rank = cuda.popc(group & cuda.lanemask_lt())
    if rank == 0:
        cuda.atomic.add(hist, key, cuda.popc(group))


@right("the_highest_lane_leads")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if 31 - cuda.clz(group) == cuda.laneid:
            cuda.atomic.add(hist, key, cuda.popc(group))


@right("one_key_after_the_other")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    inside = i < keys.size
    key = keys[i] if inside else int32(-1)
    todo = cuda.ballot_sync(FULL_WARP, inside)
    while todo != 0:
        leader = cuda.ffs(todo) - 1
        chosen = cuda.shfl_sync(FULL_WARP, key, leader)
        same = cuda.ballot_sync(FULL_WARP, key == chosen)
        if cuda.laneid == leader:
            cuda.atomic.add(hist, key, cuda.popc(same))
        todo &= ~same


@right("equal_lanes_counted_by_shuffles")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    lane = cuda.laneid
    key = keys[i] if i < keys.size else int32(-1)
    size, lower = 0, 0
    for k in range(WARP):
        same = cuda.shfl_sync(FULL_WARP, key, k) == key
        size += same
        lower += same and k < lane
    if key >= 0 and lower == 0:
        cuda.atomic.add(hist, key, size)


@right("whole_warp_equal_first")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        members, agreed = cuda.match_all_sync(mask, key)
        if not agreed:
            members = cuda.match_any_sync(mask, key)
        if members & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(members))


@wrong("an_atomic_per_key", misconception="lanes_meet", says="same counter")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    if i < keys.size:
        cuda.atomic.add(hist, keys[i], 1)


@wrong("every_member_adds_the_group", misconception="whole_group_adds", says="one lane should")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("the_leader_adds_one", misconception="one_per_group", says="counts as 1")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, 1)


@wrong("full_mask_in_the_guard", misconception="warp_mask", says="names lane 31")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(FULL_WARP, key)
        if group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("lane_0_leads_all", misconception="lane_0_leads", says="leader of its own")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if i % WARP == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("plain_addition_by_the_leader", misconception="lost_update", says="one update is lost")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:
            hist[key] += cuda.popc(group)


@wrong("the_ballot_inside_the_guard", misconception="warp_mask", says="names lane 31")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    if i < keys.size:
        mask = cuda.ballot_sync(FULL_WARP, True)
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("spare_lanes_bring_key_0", misconception="spare_lanes_counted", says="no key")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    key = keys[i] if i < keys.size else int32(0)
    group = cuda.match_any_sync(FULL_WARP, key)
    if group & cuda.lanemask_lt() == 0:
        cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("past_the_end", misconception="no_guard", says="outside the array")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    key = keys[i]
    group = cuda.match_any_sync(FULL_WARP, key)
    if group & cuda.lanemask_lt() == 0:
        cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("shared_counters", misconception="lanes_meet", says="same counter")
@cuda.jit
def count_matched(keys, hist):
    s = cuda.shared.array(ROOM, int32)
    i = cuda.grid(1)
    for first in range(0, hist.size, ROOM):
        for k in range(cuda.threadIdx.x, ROOM, THREADS):
            s[k] = 0
        cuda.syncthreads()
        if i < keys.size and first <= keys[i] < first + ROOM:
            cuda.atomic.add(s, keys[i] - first, 1)
        cuda.syncthreads()
        for k in range(cuda.threadIdx.x, min(ROOM, hist.size - first), THREADS):
            if s[k]:
                cuda.atomic.add(hist, first + k, s[k])
        cuda.syncthreads()


@right("mask_computed_from_the_length")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    if i < keys.size:
        left = keys.size - (i - i % WARP)
        mask = FULL_WARP if left >= WARP else (1 << left) - 1
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("all_or_nobody", misconception="lanes_meet", says="four keys")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group, same = cuda.match_all_sync(mask, key)
        if not same:
            cuda.atomic.add(hist, key, 1)
        elif group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))


@wrong("leader_counted_from_one", misconception="ffs_from_one", says="one lane too high")
@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if cuda.laneid == cuda.ffs(group):
            cuda.atomic.add(hist, key, cuda.popc(group))
