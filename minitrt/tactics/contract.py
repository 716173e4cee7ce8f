"""What a tactic is: one way to run an operation on a device, as data that a plan can hold.

The builder asks ``candidates(op, device)`` for every operation of the optimised graph, with the shapes of the profile's
optimum put in. It drops tactics that need more workspace than the configuration allows, times the rest (tuner),
chooses one an operation together with layouts, inserts reformats, and stores each chosen tactic's launches in the
plan. The runtime stores nothing else about kernels: it loads cubins by key, allocates, and launches.

With dynamic shapes the runtime puts the actual shapes into the operation and calls ``make`` again, which is why
``make`` must be a pure function of the operation (shapes, scales, constants) and of nothing that changes between
processes. Refitting calls ``make`` again, too, with new constants.

The reference backend is a tactic like any other (`reference.py` beside this file): its launch names the key
"reference", and the runtime answers by computing the operation with NumPy. So the whole build and run works without a
GPU.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from minitrt.graph.ir import LINEAR, Op

REFERENCE = "reference"
VIEW = "view"  # how the names of tactics begin that launch nothing: the output is the input's bytes


@dataclass(frozen=True)
class Device:
    """What a tactic may ask of the device. Read from the GPU, or given, to build for another one.

    name: "NVIDIA H200"; compute_capability: (9, 0); shared_bytes: most dynamic shared memory of one block.
    """

    name: str
    compute_capability: tuple[int, int]
    sm_count: int
    shared_bytes: int
    l2_bytes: int = 0
    memory_bytes: int = 0


@dataclass(frozen=True)
class KernelKey:
    """Which kernel: a factory of `minitrt/kernels/` by name, and the constants it is compiled with (plain data).

    Equal keys are the same cubin; ``digest`` names it in plans and caches.
    """

    factory: str
    constants: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, factory: str, **constants: Any) -> KernelKey:
        return cls(factory, tuple(sorted(constants.items())))

    @property
    def digest(self) -> str:
        """40 hexadecimal digits, the same in every process."""
        return hashlib.sha1(json.dumps([self.factory, self.constants], default=list).encode()).hexdigest()


# --- arguments of a launch: each is plain data but for Packed's array, which the plan stores as a blob ---------------


@dataclass(frozen=True)
class Tensor:
    """The address of a value of the operation: role "input" or "output" and its index there, plus a byte offset.

    alignment: what the address must be a multiple of; it is the user's where the value is an end of the network.
    """

    role: str
    index: int
    offset_bytes: int = 0
    alignment: int = 1


@dataclass(frozen=True, eq=False)
class Packed:
    """The address of constants in device memory, in the order the kernel wants (weights in tiles, folded scales).

    name: unique within the operation. The plan stores the bytes, aligned to 256; equal bytes are stored once.
    """

    name: str
    data: np.ndarray


@dataclass(frozen=True)
class Scalar:
    """A number passed by value. type: "int32", "int64", "uint64", "float32", ... (NumPy's names)."""

    value: int | float
    type: str = "int32"


@dataclass(frozen=True)
class Workspace:
    """The address of scratch memory, `offset_bytes` into the operation's part of the arena.

    zeroed_bytes: so many bytes from there are cleared before the launch.
    """

    offset_bytes: int = 0
    zeroed_bytes: int = 0


@dataclass(frozen=True, eq=False)
class TensorMap:
    """The address of a 128-byte TMA descriptor. The runtime encodes it when addresses are bound.

    of: what it describes; dims, strides (bytes, without the innermost), box, element_strides: innermost first.
    im2col: None for a tiled map, else {"lower": [...], "upper": [...], "channels": int, "pixels": int}.
    """

    of: Tensor | Packed | Workspace
    type: str
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    element_strides: tuple[int, ...] = ()
    swizzle: int = 0
    im2col: dict[str, Any] | None = None
    l2_promotion: int = 0


@dataclass(frozen=True)
class Direction:
    """In which direction a kernel walks over its tiles: 0 forwards, -1 backwards. Every second launch goes backwards:
    it begins with what the one before wrote last, which L2 still has."""


Argument = Tensor | Packed | Scalar | Workspace | TensorMap | Direction


@dataclass(frozen=True, eq=False)
class Launch:
    """One kernel launch. grid, block, cluster: (x, y, z); shared_bytes: dynamic; dependent: programmatic launch."""

    kernel: KernelKey
    grid: tuple[int, int, int] = (1, 1, 1)
    block: tuple[int, int, int] = (1, 1, 1)
    args: tuple[Argument, ...] = ()
    shared_bytes: int = 0
    cluster: tuple[int, int, int] = (1, 1, 1)
    dependent: bool = False


@dataclass(frozen=True, eq=False)
class Tactic:
    """One way to run one operation.

    id:      stable across processes and versions of the code: a hash of the name, never a place in an order.
    name:    e.g. "conv_i8_wgmma_128x128x128_st6"; the inspector's TacticName.
    inputs:  the layout it wants of each input of the operation (constants: LINEAR; the tactic packs them itself).
    outputs: the layout of each output.
    workspace_bytes: scratch it needs at the shapes asked about; the builder compares it with the configured limit.
    shared_bytes:    dynamic shared memory of its largest launch, for the TACTIC_SHARED_MEMORY limit.
    make:    Op -> launches, in order, on one stream.
    source:  the TacticSource bit it belongs to (0: always allowed).
    """

    name: str
    make: Callable[[Op], list[Launch]]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = (LINEAR,)
    workspace_bytes: int = 0
    shared_bytes: int = 0
    source: int = 0
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> int:
        return tactic_id(self.name)


class Candidates(Protocol):
    """``minitrt.tactics.candidates``: every tactic that can run `op` (concrete shapes) on `device`.

    device: None without a GPU; then the reference tactic is the only answer.
    Returns the reference tactic alone where no kernel fits; with a GPU the reference comes last and is taken only then.
    """

    def __call__(self, op: Op, device: Device | None) -> list[Tactic]: ...


def tactic_id(name: str) -> int:
    """63 bits of the name's hash: the TacticValue of inspector and timing cache; never 0."""
    return int.from_bytes(hashlib.sha1(name.encode()).digest()[:8], "big") >> 1 or 1


def signature(op: Op) -> str:
    """What decides an operation's time: kind, attributes, shapes, types, layouts; not names, not constants' elements.

    Operations with equal signatures are timed once. It is the timing cache's key, so it is the same in every process.
    """

    def of(value) -> Any:
        if value is None:
            return None
        scaled = value.scale is not None
        return [value.dtype.name, list(value.shape), value.layout, value.is_constant, scaled]

    parts = [op.kind, op.attrs, [of(value) for value in op.inputs], [of(value) for value in op.outputs]]
    return json.dumps(parts, sort_keys=True, separators=(",", ":"))
