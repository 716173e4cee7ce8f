"""Which compiler is in use: what WARPBOOK_CUDA names, else what is installed; whatever else it says is an error."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from simt.compilers import choice
from simt.compilers.choice import MLIR, NUMBA_CUDA, VARIABLE, CompilerError
from tools.parts.units import ROOT

needs_both = pytest.mark.skipif(
    not (find_spec("numba_cuda") and find_spec("numba_cuda_mlir")), reason="needs both compilers, and no GPU"
)


@pytest.fixture
def chosen(monkeypatch):
    """A function (value of the variable, installed modules) -> the compiler in use."""

    def choose(value: str, *installed: str) -> str:
        monkeypatch.setenv(VARIABLE, value)
        monkeypatch.setattr(choice, "_is_installed", lambda module: module in installed)
        choice.in_use.cache_clear()
        return choice.in_use()

    yield choose
    monkeypatch.undo()
    choice.in_use.cache_clear()


@pytest.mark.parametrize(
    ("value", "installed", "expected"),
    [
        ("", ("numba_cuda", "numba_cuda_mlir"), NUMBA_CUDA),
        ("", ("numba_cuda_mlir",), MLIR),
        ("", (), ""),
        (MLIR, ("numba_cuda", "numba_cuda_mlir"), MLIR),
        (NUMBA_CUDA, ("numba_cuda", "numba_cuda_mlir"), NUMBA_CUDA),
    ],
)
def test_what_is_named_is_in_use_and_else_what_is_installed(chosen, value, installed, expected):
    assert expected == chosen(value, *installed)


def test_a_name_that_no_compiler_has_is_an_error_that_says_which_there_are(chosen):
    with pytest.raises(CompilerError, match="'mlir', which names no compiler. Set it to 'numba-cuda' or 'numba-cuda-"):
        chosen("mlir", "numba_cuda", "numba_cuda_mlir")


@pytest.mark.parametrize(("value", "extra"), [(MLIR, "mlir13"), (NUMBA_CUDA, "cu13")])
def test_a_compiler_that_is_not_installed_is_an_error_that_says_what_to_install(chosen, value, extra):
    with pytest.raises(CompilerError, match=rf"{value}, which is not installed.*pip install 'warpbook\[{extra}\]'"):
        chosen(value)


def test_the_command_line_says_it_in_one_sentence():
    command = [sys.executable, "-m", "autograder.cli", "check", "vector_add.vector_add", "answer.py"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, VARIABLE: "cuda"})

    assert "Traceback" not in result.stderr
    assert 2 == result.returncode


def run(program: str, compiler: str) -> str:
    """What a program prints in a process of its own that uses a compiler."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: compiler}
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert 0 == result.returncode, result.stderr
    return result.stdout.strip()


NAMES = """
from simt import compilers
compilers.install()
from numba import cuda, float32, njit, types
from numba.cuda import libdevice
from numba.cuda.core import errors
for thing in (type(float32), errors.TypingError, type(types.int64)):
    print(thing.__module__.partition(".")[0])
print(cuda.__name__, libdevice.__name__, njit(lambda x: x + 1)(1))
"""


@needs_both
def test_numbas_names_are_the_successors_where_it_is_in_use_and_functions_for_the_cpu_stay():
    *packages, last = run(NAMES, MLIR).splitlines()

    assert ["numba_cuda_mlir"] * 3 == packages
    assert "numba_cuda_mlir.cuda numba_cuda_mlir.cuda.libdevice 2" == last


@needs_both
def test_numbas_names_are_its_own_where_numba_cuda_is_in_use():
    *packages, last = run(NAMES, NUMBA_CUDA).splitlines()

    assert ["numba"] * 3 == packages
    assert last.startswith("numba.cuda ")


@needs_both
def test_a_compiler_that_was_imported_first_cannot_be_left_again():
    program = "from numba import cuda\nfrom simt import compilers\ntry:\n    compilers.install()\n"
    program += "except compilers.CompilerError as error:\n    print(error)\n"

    assert "was imported before it could take its place" in run(program, MLIR)


def test_a_stand_in_that_a_browser_has_as_a_package_is_no_compiler(tmp_path, monkeypatch):
    from tools import build_lite

    for package in ("numba", "numba_cuda", "numba_cuda_mlir"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(build_lite.STAND_IN)
    program = "from simt.compilers import in_use, install; install(); print(repr(in_use()))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]), VARIABLE: ""}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)

    assert "''\n" == done.stdout, done.stderr
