"""`numba` and `numba_cuda_mlir` where they are not installed, so that programs import what they always import.

``install()`` adds a finder behind all others: what is really installed is always found first.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType

from simt.cuda_api import cuda, random, types
from simt.cuda_api.placeholders import Placeholder
from simt.numerics.bfloat16_functions import INTRINSICS as BF16_FUNCTIONS
from simt.threads.cache_hints import INTRINSICS as CACHE_HINTS

PACKAGES = ("numba", "numba_cuda_mlir")
CPU_ONLY = ("stencil", "cfunc")  # what numba has for the CPU, and Python has no substitute for
GPU_COMPILER = ("compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device", "compile_all")


def install() -> None:
    """From now on ``import numba`` and ``import numba_cuda_mlir`` succeed: where neither is installed, with stand-ins.

    Where one of the two is installed, the other is as absent as it is: projects look which compiler there is.

    A stand-in has `cuda` (with `cuda.random`), `types`, every number type by name, `from_dtype` and `void`. `njit`
    leaves functions as they are, and says so; its kin say when they are used that there is no compiler. Calling this
    again changes nothing.
    """
    if not any(isinstance(finder, StandInFinder) for finder in sys.meta_path):
        sys.meta_path.append(StandInFinder())


def take_the_place_of_cuda() -> ModuleType:
    """Make a stand-in what `import numba.cuda` gives, where numba was imported and its CUDA target does not load."""
    name = "numba.cuda"
    module = importlib.util.module_from_spec(importlib.machinery.ModuleSpec(name, StandInFinder(), is_package=True))
    fill(module)
    sys.modules[name] = vars(sys.modules["numba"])["cuda"] = module
    return module


def is_stand_in(module: ModuleType) -> bool:
    """Whether a module, as in ``sys.modules["numba.cuda"]``, came from here."""
    return getattr(module, "__simt_stand_in__", False) is True


def fill(module: ModuleType) -> None:
    """Make a module of one of the names that `install` knows a stand-in, as a package of the name "numba" may do."""
    below = module.__name__.partition(".")[2]
    vars(module).update(CONTENTS[below](), __simt_stand_in__=True)
    module.__doc__ = f"A stand-in for {module.__name__}, which is not installed: kernels run in an interpreter."


def _installed(package: str) -> bool:
    """Whether a package is really there, imported or not."""
    loaded = sys.modules.get(package)
    if loaded is not None:
        return not is_stand_in(loaded)
    others = (finder for finder in sys.meta_path if not isinstance(finder, StandInFinder))
    return any(finder.find_spec(package, None) is not None for finder in others if hasattr(finder, "find_spec"))


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and fills the modules below PACKAGES that nothing else found."""

    def find_spec(self, name: str, path=None, target=None) -> importlib.machinery.ModuleSpec | None:
        package, _, below = name.partition(".")
        if package not in PACKAGES or below not in CONTENTS:
            return None
        parent = name.rpartition(".")[0]
        if not parent and any(_installed(other) for other in PACKAGES if other != package):
            return None
        if parent and below != "cuda" and not is_stand_in(sys.modules[parent]):
            return None  # part of a real package, which does not have it
        return importlib.machinery.ModuleSpec(name, self, is_package=below in FOLDERS)

    def create_module(self, spec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        fill(module)


class NoCompiler:
    """`cfunc`, `cuda.compile_ptx` or one of their kin: importable, and of no use."""

    def __init__(self, name: str, why: str):
        self.__name__, self.why = name, why

    def __call__(self, *args, **options):
        raise NotImplementedError(f"{self.__name__} {self.why}")

    def __repr__(self) -> str:
        return f"<{self.__name__}: numba is not installed>"


NO_CPU = (
    "compiles for the CPU, and numba is not installed here: only numba.cuda has a stand-in. "
    "Leave it away, and the function runs as plain Python."
)
SLOWLY = "numba is not installed here: what {name} would compile for the CPU runs as plain Python, many times slower."
NO_GPU = "needs numba's compiler, which is not installed here: kernels run in an interpreter, from their source."


class NumbaWarning(Warning):
    """What numba warns with; only to be named in a filter."""


class NumbaPerformanceWarning(NumbaWarning):
    """What numba says about small grids and copies."""


def _for_cuda(name: str, there) -> Callable:
    """`numba.vectorize` and `numba.guvectorize`: those of cuda for its target, no compiler for others."""
    absent = NoCompiler(name, NO_CPU)

    def decorate(*signatures, target: str = "cpu", **options):
        return there(*signatures, target=target, **options) if target == "cuda" else absent(*signatures, **options)

    decorate.__name__ = decorate.__qualname__ = name
    return decorate


def _in_python(name: str) -> Callable:
    """`njit` or `jit`: the function itself comes back. Which of the two, and that it is slow, is printed once."""
    told: list[str] = []

    def decorate(function=None, /, *signatures, **options):
        if not told:
            told.append(name)
            print(SLOWLY.format(name=name))
        if not isinstance(function, FunctionType):  # @njit(parallel=True), or a signature
            return decorate
        function.__dict__["py_func"] = function
        return function

    decorate.__name__ = decorate.__qualname__ = name
    return decorate


def _package() -> dict:
    ufuncs = {"vectorize": _for_cuda("vectorize", cuda.vectorize)}
    ufuncs["guvectorize"] = _for_cuda("guvectorize", cuda.guvectorize)
    names = {**ufuncs, "types": types, "from_dtype": types.from_dtype, "prange": range, "__version__": "0+simt"}
    names |= {name: _in_python(name) for name in ("njit", "jit")}
    return {**types.NAMES, **names, **{name: NoCompiler(name, NO_CPU) for name in CPU_ONLY}}


def _types() -> dict:
    return {**types.NAMES, "Array": types.Array, "Type": types.Type, "Number": types.Number, "Record": types.Record}


def _cuda() -> dict:
    host = {name: getattr(cuda, name) for name in cuda.__all__}
    absent = {name: NoCompiler(name, NO_GPU) for name in GPU_COMPILER}
    inside = {name: one for name, one in cuda.INSIDE_KERNELS.items() if name != "bf16"}  # a module of its own
    return {
        **inside,
        **host,
        **cuda.STAND_IN_ONLY,
        **absent,
        "random": random,
        "types": types,
        "__simt_cuda__": True,
    }


def _cache_hints() -> dict:
    return {name: cuda.INSIDE_KERNELS[name] for name in CACHE_HINTS}


def _bf16() -> dict:
    names = (path.removeprefix("bf16.") for path in BF16_FUNCTIONS)
    return {"bfloat16": types.BFloat16(), **{name: Placeholder(f"bf16.{name}") for name in names}}


def _random() -> dict:
    return {name: getattr(random, name) for name in random.__all__}


CONTENTS = {  # below the package, "" for itself: what a module holds
    "": _package,
    "types": _types,
    "core": dict,
    "core.types": _types,
    "core.errors": lambda: {"NumbaWarning": NumbaWarning, "NumbaPerformanceWarning": NumbaPerformanceWarning},
    "cuda": _cuda,
    "cuda.bf16": _bf16,
    "cuda.cache_hints": _cache_hints,
    "cuda.random": _random,
    "cuda.types": _types,
}
FOLDERS = ("", "core", "cuda")  # those of them that hold others
