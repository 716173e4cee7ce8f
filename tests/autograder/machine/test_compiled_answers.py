"""What a compiled kernel would answer is answered by a compiler, for the types of the launches; in a process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba.cuda.cudadrv.driver", reason="needs numba-cuda")
ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import io, json, sys, warnings
warnings.simplefilter("ignore")
from autograder import backend
backend.force_interpreter()
import numpy as np
from numba import cuda, float32, int32
from autograder.lint import compiler
if sys.argv[1:]:
    compiler.unavailable_reason = lambda: "there is no compiler."

@cuda.jit
def mirror(x, n, out):
    tile = cuda.shared.array(64, float32)
    tile[cuda.threadIdx.x] = x[cuda.grid(1)]
    cuda.syncthreads()
    if cuda.grid(1) < n:
        out[cuda.grid(1)] = tile[63 - cuda.threadIdx.x]

@cuda.jit("void(float32[:])")
def declared(x):
    x[cuda.grid(1)] = 1

@cuda.jit(device=True)
def doubled(x):
    return 2 * x

@cuda.jit("float32(float32)", device=True)
def halved(x):
    return x / 2

def calls(x):
    x[0] = doubled(x[0]) + halved(x[1])

x, out = cuda.to_device(np.zeros(128, np.float32)), cuda.device_array(128, np.float32)
mirror[2, 64](x, 128, out)
mirror[1, 64](x[:64], np.int32(64), out)
mirror[2, 64](x, 7, out)
told = {"types": [[str(one) for one in types] for types in mirror.overloads], "specialized": declared.specialized}
told["count"] = len(mirror.overloads)
first, printed = mirror.signatures[0], io.StringIO()
asked = {
    "shared": lambda: [*mirror.get_shared_mem_per_block().values()],
    "registers": lambda: declared.get_regs_per_thread() > 2,
    "local": lambda: declared.get_local_mem_per_thread(),
    "threads": lambda: mirror.overloads[first].max_threads_per_block,
    "ptx": lambda: [".visible .entry" in one for one in mirror.inspect_asm().values()],
    "ptx of one": lambda: ".target sm_80" in mirror.overloads[first].inspect_asm((8, 0)),
    "llvm": lambda: "nvptx64" in mirror.inspect_llvm(first),
    "compiled": lambda: mirror.compile((float32[:], int32, float32[:])).const_mem_size > 0,
    "functions": lambda: "entry" in cuda.compile_ptx(calls, (float32[:],))[0],
    "types printed": lambda: mirror.inspect_types(printed) or "mirror (array(float32, 1d" in printed.getvalue(),
    "sass": lambda: mirror.inspect_sass(),
    "no such thing": lambda: hasattr(mirror.overloads[first], "no_such_thing"),
}
for name, ask in asked.items():
    try:
        told[name] = ask()
    except Exception as error:
        told[name] = f"{type(error).__name__}: {error}"
print(json.dumps(told))
"""
TYPES = [["array(float32, 1d, C)", number, "array(float32, 1d, C)"] for number in ("int64", "int32")]


def told(*arguments: str) -> dict:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_compiler_answers_for_the_types_of_the_launches_and_of_the_declaration():
    from autograder.lint import unavailable_reason

    if reason := unavailable_reason():
        pytest.skip(reason)
    answers = told()
    assert "inspect_asm() gives the PTX" in answers.pop("sass")
    assert {
        "types": TYPES, "specialized": True, "shared": [256, 256], "registers": True, "local": 0, "threads": 1024,
        "ptx": [True, True], "ptx of one": True, "llvm": True, "compiled": True, "types printed": True,
        "functions": True, "no such thing": False, "count": 2,
    } == answers  # fmt: skip


def test_without_a_compiler_one_sentence_says_why_there_is_no_answer():
    answers = told("without")
    says = "mirror.inspect_asm: mirror was not compiled: it runs in the interpreter, and there is no compiler."
    assert TYPES == answers["types"] and f"NotCompiledError: {says}" == answers["ptx"]
    assert answers["registers"].startswith("NotCompiledError: declared.regs_per_thread: declared was not compiled")
