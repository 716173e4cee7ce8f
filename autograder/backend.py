"""The one place that imports the CUDA module, and the stand-in that takes over where there is no GPU.

Everything else in the autograder writes ``from autograder.backend import cuda``. With numba installed that is
`numba.cuda`, of the compiler in use (`simt.compilers`); without it, a module of that name over `simt.cuda_api`, which
runs kernels in the interpreter. The same goes for `numba_cuda_mlir`, whose kernels the interpreter runs as well.

Importing this module loads neither: asking for `cuda` does, and `prepare` puts the stand-in in place.
"""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from autograder.machine.on_import import when_imported
from autograder.machine.uncollected import uncollected
from simt import compilers

if TYPE_CHECKING:
    cuda: Any  # what `__getattr__` gives

CUDASIM = "NUMBA_ENABLE_CUDASIM"
MLIR = "numba_cuda_mlir.cuda"  # numba-cuda's successor
ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def __getattr__(name: str) -> Any:
    """`cuda`, loaded when it is first asked for."""
    if name == "cuda":
        return cuda_module()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def cuda_module() -> Any:
    """`numba.cuda`, or what takes its place where numba, or its CUDA target, is not there or does not load.

    Raises: simt.compilers.CompilerError where the compiler that was asked for cannot be used.
    """
    compilers.install()
    try:
        with uncollected():
            from numba import cuda
    except Exception:  # a target that is given up may say so with any error
        return _without_numba()
    return cuda


def _without_numba() -> Any:
    """A module of the name `numba.cuda` over the interpreter, which is what `import numba.cuda` gives from now on."""
    from simt import cuda_api

    cuda_api.install()
    try:
        from numba import cuda
    except Exception:
        return cuda_api.take_the_place_of_cuda()
    return cuda


def is_numba_cuda() -> bool:
    """True where `cuda` is numba's own, patched or not."""
    return not getattr(cuda_module(), "__simt_cuda__", False)


@cache
def compiles_for_cpu() -> bool:
    """True where `njit` compiles; where numba is not installed, a browser for one, it leaves a function as it is."""
    from simt import cuda_api

    cuda_api.install()
    import numba

    return not (cuda_api.is_stand_in(numba) or numba.njit.__module__.startswith("simt."))


def dispatcher_class() -> Any:
    """The class of jitted kernels, of the compiler in use."""
    if compilers.successor_in_use():
        from numba_cuda_mlir.descriptor import MLIRDispatcher

        return MLIRDispatcher
    from numba.cuda.dispatcher import CUDADispatcher

    return CUDADispatcher


@cache
def gpu_available() -> bool:
    """True when numba.cuda is installed and the driver offers a GPU. Creates no CUDA context."""
    return is_numba_cuda() and bool(cuda_module().is_available())


def name_of(device: Any) -> str:
    """A device's name, as in "NVIDIA H200". device: as `cuda.get_current_device()` gives it."""
    return device.name.decode() if isinstance(device.name, bytes) else str(device.name)  # versions differ


@cache
def prepare() -> None:
    """Make this process one in which answers can run: the stand-in where it is needed, warnings where learners read.

    Everything that is about to run a learner's code calls this; it does its work once per process.
    """
    install_stand_in()
    keep_no_cache_of_cells()
    say_warnings_on_stdout()


def keep_no_cache_of_cells() -> None:
    """Let `cache=True` pass where there is no file to keep the machine code beside: an answer is judged as text."""
    if not is_numba_cuda():
        return
    dispatchers = dispatcher_class()
    original = dispatchers.enable_caching
    if getattr(original, "_warpbook", False):
        return

    def enable_caching(dispatcher) -> None:
        try:
            original(dispatcher)
        except RuntimeError:
            pass

    vars(enable_caching)["_warpbook"] = True
    dispatchers.enable_caching = enable_caching


class SimulatorLoaded(RuntimeError):
    """Numba's own simulator was loaded before the interpreter could take its place. The message says what to do."""


