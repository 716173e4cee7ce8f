"""Unit 09, streams: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u09_streams.contracts import AFTER_BOTH, IN_CHUNKS, ONE_STREAM, TWO_BUFFERS
from autograder.exercises.u09_streams.domains import DOMAINS, PROMISES
from autograder.exercises.u09_streams.host_side import AS_GRAPH, SHARED_JOB
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        ONE_STREAM,
        IN_CHUNKS,
        AFTER_BOTH,
        TWO_BUFFERS,
        SHARED_JOB,
        AS_GRAPH,
    ),
    DOMAINS,
    PROMISES,
)
