"""Memory of the launches of one answer: asked for once where it is little, and nothing of it outlives a launch."""

import numpy as np
import pytest

from autograder.classroom.sealed import own_kernels
from autograder.classroom.sealed.arena import ROOM, Arena
from tests.autograder.classroom.sealed.stand_in import StandIn


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setattr(own_kernels, "FLUSH_BYTES_AT_LEAST", own_kernels.FLUSH_BYTES_AT_LEAST)  # the stand-in's is less
    return StandIn()


def arena_with(gpu, n_bytes, spare=(0, 0), n_sets=1):
    """An arena of two buffers, with contents of one."""
    arena = Arena(gpu, {"a": n_bytes, "out": n_bytes}, n_sets, spare)
    for number in range(n_sets):
        arena.keep(number, "a", np.full(n_bytes, 1 + number, np.uint8))
    return arena


def test_the_cases_of_an_answer_share_one_allocation(gpu):
    spare = (0, 0)
    for n_bytes in (0, 4, 4100, 1 << 20, 4):
        arena = arena_with(gpu, n_bytes, spare)
        arena.prepare(0, 0xA5, 0xCB)
        assert [] == arena.damaged(0xA5)
        assert {1} >= set(gpu.at(arena.address("a"), n_bytes)) and {0xCB} >= set(gpu.at(arena.address("out"), n_bytes))
        spare = arena.given_up()

    assert 1 == len(gpu.ends)


def test_what_a_kernel_leaves_behind_all_buffers_is_gone_before_the_next_launch(gpu):
    arena = arena_with(gpu, 4100)
    everything = gpu.at(arena.start, ROOM)
    kept = [slice(arena.used - 4608, arena.used - 508)]

    arena.prepare(0, 0xA5, 0xCB)
    everything[arena.n_bytes + 8192 :] = 77
    arena.prepare(0, 0xA5, 0xFF)

    assert {1} == set(everything[kept[0]])
    assert (everything[arena.used :] == 0xFF).all()


def test_large_arrays_have_memory_of_their_own_and_give_it_back(gpu):
    small = arena_with(gpu, 4)
    large = arena_with(gpu, ROOM // 2, small.given_up(), n_sets=2)
    assert 3 == len(gpu.ends) and large.room == large.n_bytes
    large.prepare(1, 0xA5, 0xCB)
    assert {2} == set(gpu.at(large.address("a"), 64))

    arena_with(gpu, 4, large.given_up())

    assert [ROOM] == [ends - at for at, ends in gpu.ends.items()]
