"""Decides which compiler of numba.cuda is in use: what WARPBOOK_CUDA names, else what is installed."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path

VARIABLE = "WARPBOOK_CUDA"
NUMBA_CUDA, MLIR = "numba-cuda", "numba-cuda-mlir"
MODULES = {NUMBA_CUDA: "numba_cuda", MLIR: "numba_cuda_mlir"}  # in the order in which they are looked for
WITHIN = {"numba_cuda": "numba", "numba_cuda_mlir": "numba_cuda"}  # a folder that the real one has, and no stand-in
EXTRAS = {NUMBA_CUDA: "cu", MLIR: "mlir"}  # of this project, before the major version of CUDA


class CompilerError(RuntimeError):
    """The compiler that was asked for cannot be used. The message says why, and what to do."""


@cache
def in_use() -> str:
    """NUMBA_CUDA or MLIR; "" where neither is installed: then there is numba's own target, or the interpreter alone.

    Raises: CompilerError where WARPBOOK_CUDA names none, or one that is not installed.
    """
    asked = os.environ.get(VARIABLE, "").strip()
    if not asked:
        return next((name for name, module in MODULES.items() if _is_installed(module)), "")
    if asked not in MODULES:
        raise CompilerError(
            f"{VARIABLE} is {asked!r}, which names no compiler. Set it to {' or '.join(map(repr, MODULES))}, or unset "
            "it: then what is installed is used."
        )
    if not _is_installed(MODULES[asked]):
        raise CompilerError(
            f"{VARIABLE} asks for {asked}, which is not installed for {sys.executable}. Install it with "
            f"{install_command(asked)}, or unset {VARIABLE}: then what is installed is used."
        )
    return asked


def successor_in_use() -> bool:
    """Whether numba-cuda-mlir is the compiler in use."""
    return in_use() == MLIR


def package() -> str:
    """The name below which modules of the compiler in use lie once they are imported: for versions and messages."""
    return in_use() or "numba"


def install_command(name: str) -> str:
    """What installs a compiler, for CUDA 13. name: NUMBA_CUDA or MLIR."""
    extra = EXTRAS[name]
    return f"python -m pip install 'warpbook[{extra}13]' (on CUDA 12: 'warpbook[{extra}12]')"


def _is_installed(module: str) -> bool:
    """Whether it is there, and is no stand-in of ours, which a browser has as a package, nor a name without Python."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return False
    if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
        return False
    return any((Path(folder) / WITHIN[module]).is_dir() for folder in spec.submodule_search_locations or ())
