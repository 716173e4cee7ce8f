"""What an intrinsic is written with, whichever compiler is in use: numba-cuda's own, or ours that builds the same for
its successor, which makes no LLVM IR in Python.

    from simt.compilers.low_level import TypingError, capability, cgutils, intrinsic, ir, types

Importing this raises ImportError where no compiler is installed.
"""

from simt.compilers import install, successor_in_use

install()

if successor_in_use():
    from numba import types  # type: ignore[attr-defined]
    from numba.cuda.core.errors import TypingError

    from simt.compilers.low_level import cgutils, ir
    from simt.compilers.low_level.extending import capability, intrinsic
else:
    from llvmlite import ir  # type: ignore[import-untyped,no-redef]
    from numba import types  # type: ignore[no-redef]
    from numba.core.errors import TypingError  # type: ignore[no-redef]
    from numba.cuda import cgutils  # type: ignore[attr-defined,no-redef]
    from numba.cuda.core.targetconfig import ConfigStack
    from numba.cuda.extending import intrinsic  # type: ignore[no-redef]

    def _capability_of_numba_cuda() -> tuple[int, int]:  # by this name, as the site's reader of sources takes one only
        """The compute capability that is compiled for, as in (9, 0). Ask while an intrinsic is built."""
        return tuple(ConfigStack().top().compute_capability)[:2]

    capability = _capability_of_numba_cuda


__all__ = ["TypingError", "capability", "cgutils", "intrinsic", "ir", "types"]
