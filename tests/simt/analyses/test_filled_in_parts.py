"""What kernels wrote of a device array is known to later launches, element by element."""

import numpy as np

from simt.cuda_api import cuda
from simt.programs.session import Session


@cuda.jit
def fill(x, n):
    i = cuda.grid(1)
    if i < n:
        x[i] = 1


@cuda.jit
def total(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, 0, x[i])


def found(do):
    x, out = cuda.device_array(64, np.float32), cuda.to_device(np.zeros(1, np.float32))
    with Session() as session:
        do(x)
        total[1, 64](x, out)
    return [(report.kind, report.finding.count) for report in session.findings]


def test_elements_that_no_launch_wrote_are_read_before_they_are_written():
    assert [("uninitialised_read", 24)] == found(lambda x: fill[1, 64](x, 40))


def test_several_launches_fill_an_array_together():
    def in_two(x):
        fill[1, 64](x, 40)
        fill[1, 64](x[32:], 32)

    assert [] == found(in_two)


def test_a_copy_from_the_host_fills_what_is_left():
    def then_copied(x):
        fill[1, 64](x, 40)
        x[40:] = np.zeros(24, np.float32)

    assert [] == found(then_copied)


def test_what_nobody_listened_to_counts_as_filled():
    x, out = cuda.device_array(64, np.float32), cuda.to_device(np.zeros(1, np.float32))
    fill[1, 64](x, 40)
    with Session() as session:
        total[1, 64](x, out)

    assert [] == session.findings
