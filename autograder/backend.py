"""The one place that imports the CUDA module, and the stand-in that takes over where there is no GPU.

Everything else in the autograder writes ``from autograder.backend import cuda``. With numba-cuda installed that is
`numba.cuda`; without it, `simt.cuda_api.cuda`, which runs kernels in the interpreter.
"""

from __future__ import annotations

import re
import sys
import warnings
from functools import cache

from simt import cuda_api

try:
    from numba import cuda

    NUMBA_CUDA = True
except ImportError:  # macOS, or a minimal installation: the interpreter is all there is
    cuda = cuda_api.cuda
    NUMBA_CUDA = False

ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@cache
def gpu_available() -> bool:
    """True when numba-cuda is installed and the driver offers a GPU. Creates no CUDA context."""
    return NUMBA_CUDA and bool(cuda.is_available())


def install_stand_in() -> bool:
    """Make the host side of `numba.cuda` work without a GPU: launches, arrays, streams and events go to `simt`.

    Replaces attributes of the installed module, so that notebooks need no other import and no environment variable.
    Returns True when the stand-in is in place, False when a GPU makes it needless.
    """
    if not NUMBA_CUDA or gpu_available():
        return False
    for name, replacement in cuda_api.HOST_API.items():
        setattr(cuda, name, replacement)
    cuda.jit = cuda_api.jit_later(cuda.jit)
    from numba.cuda.dispatcher import CUDADispatcher

    CUDADispatcher.__getitem__ = lambda kernel, configuration: cuda_api.configure(kernel, *_as_tuple(configuration))
    CUDADispatcher.configure = cuda_api.configure
    CUDADispatcher.forall = cuda_api.forall
    return True


def say_warnings_on_stdout() -> None:
    """Print numba's performance warnings where learners read, and not on stderr, which graders count as a failure.

    The warning about small grids is turned off: teaching launches are small on purpose.
    """
    for name in ("numba.core.config", "numba.cuda.core.config"):  # numba-cuda keeps a copy of its own
        config = sys.modules.get(name)
        if config is not None:
            config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    show = warnings.showwarning

    def on_stdout(message, category, filename, lineno, file=None, line=None):
        if category.__name__ == "NumbaPerformanceWarning" and file is None:  # two classes bear this name
            print(f"Performance: {ANSI_COLOURS.sub('', str(message))}")
        else:
            show(message, category, filename, lineno, file, line)

    warnings.showwarning = on_stdout


def _as_tuple(configuration) -> tuple:
    """The parts of ``kernel[grid, block, stream, dynamic_shared_bytes]``."""
    return configuration if isinstance(configuration, tuple) else (configuration,)
