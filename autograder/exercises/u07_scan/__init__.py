"""Unit 07, scan, compact, sort: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u07_scan.blocks import SCAN_BLELLOCH, SCAN_BLOCK, SCAN_DEVICE, SCAN_HILLIS_STEELE
from autograder.exercises.u07_scan.domains import DOMAINS, PROMISES
from autograder.exercises.u07_scan.one_pass import COMPACT, RADIX_SORT, SCAN_LOOKBACK
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        SCAN_HILLIS_STEELE,
        SCAN_BLELLOCH,
        SCAN_BLOCK,
        SCAN_DEVICE,
        SCAN_LOOKBACK,
        COMPACT,
        RADIX_SORT,
    ),
    DOMAINS,
    PROMISES,
)
