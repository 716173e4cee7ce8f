"""Whether the operands of an operation fit together, where its shape rule alone would not tell.

Kernels read as much of a bias, a scale or a recurrent weight as the other operands ask for: one that is shorter would
be read past its end. So what does not fit is refused when an engine is built.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.recurrent import GATES
from minitrt.shapes.dims import Shape, all_fit, broadcast, fit, is_open, product
from minitrt.shapes.misfits import TooSmall

BIAS = 2  # input of a convolution
NAMES = ("X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P")  # of recurrent layers


def check(op: Op) -> None:
    """Raises: ValueError with what does not fit."""
    if rule := RULES.get(op.kind):
        rule(op)


def need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)


def conv(op: Op) -> None:
    x, weights, groups = op.inputs[0].shape, op.inputs[1].shape, op.attrs.get("groups", 1)
    need(len(x) == len(weights), f"{len(x)} axes meet weights of {len(weights)}")
    transposed = op.kind == "deconv"
    need(not transposed or fit(x[1], weights[0]), f"{x[1]} channels meet weights for {weights[0]}")
    need(fit(weights[0] % groups, 0), f"weights for {weights[0]} channels do not divide into {groups} groups")
    channels, bias = weights[1] * groups if transposed else weights[0], op.input(BIAS)
    need(
        bias is None or fit(product(bias.shape), channels), f"a bias of {bias and bias.shape} meets {channels} channels"
    )


def recurrent(op: Op) -> None:
    x, hidden, by_image = op.inputs[0].shape, op.attrs["hidden"], op.attrs.get("layout")
    need(len(x) == 3, f"X has {len(x)} axes, not 3")
    batch, ways = x[0 if by_image else 1], 2 if op.attrs.get("direction") == "bidirectional" else 1
    gates = GATES[op.kind] * hidden
    state = (batch, ways, hidden) if by_image else (ways, batch, hidden)
    right: tuple[Shape, ...] = (
        x, (ways, gates, x[2]), (ways, gates, hidden), (ways, 2 * gates), (batch,), state, state, (ways, 3 * hidden),
    )  # fmt: skip
    for name, value, shape in zip(NAMES, op.inputs, right, strict=False):
        need(
            value is None or all_fit(value.shape, shape),
            f"{name} is {value and value.shape}, not {shape}, for X of {x}",
        )
    lengths, time = op.input(4), x[1 if by_image else 0]
    if lengths is not None and lengths.data is not None and not is_open(time, *lengths.data.reshape(-1).tolist()):
        need(
            bool(np.all(lengths.data <= time)), f"sequence_lens has {np.max(lengths.data)}, but there are {time} steps"
        )


def norm(op: Op) -> None:
    x, per_channel = op.inputs[0].shape, op.attrs.get("per_channel")
    for name, value in zip(("scale", "bias"), op.inputs[1:], strict=False):
        if value is not None and per_channel:
            need(fit(product(value.shape), x[1]), f"a {name} of {value.shape} meets {x[1]} channels")
        elif value is not None:
            need(all_fit(broadcast(x, value.shape), x), f"a {name} of {value.shape} is no part of {x}")
    groups = op.attrs.get("groups", 1)
    if groups > 1:
        need(fit(x[1] % groups, 0), f"{groups} groups do not divide {x[1]} channels")


def batch_norm(op: Op) -> None:
    channels = op.inputs[0].shape[1]
    for name, value in zip(("scale", "bias", "mean", "variance"), op.inputs[1:], strict=False):
        need(fit(product(value.shape), channels), f"a {name} of {value.shape} meets {channels} channels")


def steps(op: Op) -> None:
    """Of quantisation: one scale, or one for each place along an axis."""
    x, axis, scale = op.inputs[0].shape, op.attrs.get("axis") or 0, op.inputs[1]
    if scale is not None and scale.data is not None:
        need(bool(np.all(np.isfinite(scale.data))), "a scale is infinite, or no number")
    for name, value in zip(("scale", "zero point"), op.inputs[1:], strict=False):
        if value is not None and len(value.shape) == 1 and product(value.shape) != 1:
            need(fit(product(value.shape), x[axis]), f"a {name} of {value.shape} meets axis {axis} of {x[axis]}")


def gather(op: Op) -> None:
    x, indices = op.inputs[0].shape, op.inputs[1]
    fits = op.attrs.get("mode") != "element" or len(x) == len(indices.shape)
    need(fits, f"indices of {len(indices.shape)} axes meet data of {len(x)}")
    if op.attrs.get("mode", "default") != "nd" and len(x):
        n, found = x[op.attrs.get("axis", 0)], indices.data
        if found is not None and found.size and found.dtype != object and not is_open(n):
            low, high = int(found.min()), int(found.max())
            if low < -n or high >= n:
                raise TooSmall(f"index {high if high >= n else low} is out of bounds for size {n}")


RULES: dict[str, Callable[[Op], None]] = {
    "conv": conv,
    "deconv": conv,
    "lstm": recurrent,
    "gru": recurrent,
    "rnn": recurrent,
    "norm": norm,
    "batch_norm": batch_norm,
    "quantize": steps,
    "dequantize": steps,
    "gather": gather,
    "scatter": gather,
}
