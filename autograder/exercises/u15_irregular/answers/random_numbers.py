"""Answers to irregular.random_numbers."""

import numpy as np
from numba import cuda, uint32, uint64

from autograder.exercises.catalogue import right, wrong

MULTIPLIER = np.uint64(0xD256D193)
KEY_STEP = np.uint32(0x9E3779B9)


@cuda.jit(device=True)
def philox(i, stream, seed):
    left, right_word, key = uint32(i), uint32(stream), uint32(seed)
    for _ in range(10):
        product = MULTIPLIER * left
        left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
        key = uint32(key + KEY_STEP)
    return left


@cuda.jit(device=True)
def masked(i, stream, seed):
    a = i & 0xFFFFFFFF
    b = uint64(stream)
    key = uint64(seed)
    for _ in range(10):
        p = uint64(0xD256D193) * uint64(a)
        a = (p >> uint64(32)) ^ key ^ b
        b = p & uint64(0xFFFFFFFF)
        key = (key + uint64(0x9E3779B9)) & uint64(0xFFFFFFFF)
    return a


@right("masks_in_place_of_uint32")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = masked(i, stream, seed)


@right("one_function_and_a_while_loop")
@cuda.jit
def random_numbers(seed, stream, numbers):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    while i < numbers.shape[0]:
        hi, lo, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            product = uint64(hi) * MULTIPLIER
            hi = uint32(uint32(product >> 32) ^ lo ^ key)
            lo = uint32(product & 0xFFFFFFFF)
            key = uint32(key + KEY_STEP)
        numbers[i] = hi
        i += cuda.gridDim.x * cuda.blockDim.x


@cuda.jit(device=True)
def one_round(left, right_word, key):
    product = MULTIPLIER * left
    return uint32(uint32(product >> 32) ^ key ^ right_word), uint32(product)


@right("one_round_at_a_time")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        a, b = uint32(i), stream
        for r in range(10):
            a, b = one_round(a, b, uint32(seed + r * KEY_STEP))
        numbers[i] = a


@cuda.jit(device=True)
def by_high_product(i, stream, seed):
    left, right_word, key = uint32(i), uint32(stream), uint32(seed)
    for _ in range(10):
        low = uint32(uint32(0xD256D193) * left)
        high = uint32((uint64(left) * MULTIPLIER) // uint64(1 << 32))
        left = high ^ (key ^ right_word)
        right_word = low
        key = uint32(key + KEY_STEP)
    return uint32(left)


@right("both_halves_apart")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = by_high_product(i, stream, seed)


@right("key_counted_up_first_but_for_the_first_round")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word = uint32(i), uint32(stream)
        key = uint32(seed)
        for r in range(10):
            if r > 0:
                key = uint32(key + KEY_STEP)
            product = MULTIPLIER * left
            left = uint32(product >> 32) ^ key ^ right_word
            right_word = uint32(product)
        numbers[i] = left


@right("an_array_of_two_words")
@cuda.jit
def random_numbers(seed, stream, numbers):
    words = cuda.local.array(2, uint32)
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        words[0], words[1], key = i, stream, uint32(seed)
        for _ in range(10):
            product = MULTIPLIER * words[0]
            words[0] = uint32(product >> 32) ^ key ^ words[1]
            words[1] = uint32(product)
            key = uint32(key + KEY_STEP)
        numbers[i] = words[0]


@wrong("counter_is_the_thread", misconception="thread_not_number", says="the numbers repeat")
@cuda.jit
def random_numbers(seed, stream, numbers):
    thread = cuda.grid(1)
    for i in range(thread, numbers.size, cuda.gridsize(1)):
        numbers[i] = philox(thread, stream, seed)


@wrong("one_number_per_thread", misconception="missing_tail", says="was never written")
@cuda.jit
def random_numbers(seed, stream, numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        numbers[i] = philox(i, stream, seed)


@wrong("a_run_for_each_thread", misconception="uncoalesced", says="sectors")
@cuda.jit
def random_numbers(seed, stream, numbers):
    each = (numbers.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * each
    for i in range(first, min(first + each, numbers.size)):
        numbers[i] = philox(i, stream, seed)


@wrong("seed_per_number", misconception="seed_per_number", says="i is the counter, seed the key")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = philox(0, stream, uint32(seed + i))


@wrong("stream_left_at_zero", misconception="stream_forgotten", says="all streams are the same")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = philox(i, 0, seed)


@wrong("counter_words_exchanged", misconception="words_exchanged", says="i and stream are exchanged")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = philox(stream, i, seed)


@wrong("second_word_stored", misconception="words_exchanged", says="the second word was stored")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            product = MULTIPLIER * left
            left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
            key = uint32(key + KEY_STEP)
        numbers[i] = right_word


@wrong("halves_exchanged", misconception="words_exchanged", says="the halves of the product are exchanged")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            product = MULTIPLIER * left
            left, right_word = uint32(product) ^ key ^ right_word, uint32(product >> 32)
            key = uint32(key + KEY_STEP)
        numbers[i] = left


@wrong("nine_rounds", misconception="rounds", says="there were 9 rounds")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(1, 10):
            product = MULTIPLIER * left
            left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
            key = uint32(key + KEY_STEP)
        numbers[i] = left


@wrong("key_steps_first", misconception="key_steps", says="before the first round")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            key = uint32(key + KEY_STEP)
            product = MULTIPLIER * left
            left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
        numbers[i] = left


@wrong("key_stands_still", misconception="key_steps", says="the key is the same in all rounds")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word = uint32(i), uint32(stream)
        for _ in range(10):
            product = MULTIPLIER * left
            left, right_word = uint32(product >> 32) ^ seed ^ right_word, uint32(product)
        numbers[i] = left


@wrong("right_word_left_out", misconception="left_out", says="the old right word does not go into the left word")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, key = uint32(i), uint32(seed)
        for _ in range(10):
            product = MULTIPLIER * left
            left = uint32(product >> 32) ^ key
            key = uint32(key + KEY_STEP)
        numbers[i] = left


@wrong("new_right_word_used", misconception="new_word_used", says="the right word from before the round")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            product = MULTIPLIER * left
            right_word = uint32(product)
            left = uint32(product >> 32) ^ key ^ right_word
            key = uint32(key + KEY_STEP)
        numbers[i] = left


@wrong("product_of_32_bits", misconception="product_cut", says="needs 64 bits")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint32(i), uint32(stream), uint32(seed)
        for _ in range(10):
            product = uint32(MULTIPLIER * left)
            left, right_word = uint32(product >> 32) ^ key ^ right_word, uint32(product)
            key = uint32(key + KEY_STEP)
        numbers[i] = left


@wrong("key_grows", misconception="key_not_cut", says="the key grew past 32 bits")
@cuda.jit
def random_numbers(seed, stream, numbers):
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        left, right_word, key = uint64(i), uint64(stream), uint64(seed)
        for _ in range(10):
            product = MULTIPLIER * left
            left = (product >> uint64(32)) ^ key ^ right_word
            right_word = product & uint64(0xFFFFFFFF)
            key = key + uint64(KEY_STEP)
        numbers[i] = left


@wrong("next_number_from_the_last", misconception="wrong_formula", says="numbers")
@cuda.jit
def random_numbers(seed, stream, numbers):
    number = philox(cuda.grid(1), stream, seed)
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = number
        number = philox(number, stream, seed)
