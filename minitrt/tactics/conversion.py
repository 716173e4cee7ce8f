"""Quantise, dequantise and convert where nothing changes place, 8 elements a thread."""

from __future__ import annotations

from functools import partial

import numpy as np

from minitrt.graph.ir import HWC, LINEAR, Op
from minitrt.kernels.conversion import THREADS
from minitrt.kernels.normalise import LANE_ELEMENTS
from minitrt.tactics.arguments import dtype_name, floats
from minitrt.tactics.contract import Device, KernelKey, Launch, Scalar, Tactic, Tensor
from minitrt.tactics.plain.layout import CONVERTED, KINDS, scale_of, scales_of

HAS_PACK, HAS_DEPENDENT_LAUNCH = (7, 5), (9, 0)  # cvt.pack, griddepcontrol


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for whole eights of elements and one scale."""
    x, y = op.inputs[0], op.output
    if op.kind not in KINDS or device.compute_capability < HAS_PACK or op.input(2) is not None:
        return []
    if HWC in (x.layout, y.layout):
        return []
    typed = x.dtype in CONVERTED and y.dtype in CONVERTED and x.size == y.size > 0 and x.size % LANE_ELEMENTS == 0
    known = op.input(1) is None or op.input(1).is_constant
    if not typed or not known or np.size(scale_of(op)) > 1 or any(scale.size > 1 for scale in scales_of(op)):
        return []
    make = partial(launches, dependent=device.compute_capability >= HAS_DEPENDENT_LAUNCH)
    return [Tactic("convert_eights", make, (LINEAR,) * len(op.inputs), (LINEAR,))]


def launches(op: Op, dependent: bool) -> list[Launch]:
    """The one launch."""
    x, y, (x_scale, y_scale) = op.inputs[0], op.output, scales_of(op)
    key = KernelKey.of("convert_eights", source=dtype_name(x), target=dtype_name(y), dependent=dependent)
    eights = x.size // LANE_ELEMENTS
    arguments = (
        Tensor("input", 0), Tensor("output", 0), *floats(x_scale[0], y_scale[0]), Scalar(int(eights), "int64"),
    )  # fmt: skip
    return [Launch(key, (-(-eights // THREADS), 1, 1), (THREADS, 1, 1), arguments, dependent=dependent)]
