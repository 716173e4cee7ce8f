"""The timeline follows from the order, the bytes and the rates, and from nothing else."""

from __future__ import annotations

import pytest

from simt.host_order.clocks import HappensBefore
from simt.host_order.timeline import Rates, Task, Wait, timeline_of

SECOND_A_BYTE = Rates(pinned=1.0, pageable=0.5, device=1.0, source="a test")


def pipeline(streams: int, chunks: int = 4) -> list[Task]:
    """Up, compute, down for each chunk, one byte each, in turns on some streams."""
    clocks = HappensBefore()
    return [
        Task(clocks.enqueue(f"stream {chunk % streams}", "copy", ""), kind, 1, pinned=True)
        for chunk in range(chunks)
        for kind in ("up", "kernel", "down")
    ]


def test_one_stream_overlaps_nothing():
    timeline = timeline_of(pipeline(streams=1), SECOND_A_BYTE)

    assert (12.0, 4 / 12) == (timeline.seconds, timeline.overlap)


def test_a_stream_for_each_chunk_hides_all_but_the_first_and_the_last_step():
    timeline = timeline_of(pipeline(streams=4), SECOND_A_BYTE)

    assert (6.0, {"up": 4.0, "kernel": 4.0, "down": 4.0}) == (timeline.seconds, timeline.busy)


def test_pageable_memory_takes_longer():
    task = pipeline(1)[0]
    task.pinned = False

    assert 2.0 == timeline_of([task], SECOND_A_BYTE).seconds


def test_a_wait_between_two_tasks_keeps_them_apart():
    clocks = HappensBefore()
    first = Task(clocks.enqueue("a", "copy", ""), "up", 3, pinned=True)
    clocks.synchronize("a")
    waited = Wait(clocks.known_to_host)
    second = Task(clocks.enqueue("b", "launch", ""), "kernel", 2)

    assert 5.0 == timeline_of([first, waited, second], SECOND_A_BYTE).seconds
    assert 3.0 == timeline_of(pipeline_of_two_streams(), SECOND_A_BYTE).seconds


def pipeline_of_two_streams() -> list[Task]:
    clocks = HappensBefore()
    return [
        Task(clocks.enqueue("a", "copy", ""), "up", 3, pinned=True),
        Task(clocks.enqueue("b", "launch", ""), "kernel", 2),
    ]


def test_the_default_stream_lets_nothing_overlap():
    clocks = HappensBefore()
    tasks = [
        Task(clocks.enqueue("a", "copy", ""), "up", 1, pinned=True),
        Task(clocks.enqueue("the default stream", "launch", ""), "kernel", 1),
        Task(clocks.enqueue("b", "copy", ""), "down", 1, pinned=True),
    ]

    assert pytest.approx(3.0) == timeline_of(tasks, SECOND_A_BYTE).seconds


def test_nothing_asked_for_is_an_empty_timeline():
    timeline = timeline_of([])

    assert (0.0, 1.0, ()) == (timeline.seconds, timeline.overlap, timeline.spans)


def test_many_tasks_take_a_few_comparisons_each():
    """A program of a thousand chunks, each with a stream: which task is next is asked of each stream's first one."""
    asked = Counted()
    clocks = HappensBefore()
    tasks = [Task(clocks.enqueue(k % 8, "copy", ""), "up", 1, pinned=True) for k in range(200)]
    for task in tasks:
        object.__setattr__(task.operation, "known", asked.counting(task.operation.known))

    assert 200.0 == timeline_of(tasks, SECOND_A_BYTE).seconds
    assert asked.count < 200 * 200 * 8


class Counted:
    """How often mappings are looked into."""

    def __init__(self):
        self.count = 0

    def counting(self, mapping):
        outer = self

        class Mapping(dict):
            def get(self, *key):
                outer.count += 1
                return super().get(*key)

            def items(self):
                outer.count += len(self)
                return super().items()

        return Mapping(mapping)
