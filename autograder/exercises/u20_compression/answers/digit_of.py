"""Answers to compression.digit_of."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("sums_from_above")
def digit_of(counts, keep):
    above = np.cumsum(counts[::-1])
    at = np.searchsorted(above, keep)
    return len(counts) - 1 - at, keep - (above[at] - counts[::-1][at])


@right("for_and_break")
def digit_of(counts, keep):
    seen = 0
    for digit in range(len(counts) - 1, -1, -1):
        if seen + counts[digit] >= keep:
            break
        seen += counts[digit]
    return digit, keep - seen


@right("all_sums_compared")
def digit_of(counts, keep):
    digit = max(d for d in range(len(counts)) if counts[d:].sum() >= keep)
    return digit, keep - counts[digit + 1 :].sum()


@right("digits_one_by_one")
def digit_of(counts, keep):
    digits = np.repeat(np.arange(len(counts)), counts)[::-1]
    digit = digits[keep - 1]
    return digit, keep - np.count_nonzero(digits > digit)


@wrong("from_the_smallest", misconception="from_below", says="smallest magnitudes are counted first")
def digit_of(counts, keep):
    digit = 0
    while keep > counts[digit]:
        keep -= counts[digit]
        digit += 1
    return digit, keep


@wrong("more_than_keep", misconception="passed_not_reached", says="reached is enough")
def digit_of(counts, keep):
    digit = len(counts) - 1
    while digit > 0 and keep >= counts[digit]:
        keep -= counts[digit]
        digit -= 1
    return digit, keep


@wrong("keep_as_it_came", misconception="left_not_reduced", says="left is keep itself")
def digit_of(counts, keep):
    digit, wanted = len(counts) - 1, keep
    while wanted > counts[digit]:
        wanted -= counts[digit]
        digit -= 1
    return digit, keep


@wrong("those_that_go", misconception="left_upside_down", says="how many of it stay")
def digit_of(counts, keep):
    digit = len(counts) - 1
    while keep > counts[digit]:
        keep -= counts[digit]
        digit -= 1
    return digit, counts[digit] - keep


@wrong("place_from_above", misconception="next_digit", says="one too large")
def digit_of(counts, keep):
    above = np.cumsum(counts[::-1])
    at = np.searchsorted(above, keep)
    return len(counts) - at, keep - (above[at] - counts[::-1][at])


@wrong("left_without_the_last", misconception="left_off_by_one", says="left is one too small")
def digit_of(counts, keep):
    above = np.cumsum(counts[::-1])
    at = np.searchsorted(above, keep)
    return len(counts) - 1 - at, keep - (above[at] - counts[::-1][at]) - 1


@wrong("one_digit_further", misconception="next_digit", says="one too small")
def digit_of(counts, keep):
    digit = len(counts)
    left = keep
    while keep > 0:
        digit -= 1
        left = keep
        keep -= counts[digit]
    return digit - 1, left
