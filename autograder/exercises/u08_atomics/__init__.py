"""Unit 08, atomics: its exercises in course order.

Eleven of them, since they are about five subjects and not one: a histogram, a cell and a pair of cells that many
change, a table without a lock, a queue of work, and what all blocks must know. None has a unit of its own.
"""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u08_atomics.contracts import (
    HISTOGRAM_COPIES,
    HISTOGRAM_GLOBAL,
    HISTOGRAM_SHARED,
    MAX_BY_CAS,
)
from autograder.exercises.u08_atomics.domains import DOMAINS, PROMISES
from autograder.exercises.u08_atomics.shared_jobs import BEST_UNDER_LOCK, LAST_BLOCK_SUM, WORK_QUEUE
from autograder.exercises.u08_atomics.shares import SHARES_OF_SUM
from autograder.exercises.u08_atomics.tables import BEST_PACKED, COUNT_KEYS, HISTOGRAM_ADAPTIVE
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        HISTOGRAM_GLOBAL,
        HISTOGRAM_SHARED,
        HISTOGRAM_COPIES,
        HISTOGRAM_ADAPTIVE,
        MAX_BY_CAS,
        BEST_UNDER_LOCK,
        BEST_PACKED,
        COUNT_KEYS,
        WORK_QUEUE,
        LAST_BLOCK_SUM,
        SHARES_OF_SUM,
    ),
    DOMAINS,
    PROMISES,
)
