"""Answers to warps.first_above."""

from numba import cuda, int32, uint32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF


@right("while_and_any")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row >= first.size:
        return
    begin = 0
    hit = False
    while begin < src.shape[1]:
        col = begin + lane
        hit = col < src.shape[1] and src[row, col] > limit
        if cuda.any_sync(FULL_WARP, hit):
            break
        begin += WARP
    votes = cuda.ballot_sync(FULL_WARP, hit)
    if lane == 0:
        first[row] = begin + cuda.ffs(votes) - 1 if votes else src.shape[1]


@right("the_lowest_lane_writes")
@cuda.jit
def first_above(src, limit, first):
    row, lane = divmod(cuda.grid(1), WARP)
    n_rows, n_cols = src.shape
    if row < n_rows:
        done = False
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            hit = False
            if col < n_cols:
                hit = src[row, col] > limit
            votes = cuda.ballot_sync(FULL_WARP, hit)
            if votes:
                if hit and votes & cuda.lanemask_lt() == 0:
                    first[row] = col
                done = True
                break
        if not done and lane == 0:
            first[row] = n_cols


@right("spare_warps_come_along")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n_cols = src.shape[1] if row < src.shape[0] else 0
    found = n_cols
    begin = 0
    while found == n_cols and begin < n_cols:
        votes = cuda.ballot_sync(FULL_WARP, begin + lane < n_cols and src[row, begin + lane] > limit)
        if votes != 0:
            found = begin + cuda.ffs(votes) - 1
        begin += WARP
    if lane == 0 and row < src.shape[0]:
        first[row] = found


@right("a_minimum_of_columns_by_shuffles")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        best = int32(n_cols)
        begin = 0
        while begin < n_cols and not cuda.any_sync(FULL_WARP, best < n_cols):
            col = begin + lane
            if col < n_cols and src[row, col] > limit:
                best = int32(col)
            begin += WARP
        d = 16
        while d > 0:
            best = min(best, cuda.shfl_xor_sync(FULL_WARP, best, d))
            d //= 2
        if lane == 0:
            first[row] = best


@right("all_of_them_below")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            above = col < n_cols and src[row, col] > limit
            if not cuda.all_sync(FULL_WARP, not above):
                found = begin + cuda.ffs(cuda.ballot_sync(FULL_WARP, above)) - 1
                break
        if lane == 0:
            first[row] = found


@right("lanes_counted_below_the_first")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for turn in range((n_cols + WARP - 1) // WARP):
            col = turn * WARP + lane
            x = src[row, col] if col < n_cols else limit
            votes = uint32(cuda.ballot_sync(FULL_WARP, x > limit))
            if votes != 0:
                found = turn * WARP + cuda.popc(~votes & (votes - uint32(1)))
                break
        if lane == 0:
            first[row] = found


@right("one_lane_tells_the_others")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    if row < src.shape[0]:
        begin, n_cols = 0, src.shape[1]
        votes = 0
        while votes == 0 and begin < n_cols:
            col = begin + cuda.laneid
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            begin += WARP
        place = begin - WARP + cuda.ffs(votes) - 1
        if cuda.laneid == 31:
            first[row] = place if votes != 0 else n_cols


@wrong("lanes_leave_at_the_end_of_the_row", misconception="warp_mask", says="names lane 31")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n_cols = src.shape[1]
    if row < src.shape[0]:
        found = n_cols
        for col in range(lane, n_cols, WARP):
            votes = cuda.ballot_sync(FULL_WARP, src[row, col] > limit)
            if votes != 0:
                found = col - lane + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


@wrong("who_found_leaves_alone", misconception="warp_mask", says="do not make this call")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            if col < n_cols and src[row, col] > limit:
                found = col
                break
            if cuda.any_sync(FULL_WARP, found < n_cols):
                break
        d = 16
        while d > 0:
            found = min(found, cuda.shfl_xor_sync(FULL_WARP, found, d))
            d //= 2
        if lane == 0:
            first[row] = found


@wrong("reads_the_whole_row", misconception="reads_on", says="stop")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0 and found == n_cols:
                found = begin + cuda.ffs(votes) - 1
        if lane == 0:
            first[row] = found


@wrong("lane_0_searches", misconception="few_threads", says="threads do the work")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    if row < src.shape[0] and cuda.laneid == 0:
        found = src.shape[1]
        for col in range(src.shape[1]):
            if src[row, col] > limit:
                found = col
                break
        first[row] = found


@wrong("the_turn_is_forgotten", misconception="turn_forgotten", says="add the column")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:
                found = cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


@wrong("ffs_counts_from_one", misconception="ffs_from_one", says="one too far")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:
                found = begin + cuda.ffs(votes)
                break
        if lane == 0:
            first[row] = found


@wrong("highest_lane", misconception="highest_lane", says="lowest bit")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:
                found = begin + 31 - cuda.clz(votes)
                break
        if lane == 0:
            first[row] = found


@wrong("each_hit_writes", misconception="missing_barrier", says="no barrier")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        if lane == 0:
            first[row] = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            hit = col < n_cols and src[row, col] > limit
            if hit:
                first[row] = col
            if cuda.any_sync(FULL_WARP, hit):
                break


@wrong("no_hit_forgotten", misconception="missing_tail", says="never written")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:
                if lane == 0:
                    first[row] = begin + cuda.ffs(votes) - 1
                break


@wrong("past_the_end_of_the_row", misconception="no_guard", says="outside the array")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            votes = cuda.ballot_sync(FULL_WARP, src[row, begin + lane] > limit)
            if votes != 0:
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


@wrong("lowest_bit_of_a_signed_word", misconception="signed_word", says="sign of the int32")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for turn in range((n_cols + WARP - 1) // WARP):
            col = turn * WARP + lane
            x = src[row, col] if col < n_cols else limit
            votes = cuda.ballot_sync(FULL_WARP, x > limit)
            if votes != 0:
                found = turn * WARP + cuda.popc((votes & -votes) - 1)
                break
        if lane == 0:
            first[row] = found


@wrong("a_word_greater_than_0", misconception="signed_word", says="is passed over")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes > 0:
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


@wrong("whole_turns_only", misconception="tail_of_the_row", says="fewer than 32")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        found = src.shape[1]
        for turn in range(src.shape[1] // WARP):
            votes = cuda.ballot_sync(FULL_WARP, src[row, WARP * turn + lane] > limit)
            if votes != 0:
                found = WARP * turn + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


@wrong("lane_0_keeps_its_own", misconception="lanes_alone", says="found itself")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            if col < n_cols and src[row, col] > limit:
                found = col
            if cuda.any_sync(FULL_WARP, found < n_cols):
                break
        if lane == 0:
            first[row] = found


@wrong("finders_leave_and_the_others_go_on", misconception="warp_mask", says="not make this call")
@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        n_cols = src.shape[1]
        found = n_cols
        for begin in range(0, n_cols, WARP):
            hit = begin + lane < n_cols and src[row, begin + lane] > limit
            votes = cuda.ballot_sync(FULL_WARP, hit)
            if hit:
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found
