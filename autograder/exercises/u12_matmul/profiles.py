"""Profiles of products of 4096 x 4096 matrices, as Nsight Compute recorded them: data to read, in unit 12."""

from __future__ import annotations

from collections.abc import Mapping

DEVICE, DATE = "NVIDIA H200", "2026-11-22"
MEANINGS = (
    "milliseconds",
    "registers per thread",
    "issue slots busy, %",
    "FMA units busy, %",
    "tensor cores busy, %",
    "passes over shared memory, % of the most",
    "DRAM busy, %",
    "clocks a warp waits per instruction",
    "most of them for",
)
PROFILES: Mapping[str, tuple] = {  # letter -> in the order of MEANINGS
    "A": (3.75, 128, 69.2, 57.6, 0.0, 61.4, 3.0, 5.4, "another warp's turn (1.8)"),
    "B": (2.69, 254, 86.5, 76.6, 0.0, 59.2, 3.1, 2.2, "another warp's turn (0.8)"),
    "C": (1.90, 250, 9.4, 1.8, 11.1, 19.5, 2.5, 20.7, "global memory (15.5)"),
    "D": (0.21, 199, 23.4, 4.5, 76.0, 55.5, 22.2, 8.1, "a unit's entrance (1.5)"),
    "E": (0.18, 168, 11.3, 0.0, 89.7, 69.4, 20.4, 19.6, "a barrier (6.0)"),
}
KERNELS: Mapping[str, str] = {  # whose they are
    "A": "matmul_wide",
    "B": "cuBLAS, float32",
    "C": "matmul_tensor",
    "D": "matmul_warpgroup",
    "E": "cuBLAS, float16",
}
