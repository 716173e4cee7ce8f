"""The first convolution that quantises its own images, its threads run in Python against the NumPy reference.

The modules are loaded a second time with Python in place of their inline PTX: barriers that count, a copy engine that
copies, products of the bytes that descriptors name. What is left is the kernel's own: which rows of blocks each band
needs, both rings, who waits for whom, what is padding. Consumers end with the largest sums of three rows.
"""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.kernels import inline
from minitrt.kernels.hopper import block
from minitrt.kernels.hopper_stem import quantise, quantisers, raw
from minitrt.kernels.hopper_stem.tile import RawStemTile
from minitrt.reference import run_op
from minitrt.reference.convolution import convolve
from minitrt.tactics.contract import Packed, Scalar, TensorMap
from minitrt.tactics.geometry import padded
from minitrt.tactics.hopper import reciprocal, stem
from minitrt.tactics.hopper.packing import permuted_rows
from minitrt.tactics.hopper.reciprocal import quotients, rounds_alike
from tests.minitrt.kernels.test_depthwise_walk import again, pack_s8
from tests.minitrt.operations import quantising, with_pool
from tests.patience import PATIENCE_S


class Block:
    """A block's shared memory, its barriers in it, and the images. Addresses count from 0 in both."""

    def __init__(self, tile, images: np.ndarray, weights: np.ndarray, found: dict) -> None:
        self.shared = np.full(tile.shared_bytes, 0x55, np.uint8)
        self.images, self.weights, self.found = images.reshape(-1).view(np.uint8), weights, found
        self.changed = threading.Condition()
        self.phase: dict[int, int] = {}
        self.left: dict[int, list[int]] = {}  # arrivals and bytes until the phase is over
        self.count: dict[int, int] = {}

    def init(self, barrier: int, count: int) -> None:
        assert barrier not in self.count, "two barriers at one place"
        self.phase[barrier], self.count[barrier], self.left[barrier] = 0, count, [count, 0]

    def arrive(self, barrier: int, arrivals: int = 1, more_bytes: int = 0) -> None:
        with self.changed:
            left = self.left[barrier]
            left[0], left[1] = left[0] - arrivals, left[1] + more_bytes
            assert left[0] >= 0, "an arrival too many"
            if left == [0, 0]:
                self.phase[barrier], self.left[barrier] = self.phase[barrier] + 1, [self.count[barrier], 0]
                self.changed.notify_all()

    def wait(self, barrier: int, parity: int) -> None:
        with self.changed:
            done = self.changed.wait_for(lambda: self.phase[barrier] & 1 != parity, PATIENCE_S)
            assert done, f"nobody ends the phase that barrier {barrier} is waited for"

    def load_bytes(self, to: int, source: int, count: int, barrier: int) -> None:
        assert to % 16 == source % 16 == count % 16 == 0 and source + count <= self.images.size
        self.shared[to : to + count] = self.images[source : source + count]
        self.arrive(barrier, 0, -count)

    def load_2d(self, to: int, w: object, k: int, row: int, barrier: int) -> None:
        box = self.weights[row : row + 64, k : k + 128].reshape(-1).view(np.uint8)
        self.shared[to : to + box.size] = box
        self.arrive(barrier, 0, -box.size)

    def store(self, to: int, *words: int) -> None:
        self.shared[to : to + 16] = np.array(words, np.uint32).view(np.uint8)

    def keep(self, base, output, values, constants, lane, mine, turn, row, image, thread) -> None:
        if thread == 0:
            assert (image, row) not in self.found, "a row twice"
            self.found[image, row] = values

    def products(self, element, n, row_groups, group_offset, steps, parts):
        """Rows of A are 128 bytes; those of B begin 16 bytes apart and overlap."""
        row, k = np.arange(64)[:, None] * 128, np.arange(32)
        pixel = (np.arange(n)[:, None] + k // 16) * 16 + k % 16

        def multiply(sums, a, b):
            for i, (a_offset, b_offset) in enumerate(steps):
                left = self.shared[(a + a_offset) * 16 + row + k].view(np.int8).astype(np.int64)
                right = self.shared[(b[i * parts // len(steps)] + b_offset) * 16 + pixel].view(np.int8)
                sums = sums + left @ right.astype(np.int64).T
            return sums

        return multiply


def nothing(*_: object) -> None:
    """What needs no counterpart in Python."""


def with_python(rings, blocks, producer, consumer, it: Block, together: threading.Barrier) -> None:
    """Put Python in place of what the modules' functions call."""
    numbers = dict(int32=int, uint32=int, uint64=int, float32=np.float32)
    vars(rings).update(numbers, mbarrier=SimpleNamespace(init=it.init, fence_init=nothing))
    vars(blocks).update(
        numbers, pack_s8=pack_s8,
        quotient=lambda x, high, low, _: np.float32(np.float64(x) * high + np.float32(x * low)),
        PAIR_OF={
            "float32": lambda at: it.shared[at : at + 8].view(np.float32),
            "uint8": lambda at: it.shared[at : at + 2].astype(np.float32),
        },
    )  # fmt: skip
    shared = dict(
        numbers, udiv=lambda a, b: a // b, make_advance=rings.make_advance,
        directed=lambda t, tiles, direction: (t ^ direction) + (direction & tiles),
        sync=SimpleNamespace(wait_for_predecessor=nothing),
        tma=SimpleNamespace(
            load_bytes=it.load_bytes, load_2d=it.load_2d, fence_shared=nothing, wait_stores=nothing
        ),
        mbarrier=SimpleNamespace(
            wait=it.wait, expect_bytes=lambda barrier, count: it.arrive(barrier, 1, count),
            arrive_if_zero=lambda barrier, unless: None if unless else it.arrive(barrier),
        ),
        wgmma=SimpleNamespace(
            descriptor=lambda *_: 0, products=it.products,
            accumulators=lambda *_: SimpleNamespace(zero=lambda: 0, wait=lambda sums: sums),
        ),
    )  # fmt: skip
    vars(producer).update(
        shared, store=it.store, make_block=blocks.make_block, ptx=lambda *_, **__: lambda: together.wait(PATIENCE_S)
    )
    vars(consumer).update(
        shared, place_of=nothing, make_constants_loader=lambda _: nothing, make_larger=lambda _: np.maximum,
        make_store=lambda _: it.keep,
    )  # fmt: skip


def side_by_side(work: list[tuple], together: threading.Barrier) -> None:
    """Run (function, arguments) in a thread each; raise what the first of them raised."""
    wrong = []

    def one(function, arguments):
        try:
            function(*arguments)
        except BaseException as error:  # the others would wait for this thread
            wrong.append(error)
            together.abort()

    threads = [threading.Thread(target=one, args=each) for each in work]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if wrong:
        raise wrong[0]


@pytest.fixture
def in_python(monkeypatch):
    """run(launch, images) -> (image, pooled row) -> the largest sums of its rows, 64 channels by pixels."""
    monkeypatch.setattr(inline, "inline", lambda function: function)
    consumer, producer, blocks, rings = (again(each) for each in (raw, quantisers, quantise, block))

    def run(launch, images: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
        tile, count = RawStemTile(**dict(launch.kernel.constants)), launch.grid[0]
        (weights,) = (one.of.data for one in launch.args if isinstance(one, TensorMap) and isinstance(one.of, Packed))
        high, low, limit, *numbers = (one.value for one in launch.args if isinstance(one, Scalar))
        found: dict[tuple[int, int], np.ndarray] = {}
        for index in range(count):
            it, together = Block(tile, images, weights, found), threading.Barrier(tile.threads - 128)
            with_python(rings, blocks, producer, consumer, it, together)
            rings.make_barriers(tile.block_rows, tile.stages, 1)(0)
            quantise_all, consume = producer.make_quantisers(tile), consumer.make_consumer(tile)
            units, bands = numbers[:2]
            lanes = range(tile.threads - 128)
            work = [(consume, (0, 0, 0, units, bands, 0, index, count, warp, 0, 32 * warp)) for warp in range(4)]
            given = (0, *numbers, 0, count)
            work += [(quantise_all, (0, given, 0, (high, low, limit), index, lane)) for lane in lanes]
            side_by_side(work, together)
        return found

    return run


def largest_sums(op: Op, image: np.ndarray) -> np.ndarray:
    """(N, 64, pooled rows, pixels) of a quantised image."""
    sums = convolve(image.astype(np.float64), op.inputs[1].data.astype(np.float64), op.attrs).astype(np.int64)
    n, channels, height, width = sums.shape
    full = np.zeros((n, 64, height + 1, width), np.int64)
    full[:, :channels, 1:], full[:, :channels, 0] = sums, sums[:, :, 0]
    return np.maximum.reduce([full[:, :, 0:-1:2], full[:, :, 1::2], full[:, :, 2::2]])


@pytest.mark.parametrize(
    ("dtype", "shape", "kernel", "pad", "rows"),
    [
        (DataType.FLOAT, (2, 3, 16, 12), 7, 3, 2),  # bands at both ends of an image; two of them a block
        (DataType.FLOAT, (1, 4, 24, 16), 5, 2, 2),  # and one between
        (DataType.UINT8, (3, 1, 8, 24), 3, 1, 2),  # a band is an image
        (DataType.UINT8, (1, 3, 16, 16), 7, 3, 1),
    ],
)
def test_each_pooled_row_has_the_sums_of_the_quantised_image(in_python, dtype, shape, kernel, pad, rows):
    op = with_pool(shape, 40, (kernel, kernel), (pad, pad))
    op.inputs[0].scale = 0.37 if dtype == DataType.FLOAT else 1.7
    quantize, joint = quantising(op, dtype)
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal(shape) * 20 if dtype == DataType.FLOAT else rng.integers(0, 256, shape)
    images = drawn.astype(NUMPY_TYPES[dtype])
    expected = largest_sums(op, run_op(quantize, [images])[0])
    tile = RawStemTile(
        pixels=padded(shape[3] // 2), pitch=shape[3] // 2 + 3, pooled_rows=rows, quantisers=1, channels=shape[1],
        source=NUMPY_TYPES[dtype].name, stages=2,
    )  # fmt: skip

    found = in_python(stem.launches(joint, tile, sm_count=1)[0], images)

    assert set(found) == {(n, row) for n in range(shape[0]) for row in range(shape[2] // 4)}
    for (n, row), values in found.items():
        np.testing.assert_array_equal(values[:, : shape[3] // 2], expected[n, permuted_rows(64), row])


def test_a_product_with_a_reciprocal_is_quantised_as_a_quotient():
    rng = np.random.default_rng(0)
    scales = np.float32([0.05, 1 / 3, 2.0**-7, 1.9999999, 511.7, *rng.random(40), *(2.0 ** rng.uniform(-20, 9, 40))])
    for scale in scales:
        halves = (np.arange(-260, 261) * np.float32(0.5) * scale).astype(np.float32)
        near = (halves.view(np.int32)[:, None] + np.arange(-3, 4, dtype=np.int32)).view(np.float32).reshape(-1)
        x = np.concatenate([near, rng.standard_normal(4000) * 64 * scale, [0, -0.0]]).astype(np.float32)
        divided, found = x / scale, quotients(x, float(scale))

        assert rounds_alike(float(scale))
        assert (np.abs(found.view(np.int32) - divided.view(np.int32)) <= 1).all()
        np.testing.assert_array_equal(np.clip(np.rint(found), -128, 127), np.clip(np.rint(divided), -128, 127))


def test_the_kernel_computes_that_product():
    scale = np.float32(0.37)
    x = np.float32([0, 1.5, -0.185, 60, -1e3, 3e38, -np.inf, np.nan])
    high, low = reciprocal.parts(0.37)
    limit = np.float32(256) * scale
    clamped = np.where(np.isnan(x), x, np.clip(x, -limit, limit))

    np.testing.assert_array_equal(as_ptx_says(x, high, low, limit), quotients(clamped, 0.37))


def as_ptx_says(x: np.ndarray, *others: np.float32) -> np.ndarray:
    """What the instructions of QUOTIENT make of it."""
    named = {f"${i + 1}": np.float64(number) for i, number in enumerate((x, *others))}
    for line in quantise.QUOTIENT.strip("{ }").split(";")[1:-1]:
        operation, result, *given = line.replace(",", "").split()
        a, b, *c = (named[name] for name in given)
        if operation == "min.NaN.xorsign.abs.f32":
            made = np.copysign(np.minimum(abs(a), abs(b)), a * b)
        else:
            assert operation == ("fma.rn.f32" if c else "mul.rn.f32")
            made = a * b + (c[0] if c else 0)
        named[result] = np.float64(np.float32(made))
    return np.float32(named["$0"])


def test_a_reciprocal_of_one_part_is_not_enough(monkeypatch):
    assert all(rounds_alike(scale) for scale in (0.05, 0.37, 1.7))
    monkeypatch.setattr(reciprocal, "parts", lambda scale: (np.float32(1) / np.float32(scale), np.float32(0)))

    assert not any(rounds_alike.__wrapped__(scale) for scale in (0.05, 0.37, 1.7))
