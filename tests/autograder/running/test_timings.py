"""What lies between the two events of a timing is counted in the order of the host's calls."""

import numpy as np
import pytest

from autograder.backend import cuda, gpu_available, prepare
from autograder.running.host_code.timings import COUNTERS, Timings
from simt.cuda_api import host_events

prepare()
pytestmark = pytest.mark.skipif(gpu_available(), reason="events of the stand-in; here is a GPU")


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def counted(work):
    timings = Timings()
    with host_events.listening(timings):
        work(cuda.event(), cuda.event(), np.zeros(4, np.float32))
    return timings.counts


def warmed_up(start, stop, x):
    d = cuda.to_device(x)
    add_one[1, 32](d)
    for _ in range(3):
        start.record()
        add_one[1, 32](d)
        stop.record()
        stop.synchronize()
        start.elapsed_time(stop)


def cold_and_with_copies(start, stop, x):
    start.record()
    d = cuda.to_device(x)
    add_one[1, 32](d)
    add_one[1, 32](d)
    d.copy_to_host()
    stop.record()
    cuda.synchronize()
    cuda.event_elapsed_time(start, stop)


def numpy_handed_over(start, stop, x):
    add_one[1, 32](x)
    start.record()
    add_one[1, 32](x)
    stop.record()
    stop.synchronize()
    start.elapsed_time(stop)


def waits_before_the_second_mark(start, stop, x):
    d = cuda.to_device(x)
    start.record()
    add_one[1, 2](d)
    cuda.device_array(4)
    cuda.synchronize()
    stop.record()
    stop.synchronize()
    start.elapsed_time(stop)


def another_stream_than_the_marks(start, stop, x):
    d, marks, work = cuda.to_device(x), cuda.stream(), cuda.stream()
    start.record(marks)
    add_one[1, 32, work](d)
    stop.record(marks)
    stop.synchronize()
    start.elapsed_time(stop)


def test_events_without_timing_tell_no_time():
    start, stop = cuda.event(timing=False), cuda.event()
    with pytest.raises(ValueError, match="timing=False"):
        start.elapsed_time(stop)


@pytest.mark.parametrize(
    ("work", "numbers"),
    [
        (warmed_up, (3, 1, 1, 0, 0, 0, 4)),
        (cold_and_with_copies, (1, 2, 2, 2, 1, 1, 4)),
        (numpy_handed_over, (1, 1, 1, 1, 0, 0, 4)),
        (lambda start, stop, x: start.record(), (0, 0, 0, 0, 0, 0, 0)),
        (waits_before_the_second_mark, (1, 1, 1, 0, 1, 2, 2)),
        (another_stream_than_the_marks, (1, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_launches_copies_and_compilations_within_timings_are_counted(work, numbers):
    assert dict(zip(COUNTERS, numbers, strict=True)) == counted(work)


def test_a_time_counts_as_kept_where_it_stands_as_it_was_told():
    timings, times = Timings(), np.zeros(3, np.float32)
    with host_events.listening(timings):
        start, stop = cuda.event(), cuda.event()
        start.record()
        stop.record()
        times[0], times[1] = start.elapsed_time(stop), start.elapsed_time(stop) / 1000

    assert timings.kept_in([times]) == {"timings_kept": 1}
    assert timings.kept_in([np.zeros(3, np.int32)]) == {"timings_kept": 0}
