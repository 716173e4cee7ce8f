"""Matrix products in INT8 and FP16 beside cuBLAS (through torch), in the same run: square, small and skinny ones."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.tactics import hopper_conv
from minitrt.tactics.contract import Device, Tactic
from minitrt.tactics.tuner import Tuner

LAUNCHES, REPLAYS, MOST_SETS = 20, 5, 8  # as the tuner times
LARGE = 4096  # from here on only the widest tiles are timed
SHAPES = (  # rows, columns, terms: large, medium, a transformer's at batch 32 and 1, and few rows (cuBLAS needs 17)
    (8192, 8192, 8192), (4096, 4096, 4096), (2048, 2048, 2048), (1024, 1024, 1024),
    (4096, 3072, 768), (4096, 768, 3072), (128, 3072, 768), (128, 768, 3072),
    (32, 4096, 4096), (32, 8192, 8192), (64, 16384, 4096),
)  # fmt: skip


def product(shape: tuple[int, int, int], dtype: DataType, rng: np.random.Generator) -> Op:
    """A gemm (rows, terms) x (terms, columns), the second factor constant and transposed; random operands."""
    rows, columns, terms = shape
    whole = rng.integers(-128, 128, (columns, terms), np.int16)
    data = whole.astype(np.int8) if dtype == DataType.INT8 else (whole / 64).astype(np.float16)
    scale = 0.05 if dtype == DataType.INT8 else None
    a, b = Value("a", dtype, (rows, terms), scale), Value("b", dtype, data.shape, scale, data=data)
    return Op("gemm", "product", [a, b, None, None], [Value("y", dtype, (rows, columns), scale)], {"transpose_b": True})


def cublas_us(shape: tuple[int, int, int], dtype: DataType, l2_bytes: int) -> float:
    """Microseconds of torch._int_mm or torch.matmul as the tuner times ours: launches in a graph, and left factors
    that rotate through more memory than L2 holds."""
    import torch

    rows, columns, terms = shape
    item = 1 if dtype == DataType.INT8 else 2
    sets = max(1, min(MOST_SETS, 4 * l2_bytes // (item * rows * (terms + columns)) + 1))

    def random(*size: int) -> Any:
        whole = torch.randint(-128, 128, size, device="cuda", dtype=torch.int32)
        return whole.to(torch.int8) if dtype == DataType.INT8 else (whole / 64).half()

    lefts, b = [random(rows, terms) for _ in range(sets)], random(columns, terms).t()
    run = torch._int_mm if dtype == DataType.INT8 else torch.matmul
    outputs = [run(a, b) for a in lefts]
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(LAUNCHES):
            run(lefts[i % sets], b, out=outputs[i % sets])
    times = []
    for _ in range(REPLAYS + 1):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(1e3 * begin.elapsed_time(end) / LAUNCHES)
    return median(times[1:])


def tactics_of(op: Op, shape: tuple[int, int, int], device: Device) -> list[Tactic]:
    """The tiles to time: all of them, or the three widest ones of a large product."""
    found = hopper_conv.candidates(op, device)
    return [t for t in found if "128x256" in t.name][:3] if min(shape) >= LARGE else found


def measured(tuner: Tuner, shapes: tuple[tuple[int, int, int], ...] = SHAPES) -> list[dict[str, Any]]:
    """A row a shape and type."""
    rng, rows = np.random.default_rng(0), []
    ops = [(shape, dtype, product(shape, dtype, rng)) for shape in shapes for dtype in (DataType.INT8, DataType.HALF)]
    tuner.prepare((op, tactics_of(op, shape, tuner.device)) for shape, _, op in ops)
    for shape, dtype, op in ops:
        ours_us, tactic = tuner.choose(op, tactics_of(op, shape, tuner.device))[0]
        theirs_us, operations = cublas_us(shape, dtype, tuner.device.l2_bytes), 2e-6 * np.prod(shape, dtype=np.float64)
        rows.append({
            "shape": list(shape), "dtype": dtype.name, "tactic": tactic.name, "time_us": ours_us,
            "tera_ops": round(operations / ours_us), "cublas_us": round(theirs_us, 2),
            "cublas_tera_ops": round(operations / theirs_us), "ratio": round(theirs_us / ours_us, 2),
        })  # fmt: skip
    return rows
