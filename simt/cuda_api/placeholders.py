"""Names that only mean something inside a kernel: ``cuda.grid``, ``cuda.threadIdx.x``, ``cuda.atomic.add``."""

from __future__ import annotations

from simt.errors import SimtError
from simt.threads.names import CUDA_PATHS
from simt.threads.positions import REGISTERS
from simt.values.vectors import ALIASES


class Placeholder:
    """A name below the cuda module. The interpreter recognises it by `__simt_path__`; the host cannot use it."""

    def __init__(self, path: str):
        self.__simt_path__ = path
        self.__name__ = self.__qualname__ = path
        self.__module__ = "numba.cuda"  # where it can be imported from, once a stand-in is installed

    def __getattr__(self, name: str):
        path = f"{self.__simt_path__}.{name}"
        if name.startswith("__") or not any(known == path or known.startswith(f"{path}.") for known in CUDA_PATHS):
            raise AttributeError(f"cuda.{self.__simt_path__} has no {name}")
        return Placeholder(path)

    def __call__(self, *args, **options):
        raise SimtError(f"cuda.{self.__simt_path__} works inside kernels only.")

    def __repr__(self) -> str:
        return f"<cuda.{self.__simt_path__}>"


def kernel_names() -> dict[str, Placeholder]:
    """A placeholder for every top-level name."""
    names = {path.split(".")[0] for path in CUDA_PATHS} | set(REGISTERS)
    elements = [f"{kind}{bits}x" for kind, sizes in SIZES.items() for bits in sizes]
    elements += [prefix + alias for alias in ALIASES for prefix in (("", "u") if alias in UNSIGNED else ("",))]
    names |= {f"{element}{count}" for element in elements for count in range(1, 5)}
    return {name: Placeholder(name) for name in sorted(names)}


SIZES = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64)}
UNSIGNED = ("char", "short", "int", "long", "longlong")
