"""How large a magnitude INT8 shall reach, from a histogram: largest, percentile, least divergence, least error.

Source: the method that NVIDIA's open quantisation toolkit documents for its histogram calibrator; TensorRT's own is
closed.
"""

from __future__ import annotations

import numpy as np

from minitrt.calibration.histogram import Histogram

LEVELS = 128  # magnitudes that INT8 tells apart
PERCENTILE = 0.9999
EQUAL = 1e-9  # divergences no further apart are rounding; few distinct values give many of 0
SPIKE, AROUND = 4.0, 64  # how far a bin may stand out, and from how many on either side
IMPOSSIBLE = 1e-4  # values that Q allows where it has none and P has: the divergence stays finite, and grows


def largest(histogram: Histogram) -> float:
    """All of it: nothing is clipped."""
    return histogram.amax


def percentile(histogram: Histogram, share: float = PERCENTILE) -> float:
    """The lower edge of the first bin with which `share` of all values is reached."""
    if histogram.counts is None:
        return histogram.amax
    cumulated = np.cumsum(histogram.counts) / histogram.counts.sum()
    return float(histogram.edges[min(np.searchsorted(cumulated, share), len(histogram.counts))])


def entropy(histogram: Histogram) -> float:
    """The range whose quantised distribution diverges least from the clipped one (Kullback and Leibler).

    Bin 0 counts as much as its neighbour, and no other bin much more than those around it (`without_spikes`): a value
    that half of a tensor has, the zero of a ReLU or the floor of another activation, would outweigh all else, and the
    range would come out far too small. Of equal divergences the largest range is taken.
    """
    if histogram.counts is None or len(histogram.counts) <= LEVELS:
        return histogram.amax
    bins = histogram.counts.astype(np.float64).copy()
    bins[0] = bins[1]
    bins = without_spikes(bins)
    ends = np.arange(LEVELS, len(bins) + 1)
    found = divergences(bins, ends)
    return float(ends[np.flatnonzero(found <= found.min() + EQUAL)[-1]] * histogram.width)


def without_spikes(bins: np.ndarray) -> np.ndarray:
    """The bins, none above SPIKE times the median of the filled ones within AROUND bins of it.

    `max(x, -0.4)` has a spike one bin wide, hard-swish, SiLU and GELU a hill of a few dozen before their least value.
    """
    filled = np.flatnonzero(bins)
    padded = np.pad(np.where(bins > 0, bins, np.nan), AROUND, constant_values=np.nan)
    neighbours = np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1)[filled]
    capped = bins.copy()
    capped[filled] = np.minimum(bins[filled], SPIKE * np.nanmedian(neighbours, axis=1))
    return capped


def divergences(bins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """KL(P || Q) for every end: P is bins[:end] with all that lies beyond added to its last bin; Q is bins[:end] summed
    into LEVELS groups of equal width, each group spread evenly over its bins that are not empty. A range that would
    clip half of all values is none: where nothing is small, as behind a mean of ReLUs, the one that ends at the
    smallest value has everything in its last bin, and does not diverge at all.

    Within a group Q is constant, so sums over bins are differences of running sums: no loop over ends, none over bins.
    """
    total = bins.sum()
    running = np.concatenate([[0.0], np.cumsum(bins)])
    filled = np.concatenate([[0], np.cumsum(bins > 0)])
    own = np.concatenate([[0.0], np.cumsum(times_log(bins, bins))])
    bounds = -(-np.arange(LEVELS + 1) * ends[:, None] // LEVELS)
    sums, members = np.diff(running[bounds], axis=1), np.diff(filled[bounds], axis=1)
    level = sums / np.maximum(members, 1)
    last, beyond = bins[ends - 1], total - running[ends]
    p_log_p = own[ends] - times_log(last, last) + times_log(last + beyond, last + beyond)
    level_of_last = np.where(last > 0, level[:, -1], IMPOSSIBLE)
    p_log_q = times_log(sums, level).sum(axis=1) + times_log(beyond, level_of_last)
    kept = running[ends]
    found = (p_log_p - p_log_q) / total - np.log(total) + np.log(np.where(kept > 0, kept, 1.0))
    return np.where(2 * kept > total, found, np.inf)


def times_log(factor: np.ndarray, x: np.ndarray) -> np.ndarray:
    """factor * log(x), 0 where x is 0."""
    return factor * np.log(np.where(x > 0, x, 1.0))


def mean_square(histogram: Histogram, steps: int = 512) -> float:
    """The range that loses least to rounding and clipping together, of at most `steps` tried."""
    if histogram.counts is None:
        return histogram.amax
    centres = (histogram.edges[:-1] + histogram.edges[1:]) / 2
    weights = histogram.counts / histogram.counts.sum()
    tried = centres[np.unique(np.linspace(LEVELS // 8, len(centres) - 1, steps).astype(int))]
    errors = []
    for amax in tried:
        scale = amax / 127
        stored = np.minimum(np.rint(centres / scale), 127) * scale
        errors.append(np.sum(np.square(stored - centres) * weights))
    return float(tried[int(np.argmin(errors))])
