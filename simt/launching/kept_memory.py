"""Lets the C library keep what a batch of blocks frees, for the next batch.

glibc maps every large array anew and unmaps it when it is freed, so that each temporary costs a page fault for every
4 KiB. How large is large grows with the largest mapped array that was ever freed, and so does the free memory that it
keeps: one array, never touched, sets both for the process. Elsewhere this does nothing. Source: mallopt(3),
M_MMAP_THRESHOLD and M_TRIM_THRESHOLD.
"""

from __future__ import annotations

from functools import cache

import numpy as np

LARGEST_KEPT_BYTES = 24 << 20  # above every temporary of a batch; glibc grows its threshold to 32 MiB at most


@cache
def keep_freed_memory() -> None:
    """Once in a process, before the first launch. The array has no pages, as nothing is written to it."""
    np.empty(LARGEST_KEPT_BYTES, np.uint8)
