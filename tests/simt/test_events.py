"""What the core tells its listeners, and that only active lanes are told about."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, float64
from simt.events import Listener
from simt.launching.geometry import check_launch, coordinates, norm3


class Recorder(Listener):
    """Keeps every event."""

    def __init__(self):
        self.names, self.events = [], []

    def _keep(self, name, *event):
        self.names.append(name)
        self.events.append(event[0] if len(event) == 1 else event)

    def of(self, name):
        return [event for one, event in zip(self.names, self.events, strict=True) if one == name]


def _listen(name):
    return lambda self, *event: self._keep(name, *event)


for _name in [name for name in vars(Listener) if not name.startswith("_")]:
    setattr(Recorder, _name, _listen(_name))


def record(kernel, grid, block, *args, **options):
    recorder = Recorder()
    simt.launch(kernel, grid, block, *args, listeners=[recorder], **options)
    return recorder


def guarded(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i]


def test_a_launch_is_framed_by_its_batches():
    recorder = record(guarded, 2, 32, np.zeros(40), np.zeros(40))
    assert ["launch_begins", "batch_begins"] == recorder.names[:2]
    assert ["batch_ends", "launch_ends"] == recorder.names[-2:]
    launch = recorder.of("launch_begins")[0]
    assert ("guarded", (2, 1, 1), (32, 1, 1), 1) == (launch.kernel, launch.grid, launch.block, launch.warps_per_block)
    assert [("src", (40,), True), ("dst", (40,), True)] == [(a.name, a.shape, a.initialised) for a in launch.arguments]


def test_accesses_carry_cells_of_active_lanes_in_order_of_threads():
    recorder = record(guarded, 2, 32, np.arange(40.0), np.zeros(40))
    load, store = recorder.of("access")
    assert ("load", "store") == (load.kind, store.kind)
    assert list(range(40)) == load.cells.tolist()
    assert list(range(40)) == load.lanes.global_thread.tolist()
    assert [0] * 32 + [1] * 8 == load.lanes.block.tolist()
    assert list(range(40)) == store.values.tolist()
    assert ("src[i]", "dst[i]") == (load.site.text, store.site.text)


def test_global_arrays_share_no_sector_and_one_passed_twice_is_one():
    src = np.zeros(3, np.float32)
    recorder = record(guarded, 1, 32, src, src)
    first, second = recorder.of("launch_begins")[0].arguments
    assert (first.key, first.base_address) == (second.key, second.base_address)
    recorder = record(guarded, 1, 32, src, np.zeros(3, np.float32))
    first, second = recorder.of("launch_begins")[0].arguments
    assert first.key != second.key
    assert (0, 0) == (first.base_address % 512, second.base_address % 512)
    assert second.base_address - first.base_address >= 512


def test_branches_tell_who_took_them_each_turn():
    def loop(out):
        t = cuda.threadIdx.x
        k = 0
        while k < t:
            k += 1
        out[t] = k

    branches = record(loop, 1, 4, np.zeros(4)).of("branch")
    assert [[False, True, True, True], [False, True, True], [False, True], [False]] == [
        b.taken.tolist() for b in branches
    ]


def test_uniform_branches_and_ranges_are_told_too():
    def loop(out):
        for _ in range(2):
            if out.size > 3:
                out[cuda.threadIdx.x] = 1

    branches = record(loop, 1, 4, np.zeros(4)).of("branch")
    assert [True, True, True, True, False] == [bool(b.taken.all()) for b in branches]


def test_statements_are_told_with_their_lines():
    def three(out):
        t = cuda.threadIdx.x
        if t < 2:
            out[t] = 1

    first = three.__code__.co_firstlineno
    statements = record(three, 1, 4, np.zeros(4)).of("statement")
    assert [(first + 1, 4), (first + 2, 4), (first + 3, 2)] == [(s.line, len(s.lanes)) for s in statements]


def test_shared_arrays_bear_the_name_of_their_variable():
    def tiles(out):
        tile = cuda.shared.array((4, 8), float64)
        other = cuda.shared.array(3, float32)
        t = cuda.threadIdx.x
        tile[t, 1] = 1
        other[0] = 1
        mine = cuda.local.array(2, float32)
        mine[1] = t
        out[t] = tile[t, 1]

    recorder = record(tiles, 2, 4, np.zeros(4))
    (tile, _), (other, _) = recorder.of("shared_allocated")
    assert ("tile", (4, 8), (8, 1), 32, 0) == (tile.name, tile.shape, tile.strides, tile.n_cells, tile.base_address)
    assert ("other", 256, False) == (other.name, other.base_address, other.initialised)
    stores = [a for a in recorder.of("access") if a.kind == "store"]
    assert [1, 9, 17, 25, 1, 9, 17, 25] == stores[0].cells.tolist()
    local = next(a for a in stores if a.array.space == "local")
    assert ("mine", 16) == (local.array.name, local.array.n_cells)
    assert list(range(8, 16)) == local.cells.tolist()
    assert (1,) == local.array.index_of(int(local.cells[0]) - 0)[:1]


def test_barriers_tell_live_and_returned_threads():
    def early(out):
        if cuda.threadIdx.x >= 20:
            return
        cuda.syncthreads()

    (barrier,) = record(early, 2, 32, np.zeros(1)).of("barrier")
    assert ([20, 20], [12, 12], 40) == (barrier.live.tolist(), barrier.returned.tolist(), len(barrier.lanes))


def test_warp_operations_tell_masks_and_sources():
    def shuffle(out):
        t = cuda.threadIdx.x
        out[t] = cuda.shfl_down_sync(0xFFFF, t, 1) if t < 16 else 0
        cuda.syncwarp()

    shfl, sync = record(shuffle, 1, 32, np.zeros(32)).of("warp_sync")
    assert ({0xFFFF}, False) == (set(shfl.mask.tolist()), shfl.orders_memory)
    assert list(range(1, 17)) == shfl.reads_from.tolist()
    assert ({0xFFFFFFFF}, True, 32) == (set(sync.mask.tolist()), sync.orders_memory, len(sync.lanes))


def test_atomics_tell_their_operation_and_whether_the_result_is_used():
    def count(bins):
        cuda.atomic.add(bins, 0, 1)
        before = cuda.atomic.max(bins, 1, cuda.threadIdx.x)
        cuda.threadfence()
        bins[2] = before

    recorder = record(count, 1, 32, np.zeros(3, np.int64))
    add, maximum, store = recorder.of("access")
    assert ("add", False, "max", True) == (add.operation, add.result_used, maximum.operation, maximum.result_used)
    assert [0] * 32 == add.cells.tolist()
    assert [2] * 32 == store.cells.tolist()
    assert ["grid"] == [fence.scope for fence in recorder.of("fence")]


def test_not_strict_goes_on_without_the_lanes_that_are_out_of_bounds():
    def shift(src, dst):
        i = cuda.grid(1)
        dst[i] = src[i + 1]

    src, dst = np.arange(1.0, 9.0), np.full(8, -1.0)
    recorder = record(shift, 1, 8, src, dst, strict=False)
    (outside,) = recorder.of("out_of_bounds")
    assert ([7], [8], "load", False) == (
        outside.lanes.thread.tolist(),
        outside.indices[0].tolist(),
        outside.kind,
        outside.wraps,
    )
    load, _ = recorder.of("access")
    assert 7 == len(load.lanes)
    assert list(range(2, 9)) == dst[:7].tolist()


def test_negative_indices_are_told_as_wrapping_unless_they_are_literal():
    def left(src, dst):
        i = cuda.grid(1)
        dst[i] = src[i - 1] + src[-1]

    src, dst = np.arange(8.0), np.zeros(8)
    (wrap,) = record(left, 1, 8, src, dst).of("out_of_bounds")
    assert (True, [0], [-1]) == (wrap.wraps, wrap.lanes.thread.tolist(), wrap.indices[0].tolist())
    np.testing.assert_array_equal(np.roll(src, 1) + 7, dst)


def test_names_decide_which_arrays_start_with_values():
    def arrays(**options):
        recorder = record(guarded, 1, 32, np.zeros(8), np.zeros(8), **options)
        return [a.initialised for a in recorder.of("launch_begins")[0].arguments]

    assert [True, False] == arrays(initialised={"src"})
    assert [False, True] == arrays(initialised=lambda name: name == "dst")
    device = [cuda.to_device(np.zeros(8)), cuda.device_array(8)]
    recorder = record(guarded, 1, 32, *device)
    assert [True, False] == [a.initialised for a in recorder.of("launch_begins")[0].arguments]
    recorder = record(guarded, 1, 32, *device)
    assert [True, True] == [a.initialised for a in recorder.of("launch_begins")[0].arguments]


def test_record_fields_are_cells_of_their_own_type():
    def touch(points):
        points[cuda.grid(1)].y = 1

    points = np.zeros(4, np.dtype([("x", np.float32), ("y", np.float32)]))
    (store,) = record(touch, 1, 4, points).of("access")
    assert (np.dtype("f4"), [1, 3, 5, 7]) == (store.array.dtype, store.cells.tolist())


@pytest.mark.parametrize("seed", [1, 2])
def test_a_seed_shuffles_blocks_over_all_batches(seed):
    def order(out):
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = 1

    recorder = record(order, 100, 1024, np.zeros(100), seed=seed)
    ids = np.concatenate([batch.block_ids for batch in recorder.of("batch_begins")])
    assert list(range(100)) == sorted(ids)
    assert list(range(100)) != ids.tolist()


def test_a_launch_without_listeners_gives_the_same_bits():
    def mixed(src, dst):
        tile = cuda.shared.array(64, float32)
        t = cuda.threadIdx.x
        tile[t] = src[cuda.grid(1)]
        cuda.syncthreads()
        if t % 3:
            dst[cuda.grid(1)] = tile[63 - t] * 0.1

    src = np.random.default_rng(0).random(640).astype(np.float32)
    plain, traced = np.zeros(640, np.float32), np.zeros(640, np.float32)
    simt.launch(mixed, 10, 64, src, plain)
    record(mixed, 10, 64, src, traced)
    np.testing.assert_array_equal(plain, traced)


def test_grids_are_normalised():
    assert (3, 1, 1) == norm3(3)
    assert (3, 2, 1) == norm3((np.int64(3), 2))
    assert (1, 1, 0) == coordinates(5, (4, 2, 1))


@pytest.mark.parametrize(
    "grid, block, complaint, swapped",
    [
        (1, 1025, "has 1025 threads; the limit is 1024", False),
        (256, 2048, "Were the two swapped", True),
        (4, 2048, "has 2048 threads", False),
        (0, 32, "holds 0 blocks, so nothing would run", False),
        (1, (1, 1, 65), "65 threads along z; the limit is 64", False),
        ((1, 65536), 32, "65536 blocks along y; the limit is 65535", False),
        ((1, -1), 32, "has a negative size", False),
        (2.5, 32, "must be integers. Divide with //", False),
        ((1, 1, 1, 1), 32, "has 4 dimensions", False),
    ],
)
def test_launches_that_no_gpu_accepts_say_why(grid, block, complaint, swapped):
    with pytest.raises(simt.errors.InvalidLaunchError, match=complaint) as caught:
        check_launch(grid, block)
    assert swapped == caught.value.swapped
