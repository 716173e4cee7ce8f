"""Which compiler of numba.cuda is in use: numba-cuda, or its successor numba-cuda-mlir. Whoever needs to know asks.

    in_use()        "numba-cuda", "numba-cuda-mlir", or "" where neither is installed
    install()       from now on ``from numba import cuda, float32`` gives that compiler's

`choice` decides; `names` puts the successor under numba's names; what intrinsics write as LLVM IR for the one is built
for the other by `low_level`.
"""

from simt.compilers.choice import (
    MLIR,
    NUMBA_CUDA,
    VARIABLE,
    CompilerError,
    in_use,
    install_command,
    package,
    successor_in_use,
)
from simt.compilers.names import install

__all__ = [
    "MLIR",
    "NUMBA_CUDA",
    "VARIABLE",
    "CompilerError",
    "in_use",
    "install",
    "install_command",
    "package",
    "successor_in_use",
]
