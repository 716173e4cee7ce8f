"""Answers to vector_add.blocks_for."""

import math

from autograder.exercises.catalogue import right, style, wrong


@right("math_ceil")
def blocks_for(n, threads):
    return max(math.ceil(n / threads), 1)


@right("negative_floor")
def blocks_for(n, threads):
    if n == 0:
        return 1
    return -(-n // threads)


@right("counts_the_remainder")
def blocks_for(n, threads):
    full, left_over = divmod(n, threads)
    return full + (1 if left_over or not full else 0)


@wrong("rounds_down", misconception="missing_tail", says="without a block")
def blocks_for(n, threads):
    return n // threads


@wrong("rounds_down_but_at_least_one", misconception="missing_tail", says="without a block")
def blocks_for(n, threads):
    return max(1, n // threads)


@wrong("always_one_more", misconception="off_by_one", says="one block too many")
def blocks_for(n, threads):
    return n // threads + 1


@wrong("no_block_for_nothing", misconception="launch_too_small", says="0 blocks")
def blocks_for(n, threads):
    return (n + threads - 1) // threads


@wrong("a_float", misconception="wrong_return", says="a float, expected a whole number")
def blocks_for(n, threads):
    return max(1, n / threads)


@wrong("forgets_to_return", misconception="wrong_return", says="returned None")
def blocks_for(n, threads):
    max(1, (n + threads - 1) // threads)


@style("divmod")
def blocks_for(n, threads):
    whole, rest = divmod(n, threads)
    return max(whole + bool(rest), 1)


@style("negative_floor_or_one")
def blocks_for(n: int, threads: int) -> int:
    return -(-n // threads) or 1


@style("loop")
def blocks_for(n, threads):
    blocks = 1
    while blocks * threads < n:
        blocks *= 2
    low = blocks // 2
    while low + 1 < blocks:
        mid = (low + blocks) // 2
        if mid * threads < n:
            low = mid
        else:
            blocks = mid
    return blocks


@style("ceil_of_a_float")
def blocks_for(n, threads):
    return max(1, math.ceil(n / threads))


@wrong("always_256", misconception="fixed_block", says="256 threads only")
def blocks_for(n, threads):
    return max(1, (n + 255) // 256)
