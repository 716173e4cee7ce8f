"""Unit 18's lines as a format of minitrt, and a tactic that runs a kernel on them with what two functions say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.exercises.u18_engine_kernels.values import DEEP, cells_of, line_of
from minitrt.tactics import Call, Format, In, Out, OwnTactic
from simt.source.counts import count_text

LINE = "line32"
ARGUMENTS = (
    "src", "weights", "pitch", "height", "multiplier", "addend", "residual", "residual_multiplier", "low", "high",
    "dst",
)  # fmt: skip


def channel_blocks(value: Any) -> int:
    """Blocks of 32 channels of a tensor with shape (images, channels, rows, columns)."""
    return -(-value.shape[1] // DEEP)


def stored_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """(blocks, cells, 32) of a batch of pictures."""
    images, channels, rows, cols = shape
    return -(-channels // DEEP), cells_of(images, rows, cols), DEEP


def pictures_of(line: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The pictures of a line, (images, channels, rows, columns)."""
    images, channels, rows, cols = shape
    whole = line[:, : images * (rows + 1) * (cols + 1)].reshape(len(line), images, rows + 1, cols + 1, DEEP)
    return whole[:, :, 1:, 1:].transpose(1, 0, 4, 2, 3).reshape(images, -1, rows, cols)[:, :channels]


LINES = Format(LINE, stored_shape, line_of, pictures_of)


class LineTactic(OwnTactic):
    """A kernel with conv_layer's arguments. asked: op -> whether it runs it; given: op -> its arguments."""

    name, formats = "line", (LINES,)

    def __init__(self, asked: Callable[[Any], Any], given: Callable[[Any], Sequence[Any]], kernel: Any) -> None:
        self.asked, self.given, self.kernel = asked, given, kernel

    def supports(self, op: Any) -> bool:
        return bool(self.asked(op))

    def layouts(self, op: Any) -> tuple[Sequence[str], Sequence[str]]:
        return tuple(LINE if v is not None and not v.is_constant else "linear" for v in op.inputs), (LINE,)

    def calls(self, op: Any) -> list[Call]:
        """One launch. Raises: ValueError for arguments that are not conv_layer's."""
        grid, block, shared = self.launch_of(op)
        return [Call(self.kernel, grid, block, checked(self.given(op), op), shared)]

    def launch_of(self, op: Any) -> tuple:
        """Grid, block and bytes of shared memory."""
        raise NotImplementedError


def checked(given: Sequence[Any], op: Any) -> list[Any]:
    """The arguments as the kernel takes them. Raises: TypeError, ValueError."""
    if not isinstance(given, (tuple, list)) or len(given) != len(ARGUMENTS):
        has = count_text(len(given), "value") if isinstance(given, (tuple, list)) else type(given).__name__
        raise TypeError(f"arguments gives a tuple of {len(ARGUMENTS)} ({', '.join(ARGUMENTS)}), and gave {has}")
    named = dict(zip(ARGUMENTS, given, strict=True))
    n_in, n_out, out = channel_blocks(op.inputs[0]), channel_blocks(op.output), op.output.shape[1]
    wanted = {
        "weights": (np.int8, (n_in, 9, out, DEEP)),
        "multiplier": (np.float32, (DEEP * n_out,)),
        "addend": (np.float32, (DEEP * n_out,)),
    }
    for name, (dtype, shape) in wanted.items():
        have = named[name]
        if not isinstance(have, np.ndarray) or have.dtype != dtype or have.shape != shape:
            described = f"{have.dtype} {have.shape}" if isinstance(have, np.ndarray) else type(have).__name__
            raise ValueError(f"{name} is an array of {np.dtype(dtype)} {shape} for this layer, and was {described}")
    for name, kind in (("src", In), ("dst", Out)):
        if not isinstance(named[name], kind):
            asked = "engine.input(0)" if kind is In else "engine.output()"
            raise TypeError(f"{name} is {asked}, and was {type(named[name]).__name__}")
    for name in ("residual_multiplier", "low", "high"):
        named[name] = np.float32(named[name])
    for name in ("pitch", "height"):
        named[name] = int(named[name])
    return list(named.values())
