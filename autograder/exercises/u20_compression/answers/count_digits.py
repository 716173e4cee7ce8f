"""Answers to compression.count_digits."""

from numba import cuda, int32, int64

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def digit_at(word, shift):
    return (word >> shift) & 255


@right("sign_taken_off_by_addition")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < bits.size:
        word = int64(bits[i])
        if word < 0:
            word += 0x80000000
        if word >> (shift + 8) == prefix:
            cuda.atomic.add(own, (word >> shift) & 255, 1)
        i += cuda.gridsize(1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, own[t])


@right("two_functions_and_a_stride_of_blocks")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array((256,), int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for first in range(cuda.blockIdx.x * 256, bits.size, 256 * cuda.gridDim.x):
        if first + t < bits.size:
            word = bits[first + t] & 0x7FFFFFFF
            if word >> shift >> 8 == prefix:
                cuda.atomic.add(own, digit_at(word, shift), 1)
    cuda.syncthreads()
    if own[t]:
        cuda.atomic.add(counts, t, own[t])


@right("prefix_shifted_up")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    first = prefix << 8
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        digit = ((bits[i] & 0x7FFFFFFF) >> shift) - first
        if 0 <= digit < 256:
            cuda.atomic.add(own, digit, 1)
    cuda.syncthreads()
    if own[t] != 0:
        cuda.atomic.add(counts, t, own[t])


@right("each_block_a_stretch")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    each = (bits.size + cuda.gridDim.x - 1) // cuda.gridDim.x
    first = each * cuda.blockIdx.x
    for i in range(first + t, min(first + each, bits.size), 256):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) % 256, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("sign_left_in", misconception="sign_counted", says="the sign")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0xFFFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("everybody_counts", misconception="prefix_ignored", says="upper digits are others")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        cuda.atomic.add(own, ((bits[i] & 0x7FFFFFFF) >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("digit_above", misconception="wrong_digit", says="the digit above")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> (shift + 8)) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("prefix_with_the_digit", misconception="prefix_at_the_digit", says="8 bits further up")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> shift == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("one_weight_per_thread", misconception="first_turn_only", says="in steps of the grid")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < bits.size:
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("straight_into_counts", misconception="global_atomics", says="shared memory")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(counts, (magnitude >> shift) & 255, 1)


@wrong("plain_addition", misconception="lost_update", says="atomic")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            own[(magnitude >> shift) & 255] += 1
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("no_barrier_before_counting", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("never_cleared", misconception="uninitialised_read", says="own")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


@wrong("finite_weights_alone", misconception="wrong_formula", says="the largest there are")
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()  # every counter is 0
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude < 0x7F800000 and magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()  # all threads have counted
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])  # one for each digit that the block met
