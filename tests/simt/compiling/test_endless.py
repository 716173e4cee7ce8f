"""A loop is called endless where that is proven, at once and with what to write; any other loop never is."""

import linecache

import numpy as np
import pytest
from numba import cuda

import simt
from simt.errors import DeadlockError, TooMuchWork
from simt.lanes.meter import Meter

ENDLESS = {  # body of the kernel -> what the message must hold
    "while i < x.size:\n    x[i] += 1\n    i + step": "write `i += step`",
    "while i < x.size:\n    x[i] += 1\n    i == i + step": "write `i = i + step`",
    "while i < n and n > 0:\n    x[i] += 1": "nothing in the loop changes i or n",
    "while i < x.shape[0]:\n    x[i] += 1\n    j = i + step": "nothing in the loop changes i.",
    "while True:\n    x[i] += 1": "nothing leaves the loop",
    "while i < n:\n    for k in range(3):\n        x[i] += k\n        break": "nothing in the loop changes i or n",
    "while i < n:\n    k = 0\n    while k < 3:\n        x[i] += 1\n        k += 1": "`i < n` stays true",
    "while not i > n:\n    x[i] += 1\n    continue\n    i += step": "",  # assigned, and yet never reached
}
STANDS_STILL = {  # body of the kernel, in which memory changes for ever -> what the message must hold
    "d = 8\nwhile d >= 0:\n    x[i] += 1\n    d //= 2": "Line 7, `d //= 2`, is all that changes d",
    "d = 9\nwhile d > 0:\n    if i < d:\n        x[i] += 1\n    d = (d + 1) // 2": "Line 8, `d = (d + 1) // 2`, is all",
    "d = 8\nwhile d >= 0:\n    x[i] += 1\n    if n > 3:\n        d >>= 1": "Line 8, `d >>= 1`, is all that changes d",
    "d = 0\nwhile d < n:\n    x[i] += 1\n    d = (d + 1) % 4": "after 4 iterations d is as before",
}
ENDING = (
    "d = 70\nwhile d > 0:\n    x[i] += 1\n    if x[i] > 80:\n        d -= 1",
    "d, e = 5, 0\nwhile d > 0:\n    x[i] += 1\n    e += 1\n    if e > 90:\n        d -= 1",
    "d = 5\nwhile d > 0:\n    x[i] += 1\n    if x[i] < 90:\n        continue\n    d -= 1",
    "d = 5\nwhile d > 0:\n    x[i] += 1\n    for k in range(3):\n        d -= x[i] > 90",
    "while i < n:\n    x[i] += 1\n    i += step",
    "while i < n:\n    x[i] += 1\n    break",
    "while True:\n    x[i] += 1\n    i += step\n    if i >= n:\n        break",
    "while i < n:\n    x[i] += 1\n    if x[i] > 70:\n        return",
    "while x[i] < 90:\n    x[i] += 1",
    "while cuda.atomic.add(x, 0, 1) < 90:\n    pass",
    "while i < n:\n    if x[i] > 40:\n        i = n\n    x[i % n] += 1",
    "while i < n:\n    for i in range(i, n):\n        x[i] += 1\n    i += 1",
    "k = 0\nwhile i < n:\n    while True:\n        k += 1\n        if k > 80:\n            break\n    i += k",
    "while x[0] < 80 and i == 0:\n    x[0] += 1",
    "k = i\nwhile k < 100 * n:\n    if i % 8 == 0:\n        cuda.atomic.add(x, k % n, 2)\n    k += n",
    "while True:\n    k = cuda.atomic.add(x, 0, 1)\n    if k >= 900:\n        break\n"
    "    if k == 0:\n        cuda.atomic.add(x, 1, 1)",
    "k = 0\nwhile k < 5:\n    if cuda.atomic.add(x, 0, 1) == 0:\n        cuda.atomic.max(x, 1, i)\n        k += 1\n"
    "    cuda.atomic.sub(x, 0, 1)",
    "cuda.atomic.sub(x, 0, 90)\nwhile i == 0 and cuda.atomic.add(x, 0, 1) != 0:\n    pass",
    "k = 0\nwhile k < 90:\n    cuda.atomic.add(x, i, 1)\n    cuda.atomic.sub(x, i, 1)\n    k += 1",
)
LOCKED = (  # taken by a sum that is never 0 again
    "while cuda.atomic.add(x, 0, 1) != 0:\n    pass",
    "while True:\n    if 0 == cuda.atomic.add(x, 0, 1):\n        break",
    "got = False\nwhile not got:\n    if cuda.atomic.add(x, 0, 1) < 1:\n        got = True",
    "got = False\nwhile not got:\n    got = cuda.atomic.add(x, 0, 1) == 0",
    "old = 1\nwhile old:\n    old = cuda.atomic.add(x, 0, 1)",
    "old = cuda.atomic.add(x, 0, 1)\nwhile old >= 1:\n    cuda.atomic.sub(x, 0, 1)\n    old = cuda.atomic.add(x, 0, 1)",
    "while True:\n    if cuda.atomic.add(x, 0, 1) == 0:\n        break\n    cuda.atomic.sub(x, 0, 1)",
)


