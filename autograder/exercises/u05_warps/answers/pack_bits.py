"""Answers to warps.pack_bits."""

from numba import cuda, int32, uint32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def above_limit(src, limit, i):
    if i < src.size:
        return src[i] > limit
    return False


@right("a_function_for_the_guard")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, above_limit(src, limit, i))
    if cuda.laneid == 0 and i < src.size:
        words[i // WARP] = uint32(bits)


@right("if_else_first")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    above = False
    if i < src.size:
        above = src[i] > limit
    bits = cuda.ballot_sync(-1, above)
    word = i // WARP
    if i == WARP * word and word < words.size:
        words[word] = bits


@right("whole_warps_leave")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    word, lane = divmod(i, WARP)
    if word >= words.size:
        return
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
    if lane == 0:
        words[word] = bits


@right("mask_of_those_with_an_element")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < src.size)
    if i < src.size:
        bits = cuda.ballot_sync(mask, src[i] > limit)
        if i % WARP == 0:
            words[i // WARP] = bits


@right("last_lane_that_exists_stores")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    x = src[i] if i < src.size else limit
    bits = cuda.ballot_sync(FULL_WARP, x > limit)
    if i < src.size and (i % WARP == WARP - 1 or i == src.size - 1):
        words[i // WARP] = bits


@right("grid_stride_in_whole_warps")
@cuda.jit
def pack_bits(src, limit, words):
    lane = cuda.laneid
    for word in range(cuda.grid(1) // WARP, words.size, cuda.gridsize(1) // WARP):
        i = word * WARP + lane
        bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
        if lane == 0:
            words[word] = bits


@wrong("spare_lanes_leave", misconception="warp_mask", says="names lane 31")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i < src.size:
        bits = cuda.ballot_sync(FULL_WARP, src[i] > limit)
        if i % WARP == 0:
            words[i // WARP] = bits


@wrong("vote_inside_the_branch", misconception="warp_mask", says="mask")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = 0
    if i < src.size and src[i] > limit:
        bits = cuda.ballot_sync(FULL_WARP, True)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("only_lane_0_asks", misconception="warp_mask", says="mask")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    above = i < src.size and src[i] > limit
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = cuda.ballot_sync(FULL_WARP, above)


@wrong("mask_of_one_lane", misconception="warp_mask", says="own lane")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(1, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("mask_of_32", misconception="warp_mask", says="own lane")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(WARP, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("past_the_end", misconception="no_guard", says="outside the array")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("lane_0_is_the_highest_bit", misconception="bit_order", says="lane 0 is the lowest")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = cuda.brev(uint32(bits))


@wrong("at_least_the_limit", misconception="at_least", says="greater")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] >= limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("how_many", misconception="counted_lanes", says="not which ones")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = cuda.popc(bits)


@wrong("every_lane_stores", misconception="every_lane_writes", says="one of them")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
    if i < src.size:
        words[i // WARP] = bits


@wrong("any_in_place_of_ballot", misconception="yes_or_no", says="not which ones")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.any_sync(FULL_WARP, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("one_thread_collects_32", misconception="one_lane_collects", says="32 neighbours")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i < words.size:
        bits = uint32(0)
        for lane in range(WARP):
            if WARP * i + lane < src.size and src[WARP * i + lane] > limit:
                bits |= uint32(1) << uint32(lane)
        words[i] = bits


@wrong("atomic_or", misconception="atomics_for_bits", says="without memory")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i < src.size and i % WARP == 0:
        words[i // WARP] = 0
    cuda.syncthreads()
    if i < src.size and src[i] > limit:
        cuda.atomic.or_(words, i // WARP, uint32(1) << uint32(i % WARP))


@right("spare_lanes_have_left_for_good")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i >= src.size:
        return
    bits = cuda.ballot_sync(FULL_WARP, src[i] > limit)
    if i % WARP == 0:
        words[i // WARP] = bits


@wrong("five_shuffles_for_the_bits", misconception="many_votes", says="one ballot")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = int32(0)
    if i < src.size and src[i] > limit:
        bits = int32(1 << i % WARP)
    d = 16
    while d > 0:
        bits |= cuda.shfl_xor_sync(FULL_WARP, int32(bits), d)
        d //= 2
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("sixteen_bits", misconception="warp_mask", says="own lane")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(0xFFFF, i < src.size and src[i] > limit)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits


@wrong("words_without_a_guard", misconception="no_guard", says="outside the array")
@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    bits = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
    if i % WARP == 0:
        words[i // WARP] = bits
