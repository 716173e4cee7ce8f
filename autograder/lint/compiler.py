"""The real compiler, with no GPU: numba-cuda types and lowers, NVVM writes PTX, nvJitLink assembles.

The only file that knows numba-cuda's internals; `successor` knows those of numba-cuda-mlir. One typing and lowering
serves every architecture: it is the longest part, and it is the same for all the architectures the course supports.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

from autograder.lint.machine_code.before_compiling import prepare
from autograder.lint.source import called_functions, python_function
from simt import compilers

ARCHITECTURE_VARIABLE = "WARPBOOK_ARCHITECTURE"
GRID_BARRIER = "cudaCGSynchronize"  # what PTX calls at a grid barrier
HAS_WHEELS = ("linux", "win32")  # values of sys.platform
_lock = threading.RLock()  # numba-cuda keeps the current device in a module attribute


class ReturnsValue(TypeError):
    """The kernel ends in `return value`, and a kernel returns nothing. `returns`: the type, in numba's words."""

    def __init__(self, returns: str) -> None:
        super().__init__(f"CUDA kernel must have void return type, not {returns}.")
        self.returns = returns


@dataclass(frozen=True)
class Typed:
    """What type inference concluded about one function, kernel or device function."""

    function: FunctionType
    blocks: dict[int, Any]  # numba's intermediate representation, by label
    typemap: dict[str, Any]  # variable name -> numba type
    calltypes: dict[Any, Any]  # call or operator -> signature


@dataclass(frozen=True)
class Lowered:
    """A kernel in LLVM's intermediate representation, ready for any architecture."""

    library: Any
    typed: tuple[Typed, ...]  # the kernel first, then the device functions it calls
    max_registers: int | None
    annotation: Any = ""  # printed, it is the source with the type of every value


@dataclass(frozen=True)
class Assembled:
    """What nvJitLink said. `error` is "" where it produced machine code."""

    log: str
    error: str


@cache
def unavailable_reason() -> str:
    """Why kernels cannot be compiled here; "" when they can."""
    try:
        compilers.install()
    except compilers.CompilerError as error:
        return str(error)
    name = compilers.in_use() or compilers.NUMBA_CUDA
    install = compilers.install_command(name)
    try:
        import numba.cuda.compiler  # noqa: F401
        from cuda.bindings import nvjitlink, nvvm
    except Exception as error:  # a target that is given up may say so with any error
        if sys.platform not in HAS_WHEELS:
            return f"{name} has no build for this platform. What its compiler would say is not said here."
        return f"{name} is not installed ({error}). Install it with: {install}"
    try:
        nvvm.version()
        nvjitlink.version()
    except Exception as error:  # the bindings raise classes of their own, and differ by version
        return f"NVVM or nvJitLink cannot be loaded ({error}). Install them with: {install}"
    return ""


@cache
def gpu_architecture() -> str:
    """The architecture of this machine's first GPU, as in "sm_90"; "" without one. Creates no CUDA context.

    A process that must not see the GPU is told by WARPBOOK_ARCHITECTURE.
    """
    told = os.environ.get(ARCHITECTURE_VARIABLE)
    if told:
        return told
    from numba.cuda.cudadrv.driver import driver
    from numba.cuda.cudadrv.error import CudaSupportError

    try:
        if not driver.is_available or driver.get_device_count() == 0:
            return ""
    except CudaSupportError:  # what numba raises, once, where CUDA's library is there and sees no GPU
        return ""
    return "sm_{}{}".format(*driver.get_device(0).compute_capability)


def compute_capability(architecture: str) -> tuple[int, int]:
    """(9, 0) for "sm_90". Raises: ValueError for text that names no architecture."""
    match = re.fullmatch(r"sm_(\d+)(\d)a?", architecture)
    if not match:
        raise ValueError(f"{architecture!r} names no architecture. Write it as in 'sm_75' or 'sm_90'.")
    return int(match[1]), int(match[2])