def kernel_of(body: str):
    """A kernel `k(x, n)` with i the thread and a step of the grid's threads."""
    text = "def k(x, n):\n    i = cuda.grid(1)\n    step = cuda.gridsize(1)\n"
    text += "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<loop {abs(hash(body))}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space = {"cuda": cuda}
    exec(compile(text, name, "exec"), space)
    return space["k"]


@pytest.mark.parametrize("body", ENDLESS)
def test_a_loop_that_nothing_ends_is_told_within_some_turns_and_names_its_line(body):
    line = 4 + next(number for number, text in enumerate(body.splitlines()) if text.startswith("while"))
    if not ENDLESS[body]:  # memory changes forever, so nothing is proven
        with pytest.raises(TooMuchWork) as stopped:
            simt.launch(kernel_of(body), 1, 32, np.zeros(32), 20, meter=Meter(10_000))
        assert (line, 0, 21, 32) == (stopped.value.line, stopped.value.of, stopped.value.working, stopped.value.threads)
        return
    meter = Meter()
    with pytest.raises(DeadlockError) as found:
        simt.launch(kernel_of(body), 1, 32, np.zeros(32), 20, meter=meter)

    assert line == found.value.line and meter.steps < 200
    assert ENDLESS[body] in str(found.value)


@pytest.mark.parametrize("body", STANDS_STILL)
def test_a_step_that_leads_nowhere_is_named_whatever_memory_does(body):
    with pytest.raises(DeadlockError) as found:
        simt.launch(kernel_of(body), 1, 32, np.zeros(32), 20, meter=Meter(20_000))
    assert STANDS_STILL[body] in str(found.value)


@pytest.mark.parametrize("body", ENDING)
def test_a_loop_that_ends_is_never_called_endless(body):
    simt.launch(kernel_of(body), 1, 32, np.zeros(32), 20, meter=Meter(100_000))


@pytest.mark.parametrize("body", LOCKED)
def test_a_lock_taken_by_a_sum_is_proven_to_stay_taken(body):
    with pytest.raises(DeadlockError, match="whoever added first has the lock"):
        simt.launch(kernel_of(body), 1, 32, np.zeros(32), 20, meter=Meter(20_000))


def test_lanes_that_store_different_values_into_one_cell_inside_a_loop_are_no_error():
    def last_of_many(out):
        turn = 0
        while turn < 200:  # long enough to be watched for a turn that changes nothing
            out[0] = cuda.threadIdx.x + turn
            turn += 1

    out = np.zeros(1, np.int64)
    simt.launch(last_of_many, 1, 32, out)
    assert 31 + 199 == out[0]
