"""The engine of unit 19's batch_uneven: it runs batches of sequences padded to a few lengths, and counts what it does.

Its model gives a number made of every element that the mask calls real and of the place where it stands, so a wrong
mask shows in the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MODULUS = 999_983


class JudgedLengths:
    """ends: the lengths that it takes, rising; most: rows of a batch. runs, elements: what ran so far, with padding."""

    def __init__(self, ends: Sequence[int], most: int) -> None:
        self.ends, self.most = np.array(ends, np.int64), int(most)
        self.runs = self.elements = 0

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedLengths:
        """An engine by its numbers. table: int64, rows of a batch and then the lengths."""
        most, *ends = table.tolist()
        return cls(ends, most)

    def run(self, batch: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """An answer for each row, (n_rows,) int64. batch: (n_rows, length) whole numbers; mask: (n_rows, length), where
        a row's own elements are. Raises: ValueError for what no profile of it takes."""
        batch, mask = np.asarray(batch), np.asarray(mask).astype(bool)
        if batch.ndim != 2 or mask.shape != batch.shape:
            raise ValueError(
                f"run takes a batch and a mask of one shape, (rows, length); got {batch.shape}, {mask.shape}"
            )
        n_rows, length = batch.shape
        if not 1 <= n_rows <= self.most:
            raise ValueError(f"a batch has 1 to {self.most} rows, and this one has {n_rows}")
        if length not in self.ends:
            raise ValueError(f"rows are {', '.join(map(str, self.ends))} long, and these are {length}")
        self.runs += 1
        self.elements += batch.size
        worth = (batch.astype(np.int64) + 1) * (np.arange(length) + 1)
        return np.where(mask, worth, 0).sum(axis=1) % MODULUS * 100 + mask.sum(axis=1) % 100


def table_of(ends: Sequence[int], most: int) -> np.ndarray:
    """An engine's numbers in one array."""
    return np.array([most, *ends], np.int64)
