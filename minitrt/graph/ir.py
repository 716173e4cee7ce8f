"""What every stage works on: values, operations and the graph of them.

A `Graph` is lowered from a network, rewritten by the passes, given tactics by the builder, and stored in a plan.
It knows shapes, types and constants; it knows nothing of ONNX, of the public API's layers, of kernels or of devices.

**Kinds** of operation and their attributes are listed in `kinds.py`; NumPy's meaning of each is in
`minitrt/reference/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.recipe import Elements, held

LINEAR = "linear"  # row major, in the order of the shape (NCHW for an image)
NHWC16 = "nhwc16"  # channels last and padded with zeros to a multiple of 16; shape still says (N, C, H, W)
HWC = "hwc"  # channels last, of inputs and outputs alone; shape still says (..., C, H, W)
# 2x2 blocks of up to 4 channels as pixels of 16, with 2 zero blocks before and 1 after: what a first convolution of
# stride 2 likes. Element 4 c + 2 dy + dx of block (i, j) lies at [n, i + 2, j + 2]; H and W are even.
BLOCKS16 = "blocks16"
OWN_LAYOUTS: dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]] = {}  # of registered tactics: shape -> as it lies

NUMPY_TYPES = {
    DataType.FLOAT: np.dtype(np.float32),
    DataType.HALF: np.dtype(np.float16),
    DataType.INT8: np.dtype(np.int8),
    DataType.INT32: np.dtype(np.int32),
    DataType.INT64: np.dtype(np.int64),
    DataType.BOOL: np.dtype(np.bool_),
    DataType.UINT8: np.dtype(np.uint8),
}
DATA_TYPES = {numpy_type: data_type for data_type, numpy_type in NUMPY_TYPES.items()}


@dataclass(eq=False)
class Value:
    """One tensor.

    name:   unique in its graph.
    dtype:  one of NUMPY_TYPES' keys.
    shape:  ints, outermost first; -1 for a dimension known only at run time (never once a profile's shapes are put in).
    scale:  of an INT8 value: real = scale * stored; a float for a whole tensor, float32 (K,) for weights along `axis`.
    axis:   the axis of a per-channel scale.
    data:   a constant's elements (C order, NUMPY_TYPES[dtype], of `shape`), or None; they may be made when they are
            asked for (`recipe.py`).
    layout: how it lies in memory, one of those above. Constants are LINEAR; a tactic packs them as it likes.
    host:   True for a tensor whose elements decide shapes: it lives in host memory.
    range:  (low, high) that the user wants INT8 to cover, or None.
    weights: the name under which a constant can be refitted, or None.
    sizes:  the shape with expressions of open sizes in place of -1 (`minitrt/shapes/size.py`), or None; no plan has it.
    pitch:  channels from a pixel to the next of an NHWC16 value that lies inside a wider one; 0: its own channels.
    """

    name: str
    dtype: DataType
    shape: tuple[int, ...]
    scale: float | np.ndarray | None = None
    axis: int = 0
    data: Elements = Elements()
    layout: str = LINEAR
    host: bool = False
    range: tuple[float, float] | None = None
    weights: str | None = None
    pitch: int = 0
    sizes: tuple | None = None

    @property
    def is_constant(self) -> bool:
        return held(self) is not None

    @property
    def real(self) -> np.ndarray:
        """A constant's elements as numbers: float32 of those that are stored as steps of a scale."""
        if self.scale is None or self.dtype != DataType.INT8:
            return self.data
        scale = np.asarray(self.scale, np.float32)
        shape = [1] * len(self.shape)
        if scale.size > 1:
            shape[self.axis] = scale.size
        return self.data.astype(np.float32) * scale.reshape(shape if self.shape else ())

    @property
    def size(self) -> int:
        """Elements, without a layout's padding."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def stored_shape(self) -> tuple[int, ...]:
        """The shape as it lies in memory: (N, H, W, C up to a multiple of 16) for NHWC16; (N, C) likewise for rank
        2; (N, H / 2 + 3, W / 2 + 3, 16) for BLOCKS16; (..., H, W, C) for HWC."""
        if self.layout == LINEAR:
            return self.shape
        if self.layout in OWN_LAYOUTS:
            return tuple(OWN_LAYOUTS[self.layout](self.shape))
        if self.layout == HWC:
            *lead, channels, height, width = self.shape
            return (*lead, height, width, channels)
        if self.layout == BLOCKS16:
            return (self.shape[0], self.shape[2] // 2 + 3, self.shape[3] // 2 + 3, 16)
        batch, channels, *space = self.shape
        return (batch, *space, -(-channels // 16) * 16)

    @property
    def nbytes(self) -> int:
        """Bytes it takes in memory, padding included."""
        return int(np.prod(self.stored_shape, dtype=np.int64)) * NUMPY_TYPES[self.dtype].itemsize

    def like(self, name: str, **changes: Any) -> Value:
        """A new value of the same type, shape and scale under another name, without the data."""
        kept = dict(dtype=self.dtype, shape=self.shape, scale=self.scale, axis=self.axis, layout=self.layout)
        sizes = None if "shape" in changes else self.sizes
        return Value(name, **{**kept, "sizes": sizes, **changes})

    def as_large_as(self, other: Value) -> bool:
        """Whether the shapes are equal for every size; two dimensions of which nothing is known are not."""
        return self.shape == other.shape and (
            -1 not in self.shape or self.sizes is not None and self.sizes == other.sizes
        )


@dataclass(eq=False)
class Op:
    """One operation.

    kind:    a key of kinds.KINDS ("conv", "gemm", "pool", "pointwise", ...).
    name:    as TensorRT names layers: "conv1", fused "conv1 + relu1", pointwise "PWN(...)". Unique in its graph.
    inputs:  values in the order kinds.py gives; None where an optional one is absent.
    outputs: values.
    attrs:   plain data only (numbers, strings, booleans, None, lists and dicts of them): a plan holds it as JSON.
    origin:  names of the network's layers it stands for; the inspector's Metadata.
    """

    kind: str
    name: str
    inputs: list[Value | None]
    outputs: list[Value]
    attrs: dict[str, Any] = field(default_factory=dict)
    origin: list[str] = field(default_factory=list)

    @property
    def output(self) -> Value:
        """The first output."""
        return self.outputs[0]

    @property
    def present(self) -> list[Value]:
        """The inputs that are there."""
        return [value for value in self.inputs if value is not None]

    def input(self, index: int) -> Value | None:
        """Input `index`, None where it is absent or past the end."""
        return self.inputs[index] if index < len(self.inputs) else None


def joint_name(first: Op, second: Op) -> str:
    """The name of one operation that does what both did."""
    return f"{first.name} + {second.name}"


class Graph:
    """Operations in an order in which they can run, with the values that come in and go out.

    equal: name of a dimension -> the inputs' dimensions, (name, axis), that bear it, two at least: they are equal.
    """

    def __init__(self, name: str = "", ops: Iterable[Op] = (), inputs: Iterable[Value] = (), outputs=()):
        self.name = name
        self._ops: list[Op] = list(ops)
        self._gone: set[Op] = set()
        self._beside: dict[Op, tuple[list[Op], list[Op]]] = {}
        self.inputs: list[Value] = list(inputs)
        self.outputs: list[Value] = list(outputs)
        self.equal: dict[str, list[tuple[str, int]]] = {}
        self.kept: list[Value] = []  # values that someone wants to see: fusions leave them alone

    @property
    def ops(self) -> list[Op]:
        """In order. What was removed and inserted since anyone looked is carried out now, in one go."""
        if self._gone or self._beside:
            self._ops, waiting = [], self._ops[::-1]
            while waiting:
                op = waiting.pop()
                before, after = self._beside.pop(op, ((), ()))
                if before or after:
                    waiting += [*after, op, *reversed(before)]
                elif op not in self._gone:
                    self._ops.append(op)
            self._gone = set()
        return self._ops

    @ops.setter
    def ops(self, ops: list[Op]) -> None:
        self._ops, self._gone, self._beside = ops, set(), {}

    def __iter__(self) -> Iterator[Op]:
        return iter(list(self.ops))

    def producers(self) -> dict[Value, Op]:
        """Which operation makes each value; inputs and constants have none."""
        return {value: op for op in self.ops for value in op.outputs}

    def users(self) -> dict[Value, list[Op]]:
        """Which operations read each value, in order; one that reads it twice is listed once."""
        found: dict[Value, list[Op]] = {}
        for op in self.ops:
            for value in op.inputs:
                readers = found.setdefault(value, []) if value is not None else None
                if readers is not None and (not readers or readers[-1] is not op):
                    readers.append(op)
        return found

    def values(self) -> list[Value]:
        """Every value once: inputs, then as the operations read and write them."""
        seen = dict.fromkeys(self.inputs)
        for op in self.ops:
            seen.update(dict.fromkeys(op.present))
            seen.update(dict.fromkeys(op.outputs))
        seen.update(dict.fromkeys(self.outputs))
        return list(seen)

    def constants(self) -> list[Value]:
        return [value for value in self.values() if value.is_constant]

    def replace(self, old: Value, new: Value, readers: Iterable[Op] | None = None) -> None:
        """Let everything that reads `old`, the graph's outputs included, read `new`. readers: who that is [all]."""
        for op in self.ops if readers is None else readers:
            op.inputs = [new if value is old else value for value in op.inputs]
        self.outputs = [new if value is old else value for value in self.outputs]
        self.kept = [new if value is old else value for value in self.kept]

    def remove(self, ops: Iterable[Op]) -> None:
        self._gone.update(ops)

    def insert(self, op: Op, before: Op | None = None, after: Op | None = None) -> None:
        """Put a new operation right next to another one of the graph."""
        self._beside.setdefault(before or after, ([], []))[before is None].append(op)

    def sort(self) -> None:
        """Put the operations in an order in which they can run, keeping the present one where it is possible.

        Raises: ValueError naming an operation that waits for itself.
        """
        made_by = self.producers()
        order: list[Op] = []
        state: dict[Op, str] = {}
        for root in self.ops:
            stack = [root]
            while stack:
                op = stack[-1]
                if op in state and state[op] == "done":
                    stack.pop()
                    continue
                waiting = [made_by[v] for v in op.present if v in made_by and state.get(made_by[v]) != "done"]
                if not waiting:
                    state[op] = "done"
                    order.append(op)
                    stack.pop()
                elif state.get(op) == "open" and any(state.get(each) == "open" for each in waiting):
                    raise ValueError(f"{op.name} ({op.kind}) needs its own result")
                else:
                    state[op] = "open"
                    stack.extend(reversed(waiting))
        self.ops = order

    def fresh(self, name: str) -> str:
        """`name`, with a number behind it if a value of the graph has it already."""
        taken = {value.name for value in self.values()}
        return name if name not in taken else next(f"{name}_{n}" for n in range(1, 10**9) if f"{name}_{n}" not in taken)
