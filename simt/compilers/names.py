"""numba's names over numba-cuda-mlir: `from numba import cuda, float32` and `numba.cuda.X` give the successor's own.

What numba has for the CPU stays numba's own where numba is installed (`njit`, `prange`); only the names of types
change, since either compiler knows its own types alone.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any

from simt.compilers.choice import MLIR, VARIABLE, CompilerError, successor_in_use

SUCCESSOR = "numba_cuda_mlir"
OWN = {  # numba's module -> ours, which offers what numba's does and builds it for the successor
    "numba.cuda.cgutils": "simt.compilers.low_level.cgutils",
    "numba.cuda.extending": "simt.compilers.low_level.extending",
}
PLACES = (  # below numba -> where the successor has it, the first that there is
    ("numba.cuda", (f"{SUCCESSOR}.cuda", f"{SUCCESSOR}.numba_cuda")),
    ("numba.core", (f"{SUCCESSOR}.numba_cuda.core", f"{SUCCESSOR}.numba_cuda")),
    ("numba.np", (f"{SUCCESSOR}.numba_cuda.np",)),
    ("numba.types", (f"{SUCCESSOR}.types",)),
    ("numba.extending", (f"{SUCCESSOR}.extending",)),
)


def install() -> None:
    """From now on numba's names are those of the compiler in use. Calling this again changes nothing.

    Raises: CompilerError where the compiler that was asked for is not installed, or the other one's `numba.cuda` was
    imported before.
    """
    if not successor_in_use() or any(isinstance(finder, SuccessorFinder) for finder in sys.meta_path):
        return
    loaded = sys.modules.get("numba.cuda")
    if loaded is not None and not loaded.__name__.startswith((SUCCESSOR, "simt")):
        raise CompilerError(
            f"{MLIR} is the compiler in use, and another one's numba.cuda was imported before it could take its place. "
            f"Import warpbook's packages before numba, or choose the other one by {VARIABLE}."
        )
    sys.meta_path.insert(0, SuccessorFinder(installed=_spec_behind("numba") is not None))
    if "numba" in sys.modules:
        _put_types_into(sys.modules["numba"])


class SuccessorFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds numba's modules in the successor. installed: whether numba itself is there, for the CPU."""

    def __init__(self, installed: bool) -> None:
        self.installed = installed

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name == "numba":
            spec = _spec_behind(name) if self.installed else None
            if spec is None:
                return importlib.machinery.ModuleSpec(name, self, is_package=True)
            spec.loader = _NumbaWithTypes(spec.loader)
            return spec
        if not name.startswith("numba.") or self.installed and not _is_cuda(name):
            return None
        return None if _home_of(name) is None else importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name == "numba":
            from simt.cuda_api import stand_in

            vars(module).update(stand_in.CONTENTS[""]())
            _put_types_into(module)
        else:
            sys.modules[name] = _module_at(_home_of(name))


class _NumbaWithTypes(importlib.abc.Loader):
    """Loads numba, and gives it the successor's types."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        _put_types_into(module)


def _is_cuda(name: str) -> bool:
    return name == "numba.cuda" or name.startswith("numba.cuda.")


def _spec_behind(name: str) -> importlib.machinery.ModuleSpec | None:
    """Where a package that is really installed lies: no finder of ours is asked."""
    return importlib.machinery.PathFinder.find_spec(name)


def _home_of(name: str) -> str | None:
    """The module that answers to one of numba's names; None where there is none."""
    if name in OWN:
        return OWN[name]
    for prefix, homes in PLACES:
        if name == prefix or name.startswith(prefix + "."):
            below = name.removeprefix(prefix)
            return next((home + below for home in homes if _exists(home + below)), None)
    return None


def _exists(name: str) -> bool:
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # what it would lie below is no package
        return False


def _module_at(name: str | None) -> ModuleType:
    assert name is not None, "find_spec has said that there is one"
    return importlib.import_module(name)


def _put_types_into(numba: ModuleType) -> None:
    """Numba's names of types and of its CUDA module mean the successor's."""
    types: Any = importlib.import_module(f"{SUCCESSOR}.types")
    vendored: Any = importlib.import_module(f"{SUCCESSOR}.numba_cuda.types")
    for name, value in {**vars(vendored), **vars(types)}.items():
        if isinstance(value, vendored.Type):
            setattr(numba, name, value)
    numba.types = types  # type: ignore[attr-defined]
    numba.from_dtype = importlib.import_module(f"{SUCCESSOR}.numba_cuda.np.numpy_support").from_dtype  # type: ignore[attr-defined]
    numba.cuda = sys.modules["numba.cuda"] = importlib.import_module(f"{SUCCESSOR}.cuda")  # type: ignore[attr-defined]
