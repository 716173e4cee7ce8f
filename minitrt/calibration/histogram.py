"""A histogram of magnitudes that grows: bins keep their width, more are appended when larger values come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BINS = 2048


@dataclass
class Histogram:
    """counts: of |x| in equal bins from 0; width: of one bin; amax: the largest |x| seen."""

    counts: np.ndarray | None = None
    width: float = 0.0
    amax: float = 0.0

    def add(self, array: np.ndarray) -> None:
        """Count a batch. The first batch's largest magnitude decides the bins' width; NaN and infinity are left out."""
        magnitudes = np.abs(array[np.isfinite(array)].astype(np.float32)).ravel()
        if not magnitudes.size:
            return
        largest = float(magnitudes.max())
        self.amax = max(self.amax, largest)
        if self.width == 0:
            if largest == 0:
                return
            self.width, self.counts = largest / BINS, np.zeros(BINS, np.int64)
        bins = max(len(self.counts), int(np.ceil(largest / self.width - 1e-6)))
        if bins > len(self.counts):
            self.counts = np.concatenate([self.counts, np.zeros(bins - len(self.counts), np.int64)])
        self.counts += np.histogram(magnitudes, bins=bins, range=(0, bins * self.width))[0]

    @property
    def edges(self) -> np.ndarray:
        """Bin i lies between edges i and i + 1."""
        return np.arange(len(self.counts) + 1) * self.width
