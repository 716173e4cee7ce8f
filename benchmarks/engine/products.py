"""Square matrix products in INT8 and FP16 beside cuBLAS (through torch), in the same run."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.tactics import hopper_conv
from minitrt.tactics.tuner import Tuner

RUNS = 12


def product(size: int, dtype: DataType, rng: np.random.Generator) -> Op:
    """A gemm of two size x size matrices, the second one constant and transposed; random operands."""
    whole = rng.integers(-128, 128, (size, size), np.int16)
    data = whole.astype(np.int8) if dtype == DataType.INT8 else (whole / 64).astype(np.float16)
    scale = 0.05 if dtype == DataType.INT8 else None
    a, b = Value("a", dtype, (size, size), scale), Value("b", dtype, (size, size), scale, data=data)
    return Op("gemm", "product", [a, b, None, None], [Value("y", dtype, (size, size), scale)], {"transpose_b": True})


def cublas_us(size: int, dtype: DataType) -> float:
    """Median of torch._int_mm or torch.matmul on random operands, in microseconds."""
    import torch

    a, b = (torch.randint(-128, 128, (size, size), device="cuda", dtype=torch.int32) for _ in range(2))
    if dtype == DataType.INT8:
        a, b, run = a.to(torch.int8), b.to(torch.int8).t(), torch._int_mm
    else:
        a, b, run = (a / 64).half(), (b / 64).half().t(), torch.matmul
    times = []
    for _ in range(RUNS + 3):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run(a, b)
        end.record()
        torch.cuda.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    return median(times[3:])


def measured(tuner: Tuner, sizes: tuple[int, ...] = (4096, 8192), most: int = 3) -> list[dict[str, Any]]:
    """A row a size and type. most: tiles to time, the widest ones."""
    rng, rows = np.random.default_rng(0), []
    ops = [(size, dtype, product(size, dtype, rng)) for size in sizes for dtype in (DataType.INT8, DataType.HALF)]
    wide = {
        id(op): [t for t in hopper_conv.candidates(op, tuner.device) if "128x256" in t.name][:most] for *_, op in ops
    }
    tuner.prepare((op, wide[id(op)]) for *_, op in ops)
    for size, dtype, op in ops:
        ours_us, tactic = tuner.choose(op, wide[id(op)])[0]
        theirs_us = cublas_us(size, dtype)
        rows.append({
            "size": size, "dtype": dtype.name, "tactic": tactic.name, "time_us": ours_us,
            "tera_ops": round(2e-6 * size**3 / ours_us), "cublas_us": round(theirs_us, 1),
            "cublas_tera_ops": round(2e-6 * size**3 / theirs_us), "ratio": round(theirs_us / ours_us, 2),
        })  # fmt: skip
    return rows
