"""`from numba.cuda.bf16 import bfloat16` where numba-cuda is not installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ml_dtypes", reason="bfloat16 is that of ml_dtypes")
ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import numpy as np
from numba import cuda
from numba.cuda import bf16
from numba.cuda.bf16 import bfloat16, hadd, hsqrt

@cuda.jit
def rounded(x):
    i = cuda.grid(1)
    x[i] = float(hsqrt(hadd(bfloat16(x[i]), bf16.bfloat16(2.0))))

x = np.array([2.0, 1.01], np.float32)
rounded[1, 2](x)
print(x.tolist())
"""


@pytest.mark.parametrize("path", [(str(ROOT / "tests/no_numba"), str(ROOT)), (str(ROOT),)], ids=["no numba", "numba"])
def test_its_functions_run_and_round_as_where_it_is_installed(tmp_path, path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {"PYTHONPATH": os.pathsep.join(path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "simt", "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    if "No module named 'numba" in done.stderr:
        pytest.skip("this numba has no bf16")
    assert 0 == done.returncode and "[2.0, 1.734375]" == done.stdout.splitlines()[0], done.stdout + done.stderr
