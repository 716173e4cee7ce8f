"""Which thread each lane is, and what launches share of it."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.lanes.placement import KEPT_LANES, placement_of
from simt.launching.geometry import block_batches
from tests.redteam.work import steps_of

GRID = (5, 3, 2)
MOST_STEPS = 380  # calls; 328 when this was written, and 429 where each launch works out what it begins with


def one_more(src, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = src[i] + 1


@pytest.mark.parametrize("block", [(32, 1, 1), (7, 5, 2), (1, 1, 1)])
@pytest.mark.parametrize("ids", [[0], [4, 3, 20], [29, 0, 11, 6]])
def test_registers_are_what_the_guide_says_of_thread_and_block(block, ids):
    registers = placement_of(block, GRID, np.array(ids), {}).registers
    dx, dy, dz = block
    threads = [(x, y, z) for z in range(dz) for y in range(dy) for x in range(dx)]
    blocks = [(each % 5, each // 5 % 3, each // 15) for each in ids]
    expected = {
        **{name: [thread[axis] for _ in ids for thread in threads] for axis, name in enumerate(("tx", "ty", "tz"))},
        **{name: [at[axis] for at in blocks for _ in threads] for axis, name in enumerate(("bx", "by", "bz"))},
        "block": [k for k in range(len(ids)) for _ in threads],
        "thread": [*range(len(threads))] * len(ids),
    }

    for name, values in expected.items():
        assert values == np.broadcast_to(registers[name], len(values)).tolist(), name
    assert (*block, *GRID) == tuple(int(registers[name]) for name in ("dx", "dy", "dz", "gx", "gy", "gz"))


def test_lanes_that_do_not_exist_are_those_past_the_end_of_each_block():
    placed = placement_of((40, 1, 1), GRID, np.array([0, 1]), {})

    assert [32, 8, 32, 8] == placed.exists.sum(axis=1).tolist()
    assert [*range(40), *range(64, 104)] == placed.slots.tolist()
    assert placement_of((64, 1, 1), GRID, np.array([0]), {}).slots is None


def test_small_batches_share_what_nobody_may_write_to_and_large_ones_share_it_within_a_launch():
    small, large = np.arange(2), np.arange(30)
    first = placement_of((32, 1, 1), GRID, small, {})
    of_launch: dict = {}
    lanes = (KEPT_LANES // 16, 1, 1)

    assert first is placement_of((32, 1, 1), GRID, small.copy(), {})
    assert not any(each.flags.writeable for each in first.registers.values() if isinstance(each, np.ndarray))
    one, other = (placement_of(lanes, GRID, ids, of_launch) for ids in (large, large[::-1]))
    assert one.registers["tx"] is other.registers["tx"] and [30] == list(of_launch)
    assert one.registers["bx"].tolist() == other.registers["bx"].tolist()[::-1]


@pytest.mark.parametrize("n_blocks", [1, 7, 1_024, 1_025])
def test_a_seed_gives_every_block_once_in_an_order_of_its_own(n_blocks):
    orders = [np.concatenate([*block_batches(n_blocks, 100, seed)]).tolist() for seed in (None, 1, 2, 1)]

    assert orders[1] == orders[3]
    assert all([*range(n_blocks)] == sorted(order) for order in orders)
    assert n_blocks == 1 or orders[0] != orders[1] != orders[2]


def test_a_launch_like_the_last_one_works_out_no_placement_and_mixes_no_seed_again():
    src, out = np.zeros(64, np.float32), np.zeros(64, np.float32)

    def launch():
        simt.launch(one_more, 2, 32, src, out, seed=5)

    launch()

    assert steps_of(launch) < MOST_STEPS
