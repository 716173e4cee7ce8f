"""Importing is free of consequences: it patches nothing, and plain data loads no machine."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys

import pytest

import autograder
from tools.parts.units import ROOT

CHOICE = {"simt", "simt.compilers", "simt.compilers.choice", "simt.compilers.names"}  # which compiler is in use
PLAIN = CHOICE | {"simt.hardware", "simt.source", "simt.source.counts"}  # a table and plurals: no interpreter, no NumPy
EVERY_MODULE = """
import importlib, pkgutil, sys, warnings
showwarning = warnings.showwarning
import autograder, minitrt, simt
for package in (autograder, minitrt, simt):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            importlib.import_module(module.name)
        except ImportError as error:  # a compiler that may be absent, or what we lack and say so
            assert error.name in ("numba_cuda_mlir", "tensorrt.plugin"), error
assert warnings.showwarning is showwarning, "warnings go elsewhere"
ours = [finder for finder in sys.meta_path if type(finder).__module__.partition(".")[0] in ("autograder", "simt")]
assert not ours, "what is not installed is found all the same"
"""


def run(program: str) -> str:
    """What a program prints in a fresh process, which sees no GPU."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": ""}
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert 0 == result.returncode, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("module", ["autograder", "autograder.contract", "autograder.outcome", "autograder.backend"])
def test_what_everything_meets_at_loads_neither_numba_nor_the_interpreter(module):
    loaded = run(f"import sys, {module}\nprint(*sys.modules)").split()

    assert [] == sorted({"numba", "numba_cuda", "numba_cuda_mlir"} & {*loaded})
    assert {name for name in loaded if name.partition(".")[0] == "simt"} <= CHOICE


@pytest.mark.parametrize("command", ["list", "--help", "check --help", "trace --help", "drill --help", "grade --help"])
def test_commands_that_run_no_kernel_load_neither(command):
    program = (
        f"import sys\nfrom autograder import cli\ntry:\n    cli.main({command.split()})\nexcept SystemExit:\n    pass\n"
    )
    loaded = run(program + "print(*sys.modules)").splitlines()[-1].split()

    assert [] == sorted({"numba", "numba_cuda", "matplotlib"} & {*loaded})
    assert {name for name in loaded if name.partition(".")[0] == "simt"} <= PLAIN
    assert "list" == command or "numpy" not in loaded  # help reads no exercise, and NumPy takes as long as all the rest


def test_importing_every_module_leaves_numba_as_it_was():
    pytest.importorskip("numba.cuda")
    program = "from numba import cuda\nbefore = dict(vars(cuda))\nfrom numba.cuda.dispatcher import CUDADispatcher\n"
    program += "methods = dict(vars(CUDADispatcher))" + EVERY_MODULE
    program += "print([name for name, value in before.items() if getattr(cuda, name) is not value])\n"
    program += "print([name for name, value in methods.items() if vars(CUDADispatcher)[name] is not value])"

    assert "[]\n[]" == run(program)


def test_the_first_public_name_makes_launches_work_without_a_gpu():
    pytest.importorskip("numba.cuda")
    program = "from autograder import exercise\nfrom numba import cuda\nprint(cuda.to_device.__module__)"

    assert run(program).startswith("simt.")


def test_no_public_name_is_a_modules_name_as_well():
    modules = {module.name for module in pkgutil.iter_modules(autograder.__path__)}

    assert set() == modules & {*autograder.__all__}


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'autograder' has no attribute 'exercize'"):
        _ = autograder.exercize
