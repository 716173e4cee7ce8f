"""A process that only runs engines starts at once: it loads no compiler, no ONNX and no builder."""

from __future__ import annotations

import subprocess
import sys

CODE = "import sys, minitrt.runtime.gpu, minitrt.runtime.runtime; print(*sys.modules)"
NOT_NEEDED = (
    "numba",
    "llvmlite",
    "onnx",
    "minitrt.builder",
    "minitrt.passes",
    "minitrt.onnx_import",
    "minitrt.kernels.compile",
)


def test_the_gpu_s_runtime_loads_no_compiler_no_onnx_and_no_builder():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert [] == [name for name in NOT_NEEDED if name in loaded]