def force_interpreter() -> None:
    """Send the host side of `numba.cuda` to the interpreter whether there is a GPU or not. Ask before any is used.

    Programs are told that there is a GPU, as many do nothing, or skip their tests, where there is none; and that they
    are simulated, where the environment asks for numba's simulator. That one, which has neither a driver nor
    dispatchers, is never loaded. Raises: SimulatorLoaded where it is there already.
    """
    from autograder.machine import as_simulated
    from simt.cuda_api import device

    simulated = as_simulated.asked()
    if hasattr(sys.modules.get("numba.cuda"), "simulator") and as_simulated.simulates():
        raise SimulatorLoaded(
            f"numba.cuda was imported with {CUDASIM} set before the interpreter could take its place, and numba's "
            f"simulator cannot be left again. Unset {CUDASIM}: the interpreter takes its place."
        )
    for config in as_simulated.configs():  # numba was imported, its CUDA side was not
        vars(config)["ENABLE_CUDASIM"] = 0
    gpu_available()  # remembered: the judge's own question has the real answer
    device.stand_for_a_gpu()
    _install_for_mlir(forced=True)
    if is_numba_cuda():
        _replace_host_side(cuda_module(), dispatcher_class())
    if simulated:
        as_simulated.tell()


def install_stand_in() -> bool:
    """Make the host side of `numba.cuda` work without a GPU: launches, arrays, streams and events go to `simt`.

    Replaces attributes of the installed module, so that notebooks need no other import and no environment variable.
    Returns True when the stand-in is in place, False when a GPU, or a module that is one already, makes it needless.
    """
    _install_for_mlir()
    if not is_numba_cuda() or gpu_available():
        return False
    _replace_host_side(cuda_module(), dispatcher_class())
    return True


@contextmanager
def stand_in_as_numba_cuda() -> Iterator[None]:
    """While the block runs, `from numba import cuda` gives the interpreter's module, as where there is no numba, and
    kernels that numba made before, those of imported modules for one, are launched there."""
    import numba

    from simt import cuda_api

    dispatchers, theirs, launching = dispatcher_class(), numba.cuda, _launching()
    before = {name: getattr(dispatchers, name) for name in launching}
    numba.cuda = sys.modules["numba.cuda"] = cuda_api.cuda
    _set_all(dispatchers, launching)
    try:
        yield
    finally:
        numba.cuda = sys.modules["numba.cuda"] = theirs
        _set_all(dispatchers, before)


def _install_for_mlir(forced: bool = False) -> None:
    """The same for numba-cuda-mlir, once a program imports it, or at once where it is all there is.

    forced: where there is a GPU, too.
    """
    from simt import cuda_api

    cuda_api.install()
    if MLIR not in sys.modules and is_numba_cuda():
        when_imported(MLIR, lambda: _install_for_mlir(forced))
        return
    try:
        mlir = importlib.import_module(MLIR)
        if cuda_api.is_stand_in(mlir) or mlir.is_available() and not forced:
            return
        from numba_cuda_mlir.descriptor import MLIRDispatcher
    except ImportError:  # not for this platform, or of another version: its own error says more than we can
        return
    _replace_host_side(mlir, MLIRDispatcher, f"{MLIR.partition('.')[0]}.numba_cuda")
    for name in ("create_xoroshiro128p_states", "init_xoroshiro128p_states"):  # its own need a GPU
        setattr(mlir.random, name, getattr(cuda_api.random, name))


def _replace_host_side(module: Any, dispatcher: Any, *inner: str) -> None:
    """Send what a cuda module does on the host to the interpreter. dispatcher: the class of its jitted kernels; inner:
    packages that it takes its names from, where they lie elsewhere."""
    from simt import cuda_api

    if module.to_device is cuda_api.HOST_API["to_device"]:
        return
    from autograder.machine import numba_without_driver

    originals = {name: getattr(module, name) for name in cuda_api.HOST_API if hasattr(module, name)}
    for name, replacement in cuda_api.HOST_API.items():
        setattr(module, name, replacement)
    for package in (module.__name__, *inner):
        numba_without_driver.replace_below(package, originals)
    numba_without_driver.register_ufuncs()
    numba_without_driver.explain_driver(module.__name__)
    numba_without_driver.explain_compiled_kernels(dispatcher)
    module.jit = cuda_api.jit_later(module.jit)
    _set_all(dispatcher, _launching())


def _launching() -> dict[str, Any]:
    """What launches a kernel in the interpreter, by its name in the class of jitted kernels."""
    from simt import cuda_api

    return {
        "__getitem__": lambda kernel, configuration: cuda_api.configure(kernel, *_as_tuple(configuration)),
        "configure": cuda_api.configure,
        "forall": cuda_api.forall,
        "__call__": cuda_api.not_launched,
    }


def _set_all(owner: Any, attributes: Mapping[str, Any]) -> None:
    for name, value in attributes.items():
        setattr(owner, name, value)


def say_warnings_on_stdout() -> None:
    """Print numba's performance warnings where learners read, and not on stderr, which graders count as a failure.

    The warning about small grids is turned off: teaching launches are small on purpose.
    """
    from autograder.machine.as_simulated import configs

    for config in configs():
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
