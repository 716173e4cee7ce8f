"""The one place that imports the CUDA module, and the stand-in that takes over where there is no GPU.

Everything else in the autograder writes ``from autograder.backend import cuda``. With numba installed that is
`numba.cuda`; without it, a module of that name over `simt.cuda_api`, which runs kernels in the interpreter. The same
goes for `numba_cuda_mlir`, whose kernels the interpreter runs as well.
"""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from functools import cache
from types import ModuleType

from simt import cuda_api

cuda_api.install()  # where numba is not installed, a browser for one, the interpreter is all there is
try:
    from numba import cuda
except ImportError:  # numba.cuda is there, and does not load
    cuda = cuda_api.cuda

NUMBA_CUDA = not getattr(cuda, "__simt_cuda__", False)
MLIR = "numba_cuda_mlir.cuda"  # numba-cuda's successor
ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@cache
def gpu_available() -> bool:
    """True when numba.cuda is installed and the driver offers a GPU. Creates no CUDA context."""
    return NUMBA_CUDA and bool(cuda.is_available())


def install_stand_in() -> bool:
    """Make the host side of `numba.cuda` work without a GPU: launches, arrays, streams and events go to `simt`.

    Replaces attributes of the installed module, so that notebooks need no other import and no environment variable.
    Returns True when the stand-in is in place, False when a GPU, or a module that is one already, makes it needless.
    """
    _install_for_mlir()
    if not NUMBA_CUDA or gpu_available():
        return False
    from numba.cuda.dispatcher import CUDADispatcher

    _replace_host_side(cuda, CUDADispatcher)
    return True


def _install_for_mlir() -> None:
    """The same for numba-cuda-mlir, where it is in use: imported before, or all there is."""
    if MLIR not in sys.modules and NUMBA_CUDA:
        return
    try:
        mlir = importlib.import_module(MLIR)
        if cuda_api.is_stand_in(mlir) or mlir.is_available():
            return
        from numba_cuda_mlir.descriptor import MLIRDispatcher
    except ImportError:  # not for this platform, or of another version: its own error says more than we can
        return
    _replace_host_side(mlir, MLIRDispatcher)
    for name in ("create_xoroshiro128p_states", "init_xoroshiro128p_states"):  # its own need a GPU
        setattr(mlir.random, name, getattr(cuda_api.random, name))


def _replace_host_side(module: ModuleType, dispatcher: type) -> None:
    """Send what a cuda module does on the host to the interpreter. dispatcher: the class of its jitted kernels."""
    if module.to_device is cuda_api.HOST_API["to_device"]:
        return
    for name, replacement in cuda_api.HOST_API.items():
        setattr(module, name, replacement)
    module.jit = cuda_api.jit_later(module.jit)
    dispatcher.__getitem__ = lambda kernel, configuration: cuda_api.configure(kernel, *_as_tuple(configuration))
    dispatcher.configure = cuda_api.configure
    dispatcher.forall = cuda_api.forall


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
