"""How right an engine is: each layer against the NumPy reference on its real input, the whole against ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from minitrt.builder.views import CHANNELS
from minitrt.device import single
from minitrt.device.launches import Kernels
from minitrt.graph.ir import BLOCKS16, HWC, NHWC16, Op
from minitrt.reference import run_op
from minitrt.tactics.candidates import last_resorts
from minitrt.tactics.contract import REFERENCE, VIEW, Tactic
from minitrt.tactics.reference import candidates


def layer_by_layer(engine: Any, inputs: dict[str, np.ndarray]) -> tuple[list[str], dict[str, np.ndarray]]:
    """(one line for each layer that differs, the reference's outputs). Every layer gets the reference's input."""
    plan = engine._plan
    profile, kernels = plan.profiles[0], Kernels(plan.cubins)
    arrays = {value: inputs[value.name] for value in profile.graph.inputs}
    wrong = []
    for op, choice in zip(profile.graph.ops, profile.choices, strict=True):
        given = [None if v is None else v.data if v.is_constant else arrays[v] for v in op.inputs]
        expected = run_op(op, given)
        arrays.update(zip(op.outputs, expected, strict=False))
        if choice.tactic != REFERENCE:  # which is what computed what is expected
            tactic = tactic_of(op, choice.tactic, plan.device)
            wrong += [
                f"{op.name}, {choice.tactic}: {line}" for line in differences(op, tactic, given, expected, kernels)
            ]
    return wrong, {value.name: arrays[value] for value in profile.graph.outputs}


def tactic_of(op: Op, name: str, device: Any) -> Tactic:
    """The tactic that a plan names; a join whose inputs all lie in its pixels is named as a view there."""
    wanted = CHANNELS if name == f"{VIEW}_pixels" else name
    return next(each for each in [*candidates(op, device), *last_resorts(op, device)] if each.name == wanted)


def differences(op: Op, tactic: Tactic, given: list, expected: list[np.ndarray], kernels: Kernels) -> list[str]:
    """A line for each output of a layer that is not the reference's."""
    laid = [
        None if v is None or v.is_constant else as_stored(a, layout)
        for v, a, layout in zip(op.inputs, given, tactic.inputs, strict=False)
    ]
    found = single.run(op, tactic, laid, kernels)
    right = [as_stored(array, layout).reshape(-1) for array, layout in zip(expected, tactic.outputs, strict=True)]
    return [line for pair in zip(found, right, strict=True) if (line := difference(*pair))]


def difference(found: np.ndarray, expected: np.ndarray) -> str:
    """How an output differs from the reference's, "" for not at all: stored steps of int8, else the largest share."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"{found.size} elements of {found.dtype}, not {expected.size} of {expected.dtype}"
    if found.dtype == np.int8:
        steps = np.abs(found.astype(np.int16) - expected)
        return f"{int((steps > 0).sum())} of {steps.size} elements, by at most {steps.max()}" if steps.any() else ""
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    same = (found == expected) | np.isnan(found) & np.isnan(expected)
    if same.all():
        return ""
    away = np.abs(found - expected)[~same].max() / max(np.abs(expected).max(), 1e-30)
    return f"{away:.1e} of the largest element"


def as_stored(array: np.ndarray, layout: str) -> np.ndarray:
    """A logical array as a layout stores it."""
    if layout == HWC:
        return np.moveaxis(array, -3, -1)
    if layout == NHWC16:
        stored = np.zeros((array.shape[0], *array.shape[2:], -(-array.shape[1] // 16) * 16), array.dtype)
        stored[..., : array.shape[1]] = np.moveaxis(array, 1, -1)
        return stored
    if layout == BLOCKS16:
        images, channels, height, width = array.shape
        stored = np.zeros((images, height // 2 + 3, width // 2 + 3, 16), array.dtype)
        blocks = array.reshape(images, channels, height // 2, 2, width // 2, 2).transpose(0, 2, 4, 1, 3, 5)
        stored[:, 2:-1, 2:-1, : 4 * channels] = blocks.reshape(*blocks.shape[:3], -1)
        return stored
    return array


def onnx_runtime(model: onnx.ModelProto, array: np.ndarray, optimised: bool) -> np.ndarray:
    """The first output that ONNX Runtime computes on the CPU."""
    import onnxruntime

    options, level = onnxruntime.SessionOptions(), onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_ALL if optimised else level.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return session.run(None, {session.get_inputs()[0].name: array})[0]


def distance(found: np.ndarray, expected: np.ndarray) -> float:
    """The norm of the difference over the norm of what is expected."""
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))
