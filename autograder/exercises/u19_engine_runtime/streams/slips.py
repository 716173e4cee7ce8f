"""Wrong results of unit 19's two_streams that betray their cause."""

from __future__ import annotations

from autograder.contract import Slip
from autograder.exercises.u19_engine_runtime.streams.device import JudgedStreams
from autograder.exercises.u19_engine_runtime.streams.values import Procedure, begin, by, in_flight


def each_waited_for(device: JudgedStreams, n: int) -> list[int]:
    """Two streams in turns, and every batch is waited for as soon as it has begun."""
    answers = []
    for b in range(n):
        begin(device, b % 2, b)
        device.wait(b % 2)
        answers.append(device.take(b % 2))
    return answers


def all_waited_for(device: JudgedStreams, n: int) -> list[int]:
    """Two batches at a time: both are waited for before the next two begin."""
    answers = []
    for first in range(0, n, 2):
        pair = range(first, min(first + 2, n))
        for b in pair:
            begin(device, b % 2, b)
        for b in pair:
            device.wait(b % 2)
        answers += [device.take(b % 2) for b in pair]
    return answers


def filled_early(device: JudgedStreams, n: int, waits: bool = False) -> list[int]:
    """A buffer is filled again before its stream is waited for, or before its answers are taken."""
    answers = []
    for b in range(n + 2):
        s = b % 2
        if waits:
            device.wait(s)
        if b < n:
            device.fill(s, b)
        if b >= 2 and b - 2 < n:
            device.wait(s)
            answers.append(device.take(s))
        if b < n:
            for put in (device.copy_in, device.run, device.copy_out):
                put(s)
    return answers


def taken_early(device: JudgedStreams, n: int) -> list[int]:
    """Answers are taken before their stream is waited for."""
    answers = []
    for b in range(n + 2):
        if b >= 2 and b - 2 < n:
            answers.append(device.take(b % 2))
            device.wait(b % 2)
        if b < n:
            begin(device, b % 2, b)
    return answers


def last_ones_left(device: JudgedStreams, n: int) -> list[int]:
    """The last two batches are waited for by nobody."""
    answers = []
    for b in range(n):
        if b >= 2:
            device.wait(b % 2)
            answers.append(device.take(b % 2))
        begin(device, b % 2, b)
    return answers + [0] * min(2, n)


def newest_waited_for(device: JudgedStreams, n: int) -> list[int]:
    """Answers are kept two places too late."""
    answers = in_flight(device, n)
    return [*answers[-2:], *answers[:-2]]


def told(misconception: str, says: str, procedure: Procedure) -> Slip:
    """A slip of two_streams."""
    return Slip(misconception, says, by(procedure))


STREAMS = (
    told(
        "one_stream",
        "one batch is in flight at a time, so copies wait for runs and runs for copies: begin a batch in the other "
        "stream before you wait for this one",
        each_waited_for,
    ),
    told(
        "all_waited_for",
        "both streams are waited for before the next two batches begin: wait for the one whose buffer you need",
        all_waited_for,
    ),
    told(
        "filled_early",
        "a buffer was filled while a copy of its last batch was still to come: wait for its stream first",
        filled_early,
    ),
    told(
        "filled_early",
        "a buffer was filled while answers still lay in it: take them first",
        lambda device, n: filled_early(device, n, waits=True),
    ),
    told(
        "taken_early",
        "answers were taken before their stream had brought them: wait for the stream, then take",
        taken_early,
    ),
    told(
        "last_ones_left",
        "the last two batches were begun and never taken: two are in flight when the batches are all begun",
        last_ones_left,
    ),
    told(
        "other_batchs_answer",
        "answers stand two places off: what lies in a buffer belongs to the batch that was filled in there last",
        newest_waited_for,
    ),
)
