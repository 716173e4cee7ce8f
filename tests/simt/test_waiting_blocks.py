"""Blocks that wait for each other: those that have started go on, and a wait for one that has not is told as that."""

import numpy as np
import pytest
from numba import cuda

import simt
from autograder.running.run_simt import once_or_slowly
from autograder.running.runs import Run
from simt.errors import DeadlockError


@cuda.jit
def handed_on_in_the_loop(flags, ticket, out):
    tile = cuda.atomic.add(ticket, 0, 1)
    waiting = True
    while waiting:
        if tile == 0 or cuda.atomic.add(flags, tile - 1, 0) != 0:
            out[tile] = tile
            cuda.atomic.exch(flags, tile, 1)
            waiting = False


@cuda.jit
def handed_on_afterwards(flags, ticket, out):
    tile = cuda.atomic.add(ticket, 0, 1)
    while tile > 0 and cuda.atomic.add(flags, tile - 1, 0) == 0:
        pass
    out[tile] = tile
    cuda.atomic.exch(flags, tile, 1)


@cuda.jit(device=True)
def look(flags, i):
    return cuda.atomic.add(flags, i, 0)


@cuda.jit
def handed_on_after_a_function_looked(flags, ticket, out):
    tile = cuda.atomic.add(ticket, 0, 1)
    if tile > 0:
        found = look(flags, tile - 1)
        while found == 0:
            found = look(flags, tile - 1)
    out[tile] = tile
    cuda.atomic.exch(flags, tile, 1)


@cuda.jit
def by_the_number_of_the_block(flags, ticket, out):
    tile = cuda.blockIdx.x
    while tile > 0 and cuda.atomic.add(flags, tile - 1, 0) == 0:
        pass
    out[tile] = tile
    cuda.atomic.exch(flags, tile, 1)


def launched(kernel, n_blocks: int, together: int) -> np.ndarray:
    """What the blocks wrote, blocks of one thread in the order of seed 0."""
    out = np.full(n_blocks, -1)
    words = np.zeros(n_blocks, np.int32), np.zeros(1, np.int32)
    simt.launch(kernel, n_blocks, 1, *words, out, seed=0, together=together)
    return out


@pytest.mark.parametrize("together", [0, 1, 2, 5])
@pytest.mark.parametrize("kernel", [handed_on_in_the_loop, handed_on_afterwards])
def test_a_chain_by_tickets_comes_to_its_end_however_few_blocks_run_at_a_time(kernel, together):
    np.testing.assert_array_equal(np.arange(9), launched(kernel, 9, together))


def test_a_lock_that_is_never_opened_is_told_as_a_lock_while_blocks_have_not_started():
    def keeps_it(lock):
        while True:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                break

    with pytest.raises(DeadlockError) as found:
        simt.launch(keeps_it, 9, 1, np.zeros(1, np.int32), together=2)

    assert "ticket" not in str(found.value)


def test_a_chain_by_block_numbers_stands_still_and_the_message_says_who_has_not_started():
    with pytest.raises(DeadlockError, match=r"of 9 blocks have not started.*ticket"):
        launched(by_the_number_of_the_block, 9, 2)


def test_a_loop_that_waits_for_nobody_is_not_told_to_draw_tickets():
    def counts_nothing(x):
        i = 0
        while i < 4:
            i = i & 3

    with pytest.raises(DeadlockError) as found:
        simt.launch(counts_nothing, 9, 1, np.zeros(9), together=2)

    assert "ticket" not in str(found.value)


@pytest.mark.parametrize(
    ("kernel", "ends"), [(handed_on_after_a_function_looked, True), (by_the_number_of_the_block, False)]
)
def test_what_stands_still_only_because_blocks_keep_step_is_run_one_block_at_a_time(kernel, ends):
    values = {"flags": np.zeros(9, np.int32), "ticket": np.zeros(1, np.int32), "out": np.full(9, -1)}
    tried = []

    def once(together: int) -> Run:
        tried.append(together)
        result = Run(after=values)
        try:
            simt.launch(kernel, 9, 1, *values.values(), seed=0, together=together)
        except DeadlockError as error:
            result.error = error
        return result

    assert ends == (once_or_slowly(once, values, 3).error is None)
    assert [3, 1] == tried
    if ends:
        np.testing.assert_array_equal(np.arange(9), values["out"])
