"""Answers to atomics.work_queue."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_total(value):
    d = WARP // 2
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@cuda.jit(device=True)
def row_total(src, offsets, row, lane):
    acc = float32(0)
    for i in range(offsets[row] + lane, offsets[row + 1], WARP):
        acc += src[i]
    return warp_total(acc)


@cuda.jit(device=True)
def draw(next_row, lane):
    row = 0
    if lane == 0:
        row = cuda.atomic.add(next_row, 0, 1)
    return cuda.shfl_sync(FULL_WARP, row, 0)


@right("draws_before_and_after")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.laneid
    row = draw(next_row, lane)
    while row < sums.size:
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total
        row = draw(next_row, lane)


@right("endless_until_break")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x & 31
    while True:
        row = draw(next_row, lane)
        if row >= sums.size:
            break
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@right("returns_when_empty")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    while True:
        row = draw(next_row, lane)
        if row >= len(sums):
            return
        acc = float32(0)
        i = offsets[row] + lane
        while i < offsets[row + 1]:
            acc += src[i]
            i += WARP
        d = 1
        while d < WARP:
            acc += cuda.shfl_xor_sync(FULL_WARP, acc, d)
            d *= 2
        if lane == 31:
            sums[row] = acc


@right("draws_the_next_one_early")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = draw(next_row, lane)
    while row < sums.size:
        coming = draw(next_row, lane)
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total
        row = coming


@right("atomic_inc")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = int32(0)
    while row < sums.size:
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, int32(1))
        row = cuda.shfl_sync(FULL_WARP, row, 0)
        if row < sums.size:
            total = row_total(src, offsets, row, lane)
            if lane == 0:
                sums[row] = total


@right("last_lane_draws")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        if lane == WARP - 1:
            row = cuda.atomic.add(next_row, 0, 1)
        row = cuda.shfl_sync(FULL_WARP, row, WARP - 1)
        if row < sums.size:
            total = row_total(src, offsets, row, lane)
            if lane == 0:
                sums[row] = total


@right("first_row_by_its_own_number")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    while row < sums.size:
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total
        row = cuda.gridsize(1) // WARP + draw(next_row, lane)


@wrong("no_shuffle", misconception="infinite_loop", says="never ends", outcome="TimedOut")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, 1)
        if row < sums.size:
            total = row_total(src, offsets, row, lane)
            if lane == 0:
                sums[row] = total


@wrong("every_lane_draws", misconception="every_lane_draws", says="one lane draws")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    row = cuda.atomic.add(next_row, 0, 1)
    while row < sums.size:
        acc = float32(0)
        for i in range(offsets[row], offsets[row + 1]):
            acc += src[i]
        sums[row] = acc
        row = cuda.atomic.add(next_row, 0, 1)


@wrong("equal_shares", misconception="shares_instead_of_queue", says="drawn from the queue")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    for row in range(cuda.grid(1) // WARP, sums.size, cuda.gridsize(1) // WARP):
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@wrong("draws_and_walks_equal_shares", misconception="shares_instead_of_queue", says="decides nothing")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    for row in range(cuda.grid(1) // WARP, sums.size, cuda.gridsize(1) // WARP):
        draw(next_row, lane)
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@wrong("draws_to_know_when_to_stop", misconception="shares_instead_of_queue", says="decides when a warp stops")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    for row in range(cuda.grid(1) // WARP, sums.size, cuda.gridsize(1) // WARP):
        if draw(next_row, lane) >= sums.size:
            return
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@wrong("draws_without_an_atomic", misconception="lost_update", says="next_row[0]")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        if lane == 0:
            row = next_row[0]
            next_row[0] = row + 1
        row = cuda.shfl_sync(FULL_WARP, row, 0)
        if row < sums.size:
            total = row_total(src, offsets, row, lane)
            if lane == 0:
                sums[row] = total


@wrong("one_row_per_warp", misconception="missing_tail", says="never written")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = draw(next_row, lane)
    if row < sums.size:
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@wrong("no_guard_after_drawing", misconception="no_guard", says="outside")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        row = draw(next_row, lane)
        total = row_total(src, offsets, row, lane)
        if lane == 0:
            sums[row] = total


@wrong("lane_0_alone", misconception="lanes_alone", says="lane 0 found alone")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        row = draw(next_row, lane)
        if row < sums.size:
            acc = float32(0)
            for i in range(offsets[row] + lane, offsets[row + 1], WARP):
                acc += src[i]
            if lane == 0:
                sums[row] = acc


@wrong("one_lane_adds", misconception="few_threads", says="threads")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    if cuda.threadIdx.x % WARP == 0:
        row = cuda.atomic.add(next_row, 0, 1)
        while row < sums.size:
            acc = float32(0)
            for i in range(offsets[row], offsets[row + 1]):
                acc += src[i]
            sums[row] = acc
            row = cuda.atomic.add(next_row, 0, 1)


@wrong("accumulator_is_a_double", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        row = draw(next_row, lane)
        if row < sums.size:
            acc = 0.0
            for i in range(offsets[row] + lane, offsets[row + 1], WARP):
                acc += src[i]
            total = warp_total(acc)
            if lane == 0:
                sums[row] = total
