"""numba-cuda-mlir as `lint.compiler` uses it: types and lowers without a GPU, since it is told what to compile for.

The only file of the lint that knows the successor's internals.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from numba_cuda_mlir import cuda, mlir_compiler, mlir_optimization, tools
from numba_cuda_mlir._mlir.passmanager import PassManager
from numba_cuda_mlir.descriptor import mlir_target
from numba_cuda_mlir.errors import InternalCompilerError
from numba_cuda_mlir.lowering_utilities import context as mlir_context
from numba_cuda_mlir.numba_cuda.core.compiler_lock import global_compiler_lock
from numba_cuda_mlir.numba_cuda.cudadrv.nvvm import LibDevice

WHOLE_FAULTS = "NUMBA_CUDA_MLIR_ICE_FULL_TB"  # variable: say what went wrong inside
ERROR_WORD = "__numba_cuda_mlir_error_code"  # in global memory
mlir_context.get_context().enable_multithreading(False)  # a jail is a copy of a process, and its threads are not
BINDINGS = "_mlir_libs"  # what a message of MLIR's own Python names
KEPT_OPTIONS = ("fastmath", "max_registers", "launch_bounds", "inline")


class PerTarget:
    """A kernel that is compiled for each architecture it is asked for. Typing and lowering name the architecture."""

    def __init__(
        self, function: FunctionType, signature: tuple, options: dict[str, Any], first: tuple[int, int]
    ) -> None:
        self.function, self.signature, self.options = function, signature, options
        self.result = self._lowered(first)  # what compiling for the first one concluded
        self.lowered = {first: self.result}

    def get_asm_str(self, cc: tuple) -> str:
        """PTX. cc: as in (9, 0, "a")."""
        capability, target = cc[:2], "".join(map(str, cc))
        result = self.lowered.pop(capability, None) or self._lowered(capability)  # making PTX changes it
        with _device_of(capability), mlir_context.get_context():
            module = result.metadata["mlir_module"]
            options = {**result.metadata["targetoptions"], "chip": f"sm_{target}"}
            PassManager.parse(mlir_optimization.get_base_pipeline()).run(module.operation)
            mlir_optimization.run_pre_codegen_patterns(module)
            return _without_unused(_ptx_of(module, options, target).decode())

    def _lowered(self, capability: tuple[int, int]) -> Any:
        """Typed and lowered to MLIR."""
        chip = "sm_{}{}".format(*capability)
        options = dict(cuda.jit(self.function, **self.options, chip=chip).targetoptions)
        mlir_target.ensure_initialized()
        with _device_of(capability), warnings.catch_warnings(), _faults_told():
            warnings.simplefilter("ignore")
            return mlir_compiler.compile_mlir(self.function, None, self.signature, targetoptions=options)


def library(
    kernel: Any, function: FunctionType, signature: tuple, capability: tuple[int, int], lines: bool, level: int
) -> PerTarget:
    """A kernel with its own options, typed and lowered. Raises: whatever the compiler raises.

    kernel: plain function or dispatcher; capability: as in (9, 0); lines: with line information; level: of
    optimisation.
    """
    told = getattr(kernel, "targetoptions", None) or {}
    options = {name: told[name] for name in KEPT_OPTIONS if told.get(name) is not None}
    options |= {"lineinfo": lines, "device": bool(told.get("device"))}
    options["opt_level"] = 0 if told.get("opt") is False else level
    return PerTarget(function, signature, options, capability)


def _without_unused(ptx: str) -> str:
    """The text without the word for errors, where no instruction reads or writes it."""
    return ptx if ptx.count(ERROR_WORD) != 1 else re.sub(rf"^.*\b{ERROR_WORD};\n", "", ptx, flags=re.MULTILINE)


def _ptx_of(module: Any, options: dict[str, Any], cc: str) -> bytes:
    """What NVVM makes of MLIR, by way of the LLVM that its target reads. cc: as in "90a"."""
    if mlir_optimization._needs_llvm70_path(cc):
        return mlir_optimization._call_llvm70_capi(module, options)
    text = mlir_optimization._prepare_llvm_ir(module, preserve_debug_info=bool(options.get("lineinfo")))
    return mlir_optimization._compile_to_ptx(text, cc, LibDevice(), mlir_optimization._nvvm_options(cc, options))


class CompilerFault(RuntimeError):
    """The compiler failed inside itself, on a kernel that may be right. The message is its own, where it has one."""


@contextmanager
def _faults_told() -> Iterator[None]:
    """Raise CompilerFault with what went wrong inside, and neither print the module nor leave a file behind.

    The error keeps its traceback, on which `explain` finds the line.
    """
    before = os.environ.get(WHOLE_FAULTS)
    os.environ[WHOLE_FAULTS] = "1"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    except (InternalCompilerError, NotImplementedError, TypeError) as error:
        if isinstance(error, TypeError) and BINDINGS not in str(error):
            raise
        raise CompilerFault(str(error).strip() or "no reason given").with_traceback(error.__traceback__) from error
    finally:
        if before is None:
            del os.environ[WHOLE_FAULTS]
        else:
            os.environ[WHOLE_FAULTS] = before


@contextmanager
def _device_of(capability: tuple[int, int]) -> Iterator[None]:
    """Answer the compiler's question for the GPU of this machine, where there is none to ask and where there is."""
    with global_compiler_lock:
        before, tools._cached_cc = tools._cached_cc, capability
        try:
            yield
        finally:
            tools._cached_cc = before
