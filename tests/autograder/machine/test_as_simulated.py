"""A program that asks whether it is simulated hears what the environment says, and its kernels run all the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba.cuda.simulator", reason="needs numba, which has a simulator")
ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import os
import numpy as np
import numba.core.config
from numba import config, cuda, njit
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

@njit
def twice(x):  # compiled for the CPU, which reads the environment again
    return x + x

@cuda.jit
def kernel(x):
    x[cuda.grid(1)] += 1

d = cuda.to_device(np.zeros(4))
kernel[1, 4](d)
settings = {config.ENABLE_CUDASIM, numba.core.config.ENABLE_CUDASIM, cuda.config.ENABLE_CUDASIM}
print(os.environ.get("NUMBA_ENABLE_CUDASIM"), settings, isinstance(d, FakeCUDAArray), d.copy_to_host()[3], twice(3))
if config.ENABLE_CUDASIM:  # as its own kernels have it
    print(kernel._device, cuda.jit(device=True)(lambda x: x)._device)
config.DISABLE_JIT = 1
print(config.DISABLE_JIT, type(kernel).__name__)
"""


@pytest.mark.parametrize(
    "asked, told",
    [("1", "1 {1} True 1.0 6\nFalse True\n1 CUDADispatcher"), ("", "None {0} False 1.0 6\n1 CUDADispatcher")],
)
def test_the_variable_the_setting_and_the_class_of_arrays_say_the_same(tmp_path, asked, told):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_ENABLE_CUDASIM": asked}
    command = [sys.executable, "-m", "simt", "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.stdout.startswith(told), done.stdout + done.stderr
    assert "no findings in 1 launch of 1 kernel" in done.stdout
