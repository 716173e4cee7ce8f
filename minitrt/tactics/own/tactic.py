"""What a reader writes: a class that says which operations its kernels can run, and how they are launched.

    class Mine(OwnTactic):
        name = "my_relu"

        def supports(self, op):
            return op.kind == "pointwise" and ...

        def calls(self, op):
            x = op.inputs[0]
            return [Call(my_relu, -(-x.size // 256), 256, (In(0, (x.size,)), Out(0, (x.size,))))]

An operation (`minitrt/graph/ir.py`) has a kind and attributes (`minitrt/graph/kinds.py`), and values with type, shape,
scale, and data where they are constant. `minitrt.tactics.geometry.of` gives the sizes of a convolution or a product,
`minitrt.graph.epilogue.folded` the numbers of its epilogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitrt.graph.ir import LINEAR, Op

MARK = "@"  # between the name of a registered tactic and the digest of its text; no name of ours has it
EXTRAS = ("pool", "shortcut", "tail", "quantised")  # attributes that put another operation's work into one
NAME = re.compile(r"[A-Za-z0-9_.\-]+")


class TacticError(ValueError):
    """A registered tactic that cannot be used as it is. Attribute: tactic, its name."""

    def __init__(self, tactic: str, problem: str) -> None:
        super().__init__(f"tactic {tactic!r}: {problem}")
        self.tactic = tactic


@dataclass(frozen=True)
class In:
    """An input of the operation as an array. shape: as the kernel wants to see it, if not as it is stored."""

    index: int
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Out:
    """An output, likewise."""

    index: int = 0
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Scratch:
    """Memory for the time of the operation, which holds anything at first. One object is one place in all calls."""

    shape: tuple[int, ...]
    dtype: Any = np.float32

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True, eq=False)
class Call:
    """One launch. kernel: a function, or one that numba.cuda jitted; grid, block: a number or up to three.

    args: In, Out, Scratch; NumPy arrays, which are packed weights and constants; numbers, whose types are NumPy's
    (np.float32(1)), or int64 and float64 where Python's are given. shared_bytes: dynamic shared memory.
    """

    kernel: Any
    grid: int | Sequence[int]
    block: int | Sequence[int]
    args: Sequence[Any]
    shared_bytes: int = 0


@dataclass(frozen=True)
class Format:
    """A way to lie in memory that the engine does not know.

    name: in plans. stored_shape: shape -> the shape as it lies. pack: an array of the shape -> as it lies, padding
    included; unpack: (as it lies, shape) -> the array. Kernels that convert from and to "linear" are tactics of kind
    "reformat"; the engine puts them in where two layers disagree.
    """

    name: str
    stored_shape: Callable[[tuple[int, ...]], tuple[int, ...]]
    pack: Callable[[np.ndarray], np.ndarray]
    unpack: Callable[[np.ndarray, tuple[int, ...]], np.ndarray]


class OwnTactic:
    """A tactic of a reader.

    name:    in plans and in the inspector.
    formats: those that it brings, of class Format.
    fusions: which of EXTRAS it computes; an operation that has another one is never shown to it.
    """

    name: str = ""
    formats: Sequence[Format] = ()
    fusions: Sequence[str] = ()

    def supports(self, op: Op) -> bool:
        """Whether it can run an operation whose shapes are all known: its types, sizes, scales and all attributes."""
        raise NotImplementedError

    def layouts(self, op: Op) -> tuple[Sequence[str], Sequence[str]]:
        """The layouts of inputs (constants: "linear") and of outputs. As it stands: "linear" everywhere."""
        return (LINEAR,) * len(op.inputs), (LINEAR,) * len(op.outputs)

    def calls(self, op: Op) -> list[Call]:
        """Its launches, in their order; a pure function of the operation."""
        raise NotImplementedError


def checked_name(tactic: OwnTactic) -> str:
    """The name of a tactic that can be registered. Raises: TacticError, TypeError."""
    if not isinstance(tactic, OwnTactic):
        given = f"the class {tactic.__name__}: pass an object of it" if isinstance(tactic, type) else repr(tactic)[:80]
        raise TypeError(f"a tactic is an object of a class derived from minitrt.tactics.OwnTactic, and this is {given}")
    if not (isinstance(tactic.name, str) and NAME.fullmatch(tactic.name)):
        raise TacticError(
            str(tactic.name), f"a name has letters, digits and _ . - alone. Set {type(tactic).__name__}.name."
        )
    missing = [n for n in ("supports", "calls") if getattr(type(tactic), n) is getattr(OwnTactic, n)]
    if missing:
        raise TacticError(tactic.name, f"{type(tactic).__name__} has no method {' and no method '.join(missing)}")
    unknown = [one for one in tactic.fusions if one not in EXTRAS]
    if unknown:
        raise TacticError(tactic.name, f"fusions {unknown} are none of {', '.join(EXTRAS)}")
    return tactic.name


def asked(tactic: OwnTactic, what: str, op: Op) -> Any:
    """What a method of a tactic says of an operation. Raises: TacticError, with what went wrong in it."""
    try:
        return getattr(tactic, what)(op)
    except TacticError:
        raise
    except Exception as error:
        raise TacticError(tactic.name, f"{what}({op.name}) raised {type(error).__name__}: {error}") from error


def layouts_of(tactic: OwnTactic, op: Op) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Layouts, one an input and one an output. Raises: TacticError."""
    inputs, outputs = map(tuple, asked(tactic, "layouts", op))
    if (len(inputs), len(outputs)) != (len(op.inputs), len(op.outputs)):
        told = f"{len(inputs)} and {len(outputs)} layouts, and it has {len(op.inputs)} inputs and {len(op.outputs)}"
        raise TacticError(tactic.name, f"layouts({op.name}) gave {told} outputs. Give one for each.")
    return inputs, outputs


def calls_of(tactic: OwnTactic, op: Op) -> list[Call]:
    """Its calls, one at least. Raises: TacticError."""
    calls = list(asked(tactic, "calls", op))
    if not calls or not all(isinstance(call, Call) for call in calls):
        raise TacticError(tactic.name, f"calls({op.name}) gave {calls!r:.80}; give a list of one Call or more")
    return calls


def three(size: int | Sequence[int]) -> tuple[int, int, int]:
    """A grid or a block with three sizes."""
    sizes = tuple(int(one) for one in size) if isinstance(size, Sequence) else (int(size),)
    return (*sizes, 1, 1, 1)[:3]
