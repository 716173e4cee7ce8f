"""Inputs from files and seeded noise, and what a run leaves in files, in trtexec's forms."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

import minitrt as trt
from minitrt.trtexec.building import Failed
from minitrt.trtexec.options import Options


def input_for(options: Options, engine: trt.ICudaEngine, name: str) -> np.ndarray:
    """An input from a file (--loadInputs), or seeded noise; elements of a shape tensor, as --shapes gives them.

    Raises: Failed, OSError.
    """
    dtype = np.dtype(trt.nptype(engine.get_tensor_dtype(name)))
    if engine.is_shape_inference_io(name):
        given = options.shapes.get(name) or options.optShapes.get(name)
        values = given or tuple(engine.get_tensor_profile_values(0, name)[1])
        return np.array(values, dtype).reshape(tuple(engine.get_tensor_shape(name)))
    shape = options.shapes.get(name) or tuple(engine.get_tensor_profile_shape(name, 0)[1])
    if name in options.loadInputs:
        return from_file(name, Path(options.loadInputs[name]), dtype, shape)
    noise = np.random.default_rng(0).random(shape) * 2 - 1
    return noise.astype(dtype) if np.issubdtype(dtype, np.floating) else np.zeros(shape, dtype)


def from_file(name: str, path: Path, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """Raw elements. Raises: Failed for a file of another size; OSError."""
    data, wanted = path.read_bytes(), math.prod(shape) * dtype.itemsize
    if len(data) != wanted:
        sizes = f"{text_of(shape) or 'one number'} of {dtype}"
        raise Failed(f"{path} has {len(data)} bytes, but input {name!r} ({sizes}) takes {wanted}")
    return np.frombuffer(data, dtype).reshape(shape)


def text_of(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def export_times(path: str, milliseconds: list[float]) -> None:
    """Each run's begin and end, one behind the other; copies are not timed."""
    rows, began = [], 0.0
    for time_ms in milliseconds:
        ended = began + time_ms
        starts = {f"start{part}Ms": began if part != "D2h" else ended for part in ("H2d", "Compute", "D2h")}
        ends = {f"end{part}Ms": ended if part != "H2d" else began for part in ("H2d", "Compute", "D2h")}
        rows.append({**starts, **ends, "h2dMs": 0.0, "computeMs": time_ms, "d2hMs": 0.0, "latencyMs": time_ms})
        began = ended
    Path(path).write_text(json.dumps(rows, indent=1), encoding="utf-8")


def export_output(path: str, outputs: dict[str, np.ndarray]) -> None:
    rows = [
        {"name": name, "dimensions": text_of(array.shape), "values": array.ravel().tolist()}
        for name, array in outputs.items()
    ]
    Path(path).write_text(json.dumps(rows, indent=1), encoding="utf-8")


def print_outputs(outputs: dict[str, np.ndarray]) -> None:
    print("\n=== Output tensors ===")
    for name, array in outputs.items():
        print(f"{name}: ({text_of(array.shape)})\n{array}")


def export_profile(path: str, rows: list[dict], count: int) -> None:
    Path(path).write_text(json.dumps([{"count": count}, *rows], indent=1), encoding="utf-8")
