"""The depthwise kernel whose threads walk, run thread by thread in Python against the NumPy reference.

The module is loaded a second time with Python in place of its inline PTX; what is left is the kernel's own arithmetic:
places, edges, what stays from one row to the next, and which byte of a word meets which weight.
"""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest

from minitrt.graph.ir import NUMPY_TYPES
from minitrt.kernels import depthwise_walk, depthwise_windows, inline
from minitrt.reference import run_op
from minitrt.tactics import depthwise
from minitrt.tactics.contract import Scalar, Tensor
from tests.minitrt.operations import H200, in_float16, nhwc16
from tests.minitrt.tactics.test_depthwise import operation

APART = 1 << 32  # between the addresses of two arrays


class Memory:
    """Arrays of bytes at addresses far apart. Reads outside of one are errors; writes are counted."""

    def __init__(self, arrays: list[np.ndarray]):
        self.arrays, self.writes = arrays, np.zeros(arrays[-1].size, int)

    def part(self, address: int, count: int) -> tuple[np.ndarray, slice]:
        array, at = self.arrays[address // APART], address % APART
        assert at + count <= array.size, f"{count} bytes at {at} of {array.size}"
        return array, slice(at, at + count)

    def load(self, address: int, count: int, dtype: type) -> tuple:
        array, where = self.part(address, count)
        return tuple(array[where].view(dtype).tolist())

    def store(self, address: int, *words_and_whether: int) -> None:
        *words, whether = words_and_whether
        if whether:
            array, where = self.part(address, 8)
            array[where], _ = np.array(words, np.uint32).view(np.uint8), self.part(address, 8)
            self.writes[where] += 1


def dp4a(x: int, w: int, total: int) -> int:
    return total + int(np.dot(*(np.array([word], np.uint32).view(np.int8).astype(int) for word in (x, w))))


def turned(*pixels: int) -> list[int]:
    return np.array(pixels, np.uint32).view(np.uint8).reshape(4, 4).T.copy().view(np.uint32)[:, 0].tolist()


def pack_s8(*numbers: float) -> int:
    return int(np.clip(np.rint(numbers), -128, 127).astype(np.int8).view(np.uint32)[0])


def halves(word: int) -> tuple:
    return tuple(np.array([word], np.uint32).view(np.float16).astype(np.float32))


def pack_f16(*numbers: float) -> int:
    return int(np.array(numbers, np.float32).astype(np.float16).view(np.uint32)[0])


def again(module):
    """The module loaded a second time."""
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_in_python", module.__file__)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def in_python(monkeypatch):
    """run(launch, arrays): all threads of a launch. arrays: flat bytes of what its arguments name, the output last."""
    monkeypatch.setattr(inline, "inline", lambda function: function)
    module, windows = (again(each) for each in (depthwise_walk, depthwise_windows))
    module.OF_TYPE = windows.OF_TYPE

    def run(launch, arrays: list[np.ndarray]) -> np.ndarray:
        memory = Memory(arrays)
        cuda = SimpleNamespace(**{name: SimpleNamespace(x=0) for name in ("blockIdx", "blockDim", "threadIdx")})
        vars(module).update(
            cuda=cuda, int32=int, int64=int, uint32=int, uint64=int, udiv=lambda a, b: a // b, store8=memory.store,
            load8=lambda at, whether: memory.load(at, 8, np.uint32) if whether else (0, 0),
        )  # fmt: skip
        vars(windows).update(
            int32=int, uint64=int, float32=np.float32, dp4a=dp4a, pack_s8=pack_s8, halves=halves, pack_f16=pack_f16,
            turned=lambda *pixels: tuple(turned(*pixels)),
            later=lambda w: tuple(word << 8 & 0xFFFFFFFF for word in w),
            load_v2_b32=lambda at: memory.load(at, 8, np.uint32),
            load_v4_b32=lambda at: memory.load(at, 16, np.uint32),
            load_v4_f32=lambda at: tuple(map(np.float32, memory.load(at, 16, np.float32))),
        )  # fmt: skip
        kernel, _, cuda.blockDim.x = module.factory(**{**dict(launch.kernel.constants), "dependent": False})
        places = iter(range(len(arrays)))
        arguments = [one.value if isinstance(one, Scalar) else APART * next(places) for one in launch.args]
        for thread in range(launch.grid[0] * launch.block[0]):
            cuda.blockIdx.x, cuda.threadIdx.x = divmod(thread, launch.block[0])
            kernel(*arguments)
        return memory.writes

    return run


@pytest.mark.parametrize("form", [lambda op: op, in_float16], ids=["int8", "float16"])
@pytest.mark.parametrize("stride, size", [(1, (5, 6)), (1, (4, 5)), (2, (7, 7)), (2, (6, 8))])
def test_every_thread_writes_its_results_once_and_they_are_the_reference_s(in_python, stride, size, form):
    op = form(operation(stride))
    op.inputs[0].shape, op.output.shape = (2, 40, *size), (2, 40, *((n - 1) // stride + 1 for n in size))
    dtype = NUMPY_TYPES[op.inputs[0].dtype]
    x = np.random.default_rng(stride).integers(-128, 128, op.inputs[0].shape).astype(dtype)
    right = nhwc16(run_op(op, [x, *(value if value is None else value.data for value in op.inputs[1:])])[0])

    for tactic in (each for each in depthwise.candidates(op, H200) if "_walk_" in each.name):
        (launch,) = tactic.make(op)
        found = np.full(right.shape, 77, dtype)
        given = [nhwc16(x) if isinstance(one, Tensor) else one.data for one in launch.args[:3]]
        writes = in_python(launch, [np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (*given, found)])

        assert (writes == 1).all()
        np.testing.assert_allclose(found, right, rtol=2e-3 if dtype == np.float16 else 0)
