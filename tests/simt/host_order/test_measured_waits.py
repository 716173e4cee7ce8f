"""The model waits where a GPU was seen to wait, and nowhere else.

Each row was run on an H200 with numba-cuda 0.30.4 on 2026-11-22: a slow kernel in one stream writes to mapped memory,
the host waits in some way, and reads. `sees` is whether it read what the kernel had written.
"""

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.host_order.watch import watch


@cuda.jit
def write(flag):
    """flag[0] = 1."""
    flag[0] = 1


def _device(kernel_in, other):
    cuda.synchronize()


def _other_stream(kernel_in, other):
    other.synchronize()


def _event_in_other(kernel_in, other):
    event = cuda.event()
    event.record(other)
    event.synchronize()


def _event_asked_once(kernel_in, other):
    event = cuda.event()
    event.record(kernel_in)
    event.query()


@pytest.mark.parametrize(
    ("kernel_in", "wait", "other", "sees"),
    [
        ("default", _device, "default", True),
        ("default", _other_stream, "another", False),
        ("default", _event_in_other, "another", True),
        ("another", _other_stream, "default", True),
        ("another", _event_in_other, "default", True),
        ("another", _event_asked_once, "another", False),
        ("default", _other_stream, "per thread", False),
        ("per thread", _other_stream, "default", True),
    ],
)
def test_the_host_may_read_what_a_gpu_was_seen_to_have_written(kernel_in, wait, other, sees):
    streams = {
        "default": cuda.default_stream(),
        "another": cuda.stream(),
        "per thread": cuda.per_thread_default_stream(),
    }
    with watch() as order:
        flag = cuda.mapped_array(1, np.int32)
        write[1, 1, streams[kernel_in]](flag)
        wait(streams[kernel_in], streams[other])
        assert 1 == flag[0]

    assert sees == (not order.findings), [finding.message for finding in order.findings]


def test_the_kernel_s_own_stream_is_waited_for_whatever_came_into_the_default_stream_since():
    stream = cuda.stream()
    with watch() as order:
        flag, other = cuda.mapped_array(1, np.int32), cuda.mapped_array(1, np.int32)
        write[1, 1, stream](flag)
        write[1, 1](other)
        stream.synchronize()
        assert 1 == flag[0]

    assert [] == order.findings
