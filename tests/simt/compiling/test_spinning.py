"""A loop that waits for a lock ends where a GPU ends it: warps go through the critical section one after the other."""

import linecache

import numpy as np
import pytest
from numba import cuda, int32

import simt
from simt.errors import DeadlockError

WORK = "    count[0] += 1\n    most[0] = max(most[0], i)\n"
OPEN = "    cuda.threadfence()\n    cuda.atomic.exch(lock, 0, 0)\n"
TAKEN = {
    "cas": "while cuda.atomic.cas(lock, 0, 0, 1) != 0:\n        pass",
    "exch": "while cuda.atomic.exch(lock, 0, 1):\n        cuda.nanosleep(20)",
    "break": "while True:\n        if cuda.atomic.cas(lock, 0, 0, 1) == 0:\n            break",
    "variable": "old = 1\n    while old:\n        old = cuda.atomic.cas(lock, 0, 0, 1)",
    "function": "acquire(lock)",
    "names": "while cuda.atomic.cas(lock, 0, FREE, TAKEN) != FREE:\n        pass",
    "types": "while cuda.atomic.cas(lock, 0, int32(0), int32(1)) != 0:\n        pass",
    "owner": "while cuda.atomic.cas(lock, 0, 0, cuda.blockIdx.x + 1) != 0:\n        pass",
    "sum taken back": "while cuda.atomic.add(lock, 0, 1) != 0:\n        cuda.atomic.sub(lock, 0, 1)",
    "sum": "while cuda.atomic.add(lock, 0, 1):\n        pass",
    "largest": "while cuda.atomic.max(lock, 0, 1) == 1:\n        pass",
}
TICKETS = (
    "    if i % 32 == 0:\n        mine = cuda.atomic.add(lock, 1, 1)\n"
    "        while cuda.atomic.add(lock, 0, 0) != mine:\n            pass\n        cuda.threadfence()\n"
    "        count[0] += 1\n        most[0] = max(most[0], i)\n        cuda.threadfence()\n"
    "        cuda.atomic.add(lock, 0, 1)\n"
)


@cuda.jit(device=True)
def acquire(lock):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()


def kernel_of(body: str):
    """A kernel `k(lock, count, most)` with i the thread of the grid."""
    text = f"def k(lock, count, most):\n    i = cuda.grid(1)\n{body}"
    name = f"<lock {abs(hash(body))}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space = {"cuda": cuda, "acquire": acquire, "int32": int32, "FREE": 0, "TAKEN": 1}
    exec(compile(text, name, "exec"), space)
    return space["k"]


def under_lock(taken: str, who: str = "i % 32 == 0", opened: str = OPEN) -> str:
    body = f"    {taken}\n    cuda.threadfence()\n{WORK}{opened}"
    return f"    if {who}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("lockstep", [True, False], ids=["in step", "apart"])
@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("style", [*TAKEN, "tickets", "early return"])
def test_one_thread_a_warp_under_a_lock_ends_and_loses_no_update(style, seed, lockstep):
    body = TICKETS if style == "tickets" else under_lock(TAKEN.get(style, TAKEN["cas"]))
    if style == "early return":
        body = f"    if i % 32:\n        return\n    {TAKEN['cas']}\n    cuda.threadfence()\n{WORK}{OPEN}"
    lock, count, most = np.zeros(2, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int64)
    simt.launch(kernel_of(body), 3, 128, lock, count, most, seed=seed, lockstep=lockstep)

    assert (12, 352, 0) == (count[0], most[0], lock[0] % 12)


def test_a_barrier_after_the_critical_section_is_one_for_the_whole_block():
    body = under_lock(TAKEN["cas"]) + "    cuda.syncthreads()\n    lock[1 + i % 2] = count[0]\n"
    lock, count = np.zeros(3, np.int32), np.zeros(1, np.int32)
    simt.launch(kernel_of(body), 1, 128, lock, count, np.zeros(1, np.int64))

    assert [0, 4, 4] == lock.tolist()


def test_two_lanes_of_a_warp_at_one_lock_are_told_to_work_inside_the_loop():
    with pytest.raises(DeadlockError, match="go round forever") as found:
        simt.launch(
            kernel_of(under_lock(TAKEN["cas"], who="i >= 0")), 1, 64, *(np.zeros(2, np.int32),) * 2, np.zeros(1)
        )

    assert "in the same warp" in found.value.remedy


@pytest.mark.parametrize("who", ["i % 32 == 0", "i >= 0"], ids=["one of a warp", "a whole warp"])
@pytest.mark.parametrize("style", ["cas", "break", "function", "names"])
def test_a_lock_that_nobody_opens_is_told_as_that(style, who):
    body = under_lock(TAKEN[style], who=who, opened="")
    with pytest.raises(DeadlockError) as found:
        simt.launch(kernel_of(body), 2, 32, *(np.zeros(2, np.int32),) * 2, np.zeros(1))

    assert "never gives it back" in found.value.remedy


def test_a_statement_of_a_kernel_with_a_lock_is_told_to_listeners_once():
    trace = simt.trace(kernel_of(under_lock(TAKEN["cas"])), 1, 32, *(np.zeros(2, np.int32),) * 2, np.zeros(1, np.int64))

    assert [] == trace.findings
    assert 2 == trace.counters["atomic_operations"]


@pytest.mark.parametrize(
    ("taken", "opened", "says"),
    (
        (TAKEN["sum taken back"], "", "never gives it back"),
        (TAKEN["sum"], "    cuda.threadfence()\n    cuda.atomic.add(lock, 0, -1)\n", "never holds 0 again"),
    ),
    ids=["never opened", "what is added in vain is not taken back"],
)
def test_a_lock_taken_by_a_sum_that_never_is_0_again_is_told_as_that(taken, opened, says):
    with pytest.raises(DeadlockError) as found:
        simt.launch(kernel_of(under_lock(taken, opened=opened)), 2, 32, *(np.zeros(2, np.int32),) * 2, np.zeros(1))

    assert says in found.value.remedy


def test_a_sum_that_counts_to_its_end_by_itself_waits_for_nobody():
    lock = np.zeros(1, np.int32)
    body = "    if i == 0:\n        while cuda.atomic.add(lock, 0, 1) < 500:\n            pass\n"
    simt.launch(kernel_of(body), 1, 32, lock, np.zeros(1, np.int32), np.zeros(1))

    assert 501 == lock[0]
