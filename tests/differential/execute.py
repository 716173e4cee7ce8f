"""Runs a program on the interpreter, on a GPU, or on numba's simulator."""

from __future__ import annotations

import importlib
import itertools
import linecache
import math
import warnings

import numpy as np

from .data import values_of
from .program import Program

DEVICES = ("simt", "cuda", "numba-simulator")
TYPE_NAMES = (
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 boolean"
).split()
HEADER = f"""\
import math

import numpy as np
from numba import cuda
from numba.cuda.types import {", ".join(TYPE_NAMES)}
"""
_numbers = itertools.count()


def run(program: Program, device: str) -> list:
    """The arguments of a launch as it left them. Raises what compiling or running the kernel raises."""
    if device == "simt":
        return run_in(program, interpreter_names())
    return run_in(program, numba_names())


def interpreter_names() -> dict:
    """The names a program uses, from the interpreter's own `cuda`: numba is not needed."""
    from simt.cuda_api import cuda

    return {"cuda": cuda, **{name: getattr(cuda, name) for name in TYPE_NAMES}}


def numba_names() -> dict:
    """The names a program uses, from numba: with a GPU, or NUMBA_ENABLE_CUDASIM=1 set before numba is imported."""
    numba = importlib.import_module("numba")
    cuda = importlib.import_module("numba.cuda")
    types = importlib.import_module("numba.core.types" if simulated() else "numba.cuda.types")
    assert numba is not None
    return {"cuda": cuda, **{name: getattr(types, name) for name in TYPE_NAMES}}


def simulated() -> bool:
    """Whether this process's numba.cuda is the simulator."""
    config = importlib.import_module("numba.core.config")
    return bool(config.ENABLE_CUDASIM)


def kernel_of(program: Program, names: dict):
    """The kernel of a program, jitted by the given `cuda`. Its text is known to tracebacks and to the interpreter."""
    name = f"<differential {next(_numbers)}>"
    linecache.cache[name] = (len(program.source), None, program.source.splitlines(True), name)
    namespace = {"math": math, "np": np, **names, "__name__": "differential"}
    exec(compile(program.source, name, "exec"), namespace)
    return namespace["kernel"]


def run_in(program: Program, names: dict) -> list:
    """Compile, launch, and give back the arguments."""
    kernel, arguments = kernel_of(program, names), values_of(program)
    configuration = (program.grid, program.block, 0, program.dynamic_bytes)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        kernel[configuration](*arguments)
    return arguments
