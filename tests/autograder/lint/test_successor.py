"""numba-cuda-mlir as the lint uses it, in a process without a GPU: its faults, and the course's intrinsics."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from autograder.lint.machine_code.successor import faults
from autograder.lint.nvvm_faults import is_of_nvvm
from simt.compilers import MLIR, VARIABLE
from tools.parts.units import ROOT

pytestmark = pytest.mark.skipif(not find_spec("numba_cuda_mlir"), reason="needs numba-cuda-mlir, and no GPU")

PROGRAM = """
import json, pathlib, sys
import autograder
import numpy as np
from numba import cuda, float32, int32, uint32
from autograder.lint import lint, signature_of
from autograder.lint.machine_code.successor import faults
from autograder.lint.compiler import lower, to_ptx
from autograder.notebook import intrinsics, warpgroups
from autograder.notebook.relaxed import load_relaxed

ARRAYS = {
    "narrow_index": (np.zeros(4, np.uint8), np.zeros(4, np.int32)),
    "round_half": (np.zeros(4, np.float32), np.zeros(4, np.int32)),
    "no_code": (np.zeros(4, np.int32),),
    "cas_of_numbers": (np.zeros(4, np.int32),),
    "shared_in_device_function": (np.zeros(4, np.float32),) * 2,
    "tuples_of_tuples": (np.zeros(4, np.float32),) * 2,
}
found = {}
for name, text in faults.KERNELS.items():
    path = pathlib.Path(sys.argv[1], f"{name}.py")
    path.write_text(text)
    space = {"cuda": cuda, "float32": float32}
    exec(compile(text, str(path), "exec"), space)
    report = lint(space["kernel"], signature_of(ARRAYS[name]), architectures=["sm_90"])
    said = report.error or next((one for one in report.findings if one.kind == name), None)
    found[name] = [said.kind, list(said.lines), said.says] if said else None

def cores(halves, out):
    tile = cuda.shared.array((16, 16), float32_of_half)
    a = intrinsics.ldmatrix(tile, (cuda.threadIdx.x % 16, 0))
    b = intrinsics.ldmatrix_transposed(tile, (cuda.threadIdx.x % 16, 0))
    sums = float32(0), float32(0), float32(0), float32(0)
    sums = intrinsics.mma(a, (b[0], b[1]), sums)
    intrinsics.mma_sparse(a, b, uint32(0), sums)
    intrinsics.store16(out, 0, sums)

def copies(x, out):
    tile = cuda.shared.array(32, float32)
    intrinsics.copy_async(tile, cuda.threadIdx.x, x, cuda.grid(1))
    intrinsics.commit_copies()
    intrinsics.wait_copies(0)
    cuda.syncthreads()
    intrinsics.store16(out, 4, intrinsics.load16(x, 4))

def look(state, out):
    out[0] = load_relaxed(state, cuda.threadIdx.x)

from numba import float16 as float32_of_half
floats = np.zeros(64, np.float32)
for kernel, arrays in ((cores, (np.zeros(4, np.float16), floats)), (copies, (floats, floats)),
                       (look, (np.zeros(4, np.int32),) * 2)):
    text = to_ptx(lower(kernel, signature_of(arrays), "sm_90"), "sm_90")
    found[kernel.__name__] = [line.split()[0] for line in text.splitlines() if line.startswith(chr(9)) and "." in line]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: MLIR, "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("faults"))]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert 0 == result.returncode, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.parametrize("fault", sorted(faults.KERNELS))
def test_the_lint_tells_each_fault_of_the_smallest_kernel_by_its_line(found, fault):
    """Where a newer version has mended one, take it out of the table, and write docs/compilers.md anew."""
    assert found[fault] is not None, f"numba-cuda-mlir {version(MLIR)} has mended {fault}"
    kind, lines, _ = found[fault]
    text = faults.KERNELS[fault].splitlines()

    assert fault == kind
    assert fault == "tuples_of_tuples" or lines
    telling = {"narrow_index": "keys[0]", "round_half": "round(", "no_code": "threadfence", "cas_of_numbers": "cas("}
    assert telling.get(fault, "") in "".join(text[line - 1] for line in lines)


@pytest.mark.parametrize(
    ("kernel", "instruction"),
    [
        ("cores", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
        ("cores", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"),
        ("cores", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
        ("cores", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"),
        ("copies", "cp.async.ca.shared.global"),
        ("copies", "cp.async.commit_group;"),
        ("copies", "cp.async.wait_group"),
        ("look", "ld.relaxed.gpu.b32"),
    ],
)
def test_an_intrinsic_of_the_course_becomes_its_instruction(found, kernel, instruction):
    assert instruction in found[kernel]


def test_sixteen_bytes_are_moved_by_one_instruction(found):
    assert any(line.startswith("ld.global") and ".v4." in line for line in found["copies"])
    assert any(line.startswith("st.global") and ".v4." in line for line in found["copies"])


def test_a_fault_is_none_of_nvvms_so_that_nothing_is_tried_again_with_less():
    class CompilerFault(RuntimeError):
        pass

    assert not is_of_nvvm(CompilerFault("#nvvm.target refused"))


def test_an_index_of_64_bits_or_with_a_sign_is_no_fault():
    kinds = {"i": "int32", "j": "uint64", "k": "UniTuple(int64, 2)"}

    assert ["", "", ""] == [faults._narrow(kinds, SimpleNamespace(name=name)) for name in kinds]