def lower(kernel: Any, signature: tuple, architecture: str, lines: bool = True, level: int = 3) -> Lowered:
    """Type and lower a kernel, plain function or dispatcher, with its own fastmath, opt and register options.

    debug=True is left out: facts about unoptimised code would mislead. lines: with line information.
    level: of optimisation, 0 to 3, for a kernel that does not ask for none.
    Raises: ReturnsValue, and whatever numba raises for code it cannot compile.
    """
    if compilers.successor_in_use():
        return _lowered_by_successor(kernel, tuple(signature), architecture, lines, level)
    from numba.cuda import compiler
    from numba.cuda.cudadrv import nvvm

    function, options = python_function(kernel), getattr(kernel, "targetoptions", None) or {}
    fastmath = bool(options.get("fastmath"))
    nvvm_options = {"fastmath": fastmath, "opt": level if options.get("opt", True) else 0}
    with (
        _lock,
        _device_of(compute_capability(architecture)),
        _line_information(function) if lines else _no_line_information(function),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        prepare()
        result = compiler.compile_cuda(
            *(function, None, tuple(signature)),
            lineinfo=lines,
            fastmath=fastmath,
            nvvm_options=nvvm_options,
            cc=compute_capability(architecture),
            max_registers=options.get("max_registers"),
        )
    if not options.get("device"):
        if (returns := str(result.signature.return_type)) != "none":
            raise ReturnsValue(returns)
        entry = result.library.get_function(result.fndesc.llvm_func_name)
        compiler.kernel_fixup(entry, False)
        nvvm.set_launch_bounds(entry, options.get("launch_bounds"))
    typed = tuple(_typed(function, result))
    return Lowered(result.library, typed, options.get("max_registers"), result.type_annotation)


def _lowered_by_successor(kernel: Any, signature: tuple, architecture: str, lines: bool, level: int) -> Lowered:
    """The same by numba-cuda-mlir."""
    from autograder.lint.machine_code.successor import compiling

    function, options = python_function(kernel), getattr(kernel, "targetoptions", None) or {}
    prepare()
    with _lock:
        library = compiling.library(kernel, function, signature, compute_capability(architecture), lines, level)
    result = library.result
    if not options.get("device") and str(result.signature.return_type) != "none":
        raise ReturnsValue(str(result.signature.return_type))
    return Lowered(library, tuple(_typed(function, result)), options.get("max_registers"))


def to_ptx(lowered: Lowered, architecture: str) -> str:
    """PTX with line information for one architecture, by NVVM."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        suffix = ("a",) if architecture.endswith("a") else ()
        return lowered.library.get_asm_str(cc=(*compute_capability(architecture), *suffix))


def assemble(ptx: str, architecture: str, max_registers: int | None = None) -> Assembled:
    """Machine code for one architecture, thrown away; what counts is what the assembler and linker report."""
    with _linking(ptx, architecture, max_registers, "-verbose", "-Xptxas=-v") as (handle, failed):
        from cuda.bindings import nvjitlink

        log = _text(nvjitlink.get_info_log_size, nvjitlink.get_info_log, handle)
        error = _text(nvjitlink.get_error_log_size, nvjitlink.get_error_log, handle) if failed else ""
    return Assembled(log, error)


def machine_code(ptx: str, architecture: str, max_registers: int | None = None) -> tuple[bytes, str]:
    """Machine code for one architecture, and why there is none: one of the two is empty."""
    library = _device_runtime() if GRID_BARRIER in ptx else ""
    with _linking(ptx, architecture, max_registers, library=library) as (handle, failed):
        from cuda.bindings import nvjitlink

        if failed:
            return b"", _text(nvjitlink.get_error_log_size, nvjitlink.get_error_log, handle) or "no reason given"
        image = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, image)
    return bytes(image), ""


def _device_runtime() -> str:
    """The file of cudadevrt, which holds what a grid barrier calls."""
    from numba.cuda.cudadrv.libs import get_cudalib

    return str(get_cudalib("cudadevrt", static=True))


@contextmanager
def _linking(
    ptx: str, architecture: str, max_registers: int | None, *more: str, library: str = ""
) -> Iterator[tuple[int, bool]]:
    """nvJitLink's handle with one text of PTX linked, and whether that failed. more: options; library: a file."""
    from cuda.bindings import nvjitlink

    code = ptx.encode()
    options = [f"-arch={architecture}", *more]
    options += [f"-maxrregcount={max_registers}"] if max_registers else []
    handle = nvjitlink.create(len(options), options)
    failed = False
    try:
        try:
            nvjitlink.add_data(handle, nvjitlink.InputType.PTX, code, len(code), "kernel")
            if library:
                nvjitlink.add_file(handle, nvjitlink.InputType.LIBRARY, library)
            nvjitlink.complete(handle)
        except nvjitlink.nvJitLinkError:
            failed = True
        yield handle, failed
    finally:
        nvjitlink.destroy(handle)


def _text(size_of: Any, fill: Any, handle: int) -> str:
    buffer = bytearray(size_of(handle))
    fill(handle, buffer)
    return buffer.decode(errors="replace").rstrip("\x00 \n")


def _typed(function: FunctionType, result: Any) -> Iterator[Typed]:
    """The typing of the kernel, then of every compiled device function it reaches."""
    annotation = result.type_annotation
    yield Typed(function, annotation.blocks, annotation.typemap, annotation.calltypes)
    for named, callee in called_functions(function):
        for overload in getattr(named, "overloads", {}).values():
            annotation = getattr(overload, "type_annotation", None)
            if hasattr(annotation, "typemap"):
                yield Typed(callee, annotation.blocks, annotation.typemap, annotation.calltypes)


@contextmanager
def _device_of(capability: tuple[int, int]) -> Iterator[None]:
    """Answer numba-cuda's question for the current device where there is none to ask."""
    from numba.cuda import dispatcher

    told = os.environ.get(ARCHITECTURE_VARIABLE)
    if not told and gpu_architecture():
        yield
        return
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


@contextmanager
def _no_line_information(function: FunctionType) -> Iterator[None]:
    """Compile the device functions a kernel calls anew: numba keeps those of an attempt with line information, and
    NVVM may refuse them in a kernel without."""
    for named, _ in called_functions(function):
        overloads = getattr(named, "overloads", {})
        for types in [types for types, made in overloads.items() if hasattr(made, "target_context")]:  # no kernel
            del overloads[types]
    yield


@contextmanager
def _line_information(function: FunctionType) -> Iterator[None]:
    """Compile the device functions a kernel calls with line information too, so that their own lines are named."""
    changed = []
    for named, _ in called_functions(function):
        options = getattr(named, "targetoptions", None)
        if isinstance(options, dict) and not options.get("lineinfo"):
            changed.append((options, options.get("lineinfo")))
            options["lineinfo"] = True
    try:
        yield
    finally:
        for options, before in changed:
            options["lineinfo"] = before
