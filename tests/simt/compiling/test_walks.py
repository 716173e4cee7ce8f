"""`iter` and `next`: a walk goes on from where it was left, in each thread."""

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import KernelTypeError
from simt.programs.session import Session


def taken_apart(x):
    i = cuda.threadIdx.x
    it = iter(range(4))
    if i > 2:
        next(it)
    v = next(it)
    if i == 5:
        v += next(it)
    for k in it:
        v += 100 * k
    x[i] = v


def of_arrays(x):
    it = iter(zip(x, range(8)))  # noqa: B905 - numba has no strict
    next(it)
    p, q = next(it)
    x[0] = 10 * p + q


def of_a_tuple(x):
    i = cuda.threadIdx.x
    it = iter((1, 2, 3))
    x[i] = next(it)
    for _ in range(min(i, 2)):
        x[i] += next(it)


def in_its_own_loop(x):
    i = cuda.threadIdx.x
    it, n = iter(range(i)), 0
    for _ in it:
        n += 1
        if i % 2 == 0:
            next(it)
    x[i] = n


def under_another_name(x):
    it = iter(range(8))
    other = iter(it)
    next(it)
    x[0] = next(other)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (taken_apart, [600, 600, 600, 501, 501, 303, 501, 501]),
        (of_arrays, [11, 1, 2, 3, 4, 5, 6, 7]),
        (of_a_tuple, [1, 3, 6, 6, 6, 6, 6, 6]),
        (in_its_own_loop, [0, 1, 1, 3, 2, 5, 3, 7]),
        (under_another_name, [1, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_each_thread_goes_on_from_where_it_was(kernel, expected):
    x = np.arange(8.0)
    cuda.jit(kernel)[1, 8](x) if kernel is not of_arrays else cuda.jit(kernel)[1, 1](x)
    assert expected == x.tolist()


def past_the_end(x):
    it = iter(range(1))
    next(it)
    next(it)
    x[cuda.threadIdx.x] = 7


def test_past_the_end_a_thread_ends_and_a_debug_launch_raises():
    x = np.zeros(2)
    with Session() as session:
        cuda.jit(past_the_end)[1, 2](x)
    assert [0, 0] == x.tolist() and ["silent_exception"] == [one.kind for one in session.reports]
    with pytest.raises(StopIteration):
        cuda.jit(past_the_end, debug=True, opt=False)[1, 2](x)


def test_only_what_iter_gives_has_a_next():
    def kernel(x):
        x[0] = next(x)

    with pytest.raises(KernelTypeError, match="next\\(iter"):
        cuda.jit(kernel)[1, 1](np.zeros(2))
