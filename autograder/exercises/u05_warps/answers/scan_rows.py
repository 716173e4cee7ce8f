"""Answers to warps.scan_rows."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF
THREADS = 256


@cuda.jit(device=True)
def warp_scan(value):
    d = 1
    while d < WARP:
        heard = cuda.shfl_up_sync(FULL_WARP, value, d)
        if cuda.laneid >= d:
            value += heard
        d *= 2
    return value


@cuda.jit(device=True)
def scan_by_index(value):
    """The same with shfl_sync: each lane names the lane it asks."""
    lane = cuda.laneid
    for step in range(5):
        d = 1 << step
        heard = cuda.shfl_sync(FULL_WARP, value, max(0, lane - d))
        value += heard if lane >= d else float32(0)
    return value


@cuda.jit(device=True)
def scan_by_halves(value):
    """Each lane of an upper half adds the last sum of the lower half beside it."""
    lane = cuda.laneid
    for bit in range(5):
        half = 1 << bit
        heard = cuda.shfl_sync(FULL_WARP, value, (lane | (half - 1)) & ~half)
        if lane & half:
            value += heard
    return value


@cuda.jit(device=True)
def element(src, row, col):
    if col < src.shape[1]:
        return src[row, col]
    return float32(0)


@cuda.jit(device=True)
def one_too_few(value):
    """Four steps: 16 is missing."""
    d = 1
    while d < 16:
        heard = cuda.shfl_up_sync(FULL_WARP, value, d)
        if cuda.laneid >= d:
            value += heard
        d *= 2
    return value


@cuda.jit(device=True)
def without_a_guard(value):
    """The lowest lanes add their own value."""
    d = 1
    while d < WARP:
        value += cuda.shfl_up_sync(FULL_WARP, value, d)
        d *= 2
    return value


@cuda.jit(device=True)
def shuffle_in_the_branch(value):
    d = 1
    while d < WARP:
        if cuda.laneid >= d:
            value += cuda.shfl_up_sync(FULL_WARP, value, d)
        d *= 2
    return value


@cuda.jit(device=True)
def moving_down(value):
    d = 1
    while d < WARP:
        heard = cuda.shfl_down_sync(FULL_WARP, value, d)
        if cuda.laneid + d < WARP:
            value += heard
        d *= 2
    return value


@cuda.jit(device=True)
def greater_than(value):
    d = 1
    while d < WARP:
        heard = cuda.shfl_up_sync(FULL_WARP, value, d)
        if cuda.laneid > d:
            value += heard
        d *= 2
    return value


@cuda.jit(device=True)
def multiplied(value):
    d = 1
    while d < WARP:
        value += cuda.shfl_up_sync(FULL_WARP, value, d) * float32(cuda.laneid >= d)
        d *= 2
    return value


@right("asks_by_number")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    if row >= src.shape[0]:
        return
    carry = float32(0)
    for begin in range(0, src.shape[1], WARP):
        value = scan_by_index(element(src, row, begin + lane))
        if begin + lane < src.shape[1]:
            dst[row, begin + lane] = value + carry
        carry += cuda.shfl_sync(FULL_WARP, value, 31)


@right("halves_of_halves")
@cuda.jit
def scan_rows(src, dst):
    row, lane = divmod(cuda.grid(1), WARP)
    n_rows, n_cols = src.shape
    if row < n_rows:
        carry = float32(0)
        begin = 0
        while begin < n_cols:
            value = carry + scan_by_halves(element(src, row, begin + lane))
            if begin + lane < n_cols:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)
            begin += WARP


@right("carry_enters_through_lane_0")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = element(src, row, begin + lane)
            if lane == 0:
                value += carry
            value = warp_scan(value)
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@right("written_out")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            x = src[row, begin + lane] if begin + lane < src.shape[1] else float32(0)
            y = cuda.shfl_up_sync(-1, x, 1)
            x = x + y if lane >= 1 else x
            y = cuda.shfl_up_sync(-1, x, 2)
            x = x + y if lane >= 2 else x
            y = cuda.shfl_up_sync(-1, x, 4)
            x = x + y if lane >= 4 else x
            y = cuda.shfl_up_sync(-1, x, 8)
            x = x + y if lane >= 8 else x
            y = cuda.shfl_up_sync(-1, x, 16)
            x = x + y if lane >= 16 else x
            x += carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = x
            carry = cuda.shfl_sync(-1, x, 31)


@right("spare_warps_come_along")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    n_cols = src.shape[1] if row < src.shape[0] else 0
    carry = float32(0)
    for turn in range((n_cols + WARP - 1) // WARP):
        col = turn * WARP + cuda.laneid
        inside = col < n_cols
        value = float32(0)
        if inside:
            value = src[row, col]
        value = warp_scan(value) + carry
        if inside:
            dst[row, col] = value
        carry = cuda.shfl_sync(FULL_WARP, value, WARP - 1)


@right("the_next_load_early")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        coming = element(src, row, lane)
        for begin in range(0, src.shape[1], WARP):
            value = coming
            coming = element(src, row, begin + WARP + lane)
            value = warp_scan(value) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("shuffle_in_the_branch", misconception="warp_mask", says="names lane 0")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = shuffle_in_the_branch(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("lanes_leave_at_the_end_of_the_row", misconception="warp_mask", says="names lane 31")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for col in range(lane, src.shape[1], WARP):
            value = warp_scan(src[row, col]) + carry
            dst[row, col] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("carry_asked_of_a_lane_that_is_not_there", misconception="warp_mask", says="the mask does not name")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
                carry = cuda.shfl_sync(cuda.activemask(), value, 31)


@wrong("no_guard_on_the_lowest_lanes", misconception="lowest_lanes_add_themselves", says="own value back")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = without_a_guard(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("no_carry", misconception="no_carry", says="carried")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane))
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value


@wrong("carry_of_the_last_turn_alone", misconception="carry_not_added_up", says="all that came before")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane))
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value + carry
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("each_lane_keeps_its_own_carry", misconception="carry_not_shared", says="lane 31")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = value


@wrong("sixteen_is_missing", misconception="half_a_warp", says="distance 16")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = one_too_few(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("itself_left_out", misconception="exclusive", says="without itself")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            x = element(src, row, begin + lane)
            value = warp_scan(x) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value - x
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("shuffles_down", misconception="shuffle_direction", says="move down")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        for begin in range(0, src.shape[1], WARP):
            value = moving_down(element(src, row, begin + lane))
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value


@wrong("one_lane_at_a_time", misconception="one_step_at_a_time", says="distances that double")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            x = element(src, row, begin + lane)
            value = float32(0)
            for k in range(WARP):
                heard = cuda.shfl_sync(FULL_WARP, x, k)
                if k <= lane:
                    value += heard
            value += carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("through_shared_memory_without_a_barrier", misconception="missing_barrier", says="syncwarp")
@cuda.jit
def scan_rows(src, dst):
    s = cuda.shared.array(THREADS, float32)
    row = cuda.grid(1) // WARP
    t = cuda.threadIdx.x
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            s[t] = element(src, row, begin + lane)
            d = 1
            while d < WARP:
                if lane >= d:
                    s[t] += s[t - d]
                d *= 2
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = s[t] + carry
            carry += s[t - lane + 31]


@wrong("through_shared_memory", misconception="shared_traffic", says="no shared memory")
@cuda.jit
def scan_rows(src, dst):
    s = cuda.shared.array(THREADS, float32)
    row = cuda.grid(1) // WARP
    t = cuda.threadIdx.x
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = element(src, row, begin + lane)
            d = 1
            while d < WARP:
                s[t] = value
                cuda.syncwarp()
                heard = s[t - d] if lane >= d else float32(0)
                cuda.syncwarp()
                value += heard
                d *= 2
            s[t] = value
            cuda.syncwarp()
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value + carry
            carry += s[t - lane + 31]
            cuda.syncwarp()


@wrong("a_thread_per_row", misconception="few_threads", says="threads do the work")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    if row < src.shape[0] and cuda.laneid == 0:
        acc = float32(0)
        for col in range(src.shape[1]):
            acc += src[row, col]
            dst[row, col] = acc


@right("two_turns_at_once")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], 2 * WARP):
            first = warp_scan(element(src, row, begin + lane)) + carry
            second = warp_scan(element(src, row, begin + WARP + lane)) + cuda.shfl_sync(FULL_WARP, first, 31)
            carry = cuda.shfl_sync(FULL_WARP, second, 31)
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = first
            if begin + WARP + lane < src.shape[1]:
                dst[row, begin + WARP + lane] = second


@wrong("lane_31_keeps_the_carry", misconception="carry_not_shared", says="lane 31 alone")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            if lane == 31:
                carry = value


@wrong("lane_0_is_asked_for_the_carry", misconception="carry_not_shared", says="sum is carried over")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = warp_scan(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 0)


@wrong("one_lane_too_high", misconception="lowest_lanes_add_themselves", says="at least d")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = greater_than(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)


@wrong("multiplied_by_a_condition", misconception="infinity_times_zero", says="infinity times 0")
@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    lane = cuda.laneid
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            value = multiplied(element(src, row, begin + lane)) + carry
            if begin + lane < src.shape[1]:
                dst[row, begin + lane] = value
            carry = cuda.shfl_sync(FULL_WARP, value, 31)
