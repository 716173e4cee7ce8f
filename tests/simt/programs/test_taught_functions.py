"""What a program teaches numba's compiler runs, where it is Python; what is LLVM code is told as what it is."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """\
import numpy as np
from numba import cuda, types
from numba.cuda.extending import overload as of_cuda
from numba.extending import intrinsic, overload, overload_attribute, overload_method, register_jitable

def clamp(x, low, high):
    raise RuntimeError("the host's own")

@{decorator}(clamp)
def clamp_of_types(x, low, high):
    if isinstance(x, types.Float):
        return lambda x, low, high: max(low, min(x, high))
    return lambda x, low, high: low

@register_jitable
def twice(x):
    return 2 * x

@overload_method(types.Array, "first_times")
def first_times(array, factor):
    return lambda array, factor: array[0] * factor

@overload_attribute(types.Array, "ends")
def ends_of(array):
    return lambda array: array[0] + array[array.size - 1]

@intrinsic
def plus(context, a, b):
    return types.int64(types.int64, types.int64), lambda *parts: parts[1].add(*parts[3])

@cuda.jit
def of_functions(x, whole):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = twice(clamp(x[i], 1.5, 3))
        whole[i] = clamp(whole[i], 7, 9)

@cuda.jit
def of_a_method(x, out):
    out[0] = x.first_times(10) + 0 * x.size
    out[1] = x.ends

@cuda.jit
def of_llvm_code(out):
    out[0] = plus(out[1], out[2])

x, whole = np.arange(5.0), np.arange(5)
of_functions[1, 32](x, whole)
print(x, whole)
of_a_method[1, 1](x, x[1:])
print(x[1], x[2])
try:
    of_llvm_code[1, 1](whole)
except Exception as error:
    print(error)
"""


def ran(folder, decorator):
    path = folder / "taught.py"
    path.write_text(PROGRAM.format(decorator=decorator))
    command = [sys.executable, "-m", "autograder.cli", "run", str(path)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_what_a_program_teaches_numba_in_python_runs(tmp_path):
    for decorator in ("overload", "of_cuda"):
        done = ran(tmp_path, decorator)

        assert 0 == done.returncode, done.stdout + done.stderr
        assert "[3. 3. 4. 6. 6.] [7 7 7 7 7]\n30.0 9.0\n" in done.stdout
        assert "cannot run `plus`, which @intrinsic teaches numba as LLVM code" in done.stdout
        assert "no findings in 3 launches of 3 kernels" in done.stdout
