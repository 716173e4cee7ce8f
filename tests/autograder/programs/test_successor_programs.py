"""Programs that import numba's successor are interpreted, too, beside numba itself, and it is not loaded for others."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from autograder.machine.on_import import when_imported

PROGRAM = """
import sys
import numpy as np
from numba_cuda_mlir import cuda
from numba_cuda_mlir.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
from numba_cuda_mlir.types import float32

@cuda.jit
def total(states, x, out):
    tile = cuda.shared.array(32, float32)
    i = cuda.grid(1)
    tile[cuda.threadIdx.x] = xoroshiro128p_uniform_float32(states, i) * 0 + x[i]
    cuda.syncthreads()
    out[0] += tile[31 - cuda.threadIdx.x]

x = cuda.to_device(np.ones(64, np.float32))
out = cuda.to_device(np.zeros(1, np.float32))
total[2, 32](create_xoroshiro128p_states(64, seed=1), x, out)
print(out.copy_to_host().shape, cuda.is_available())
"""
OF_NUMBA = "import sys\nfrom numba import cuda\nprint('numba_cuda_mlir' in sys.modules)\n"


def run(program: str, tmp_path) -> subprocess.CompletedProcess:
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "simt", "program.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)


@pytest.mark.skipif(not find_spec("numba_cuda_mlir"), reason="needs numba-cuda-mlir")
def test_a_program_of_the_successor_runs_and_its_mistakes_are_told(tmp_path):
    done = run(PROGRAM, tmp_path)
    assert 1 == done.returncode, done.stderr
    assert "(1,) True" in done.stdout
    assert "program.py:14  race" in done.stdout and "1 finding in 1 launch" in done.stdout


@pytest.mark.skipif(not find_spec("numba_cuda"), reason="where it is all there is, it is loaded at once")
def test_the_successor_is_not_loaded_for_a_program_of_numba(tmp_path):
    assert "False" in run(OF_NUMBA, tmp_path).stdout


def test_what_waits_for_an_import_acts_once_at_its_end(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "waited_for.py").write_text("READY = True\n")
    acted = []
    for _ in range(2):
        when_imported("waited_for", lambda: acted.append(sys.modules["waited_for"].READY))
    finders = len(sys.meta_path)

    import waited_for

    assert [True] == acted and waited_for.__spec__.loader.get_source("waited_for")
    assert finders - 1 == len(sys.meta_path)
    when_imported("waited_for", lambda: acted.append("at once"))
    assert [True, "at once"] == acted
    del sys.modules["waited_for"]
