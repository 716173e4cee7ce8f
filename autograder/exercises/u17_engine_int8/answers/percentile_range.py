"""Answers to engine_int8.percentile_range."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("searched")
def percentile_range(counts, width, share):
    return np.searchsorted(np.cumsum(counts) / np.sum(counts), share) * width


@right("a_loop_that_stops")
def percentile_range(counts, width, share):
    total = sum(int(count) for count in counts)
    below = 0
    for b, count in enumerate(counts):
        below += int(count)
        if below / total >= share:
            return b * width
    return len(counts) * width


@right("first_true_of_a_mask")
def percentile_range(counts, width, share):
    reached = np.cumsum(counts) >= share * np.sum(counts)
    return float(np.argmax(reached)) * width


@right("bins_that_do_not_reach_it")
def percentile_range(counts, width, share):
    below = np.cumsum(counts) / np.sum(counts)
    return np.count_nonzero(below < share) * width


@right("edges_of_an_array")
def percentile_range(counts, width, share):
    edges = np.arange(len(counts) + 1) * width
    cdf = np.cumsum(counts, dtype=np.float64)
    cdf /= cdf[-1]
    return edges[np.flatnonzero(cdf >= share)[0]]


@right("from_the_end_down")
def percentile_range(counts, width, share):
    left, b = np.sum(counts), len(counts)
    total = left
    while b > 0 and left >= share * total:
        b -= 1
        left -= counts[b]
    return b * width


@wrong("upper_edge", misconception="upper_edge", says="one bin too large")
def percentile_range(counts, width, share):
    return (np.searchsorted(np.cumsum(counts) / np.sum(counts), share) + 1) * width


@wrong("middle_of_the_bin", misconception="middle_of_bin", says="half a bin too large")
def percentile_range(counts, width, share):
    return (np.searchsorted(np.cumsum(counts) / np.sum(counts), share) + 0.5) * width


@wrong("more_than_the_share", misconception="passed_not_reached", says="reached is enough")
def percentile_range(counts, width, share):
    return np.searchsorted(np.cumsum(counts) / np.sum(counts), share, side="right") * width


@wrong("a_share_of_the_bins", misconception="share_of_bins", says="the share of the bins")
def percentile_range(counts, width, share):
    return int(share * len(counts)) * width


@wrong("a_share_of_the_largest", misconception="share_of_the_largest", says="a share of the largest")
def percentile_range(counts, width, share):
    return share * len(counts) * width


@wrong("what_is_cut_below", misconception="wrong_end", says="1 - share of the magnitudes")
def percentile_range(counts, width, share):
    return np.searchsorted(np.cumsum(counts) / np.sum(counts), 1 - share) * width


@wrong("number_of_the_bin", misconception="bin_number", says="the number of a bin")
def percentile_range(counts, width, share):
    return float(np.searchsorted(np.cumsum(counts) / np.sum(counts), share))


@wrong("scale_in_place_of_range", misconception="scale_for_range", says="this is the scale")
def percentile_range(counts, width, share):
    return np.searchsorted(np.cumsum(counts) / np.sum(counts), share) * width / 127
