"""Kernels of several cases at a time, on a GPU or on `simt`."""

from __future__ import annotations

import itertools
import linecache
import math
import re
import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from tests.corners.cases import Case
from tests.corners.values import INTEGERS, pairs, singles

A_KERNEL = 12  # cases
THREADS = 128
NAMES = (*INTEGERS, "float32", "float64", "float16")
_numbers = itertools.count()


class Refused(Exception):
    """A kernel that does not compile."""


def operands_of(case: Case) -> tuple[np.ndarray, ...]:
    """What a and b hold."""
    return (singles(case.operands[0]),) if len(case.operands) == 1 else pairs(*case.operands)


def groups(cases: Sequence[Case]) -> Iterator[tuple[Case, ...]]:
    """Cases that share their operands, a kernel's worth at a time."""
    by_operands: dict[tuple, list[Case]] = {}
    for case in cases:
        by_operands.setdefault(case.operands, []).append(case)
    for some in by_operands.values():
        yield from (tuple(some[first : first + A_KERNEL]) for first in range(0, len(some), A_KERNEL))


def kernel_of(cases: Sequence[Case]):
    """A plain function: element i of each output is what its case makes of element i of the operands."""
    letters = "ab"[: len(cases[0].operands)]
    outputs = [f"o{number}" for number in range(len(cases))]
    lines = [f"def kernel({', '.join((*(letter * 2 for letter in letters), *outputs))}):", "    i = cuda.grid(1)"]
    lines += ["    if i < aa.size:", *(f"        {letter} = {letter * 2}[i]" for letter in letters)]
    for number, case in enumerate(cases):
        text = case.text if "r = " in case.text else f"r = {case.text}"
        own = re.sub(r"\b([rkno])\b", rf"\g<1>{number}", text)
        lines += [*(f"        {line}" for line in own.splitlines()), f"        o{number}[i] = r{number}"]
    text, name = "\n".join(lines) + "\n", f"<corners {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return compile(text, name, "exec")


def left_by(cases: Sequence[Case], launch) -> dict[str, np.ndarray | None]:
    """What each case leaves, by its name; None for one that is refused. launch(code, arguments) raises Refused."""
    operands = operands_of(cases[0])
    outputs = [np.zeros(len(operands[0]), case.out) for case in cases]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            launch(kernel_of(cases), (*operands, *outputs))
    except Refused:
        if len(cases) == 1:
            return {cases[0].name: None}
        return {name: left for case in cases for name, left in left_by((case,), launch).items()}
    return {case.name: output for case, output in zip(cases, outputs, strict=True)}


def tried_on_gpu(cases: Sequence[Case]) -> dict[str, np.ndarray | None] | str:
    """What the cases of a kernel leave, or what went wrong on the GPU."""
    try:
        return left_by(cases, on_gpu)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def on_simt(code, arguments: tuple) -> None:
    """Launch on the interpreter."""
    import simt
    from simt.cuda_api import cuda
    from simt.errors import KernelError

    types = {name: getattr(cuda, name) for name in NAMES}
    try:
        simt.launch(cuda.jit(_function(code, cuda, types)), _blocks(arguments), THREADS, *arguments)
    except KernelError as error:
        raise Refused from error


def on_gpu(code, arguments: tuple) -> None:
    """Compile with numba-cuda and launch."""
    from numba import cuda
    from numba.cuda import types

    kernel = cuda.jit(_function(code, cuda, {name: getattr(types, name) for name in NAMES}))
    try:
        kernel[_blocks(arguments), THREADS](*arguments)
    except Exception as error:  # numba raises its own classes and, from inside, any of Python's
        if type(error).__name__ in ("CudaAPIError", "CudaSupportError"):  # not of compiling: nothing runs any more
            raise
        raise Refused from error
    cuda.synchronize()


def compiled_only(code, arguments: tuple) -> None:
    """Compile for sm_80, without a GPU."""
    from numba import cuda, typeof
    from numba.cuda import types

    from autograder.lint.compiler import lower, to_ptx

    function = _function(code, cuda, {name: getattr(types, name) for name in NAMES})
    try:
        to_ptx(lower(function, tuple(map(typeof, arguments)), "sm_80", lines=False), "sm_80")
    except Exception as error:  # as above
        raise Refused from error


def _function(code, cuda, types: dict):
    space = {"math": math, "np": np, "cuda": cuda, **types}
    exec(code, space)
    return space["kernel"]


def _blocks(arguments: tuple) -> int:
    return -(-len(arguments[0]) // THREADS)
