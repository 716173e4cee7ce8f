"""Theoretical occupancy, against figures that NVIDIA's occupancy calculator gives."""

import pytest

from autograder.lint.occupancy import OccupancyError, theoretical_occupancy
from simt.hardware import LIMITS


def test_a_small_kernel_fills_every_multiprocessor():
    for capability, limits in LIMITS.items():
        occupancy = theoretical_occupancy(capability, 256, registers=32)
        assert (limits.warps, 1.0) == (occupancy.warps, occupancy.fraction)


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared_bytes", "blocks", "limited_by"),
    [
        ((8, 0), 256, 64, 0, 4, "registers"),
        ((9, 0), 256, 255, 0, 1, "registers"),
        ((7, 5), 256, 33, 0, 4, "warps"),
        ((8, 0), 32, 16, 0, 32, "blocks"),
        ((8, 6), 32, 16, 0, 16, "blocks"),
        ((8, 9), 32, 16, 0, 24, "blocks"),
        ((10, 0), 1024, 64, 0, 1, "registers"),
        ((12, 0), 32, 16, 0, 24, "blocks"),
        ((12, 0), 256, 32, 33 * 1024, 2, "shared memory"),
        ((8, 0), 256, 32, 48 * 1024, 3, "shared memory"),
        ((7, 5), 256, 32, 33 * 1024, 1, "shared memory"),
        ((9, 0), 1024, 65, 0, 0, "registers"),
    ],
)
def test_blocks_are_limited_by_whatever_runs_out_first(
    capability, threads, registers, shared_bytes, blocks, limited_by
):
    occupancy = theoretical_occupancy(capability, threads, registers, shared_bytes)
    assert (blocks, limited_by) == (occupancy.blocks, occupancy.limited_by)


def test_a_block_that_asks_for_more_shared_memory_than_exists_does_not_fit():
    assert 0 == theoretical_occupancy((8, 6), 256, 32, 100 * 1024).blocks


def test_a_part_warp_counts_as_a_whole_one():
    assert theoretical_occupancy((8, 0), 64, 32) == theoretical_occupancy((8, 0), 33, 32)


def test_every_block_gives_a_kilobyte_to_the_system_from_compute_capability_8_on():
    assert (4, 3) == (
        theoretical_occupancy((8, 0), 128, 32, 40 * 1024).blocks,
        theoretical_occupancy((8, 0), 128, 32, 41 * 1024).blocks,
    )


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "says"),
    [
        ((3, 5), 256, 32, "no limits on record for compute capability 3.5"),
        ((8, 0), 2048, 32, "1 to 1024 threads, not 2048"),
        ((8, 0), 256, 300, "0 to 255 registers, not 300"),
    ],
)
def test_impossible_questions_are_refused_in_words(capability, threads, registers, says):
    with pytest.raises(OccupancyError, match=says):
        theoretical_occupancy(capability, threads, registers)
