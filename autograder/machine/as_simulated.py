"""Programs that ask whether they are simulated, where NUMBA_ENABLE_CUDASIM is set: they are told what they ask for.

Many a project takes another path under numba's simulator: no CuPy, fewer threads, another class of device arrays. With
the variable set it takes that path here, too, and its kernels run in the interpreter. Without it, it is told that
there is a GPU. numba-cuda itself must never hear of it: it would load its simulator in the interpreter's place.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any

CUDASIM, SETTING = "NUMBA_ENABLE_CUDASIM", "ENABLE_CUDASIM"
OF_SUCCESSOR = "numba_cuda_mlir.numba_cuda.core.config"
SIMULATED_KERNELS = {"_device": "device", "_fastmath": "fastmath", "_debug": "debug"}  # what its kernels have
READ_AT_IMPORT = ("numba.cuda.random", "numba.cuda.simulator.cudadrv.devicearray")  # of numba, these read the setting


def asked() -> bool:
    """Whether the environment asks for numba's simulator. The variable is away from now on: see `tell`."""
    return os.environ.pop(CUDASIM, "").strip() not in ("", "0")


def configs() -> list[Any]:
    """Numba's settings, where they are loaded: numba-cuda keeps a copy of its own."""
    found = (sys.modules.get(name) for name in ("numba.core.config", "numba.cuda.core.config", OF_SUCCESSOR))
    return [config for config in found if config is not None]


def simulates() -> bool:
    """Whether numba takes itself for its simulator."""
    return any(getattr(config, SETTING, 0) for config in configs())


def tell() -> None:
    """From now on programs find the variable, the setting, the simulator's class of device arrays, which is ours, and
    what they may ask of one of its kernels.

    Call this when the interpreter has taken numba.cuda's place.
    """
    from simt import cuda_api

    os.environ[CUDASIM] = "1"
    decorators: Any = sys.modules.get("numba.cuda.decorators")
    if decorators is None:  # no numba is installed
        return
    dispatcher = importlib.import_module("numba.cuda.dispatcher").CUDADispatcher
    for name, option in SIMULATED_KERNELS.items():
        setattr(dispatcher, name, _option(option))
    own = decorators.config
    own.__class__ = _NeverSimulated  # numba reads the environment again whenever it has changed
    for name in READ_AT_IMPORT:
        try:
            module = importlib.import_module(name)
        except ImportError:  # another version of numba has it elsewhere
            continue
        if hasattr(module, "FakeCUDAArray"):
            vars(module)["FakeCUDAArray"] = cuda_api.DeviceArray
    shown = _Shown(own)
    for name in ("numba.core.config", "numba.cuda.core.config"):
        sys.modules[name] = shown
    for name in ("numba", "numba.core", "numba.cuda", "numba.cuda.core"):
        if hasattr(sys.modules.get(name), "config"):
            vars(sys.modules[name])["config"] = shown


def _option(name: str) -> property:
    """What a kernel was jitted with, under the name that the simulator's kernels have for it."""
    return property(lambda kernel: bool(kernel.targetoptions.get(name, False)))


class _NeverSimulated(ModuleType):
    """The settings as numba's own modules hold them: whatever is written there, the simulator is off."""

    ENABLE_CUDASIM = property(lambda self: 0, lambda self, value: None)


class _Shown(ModuleType):
    """The settings as a program imports them from now on."""

    def __init__(self, own: ModuleType) -> None:
        super().__init__(own.__name__)
        vars(self)[SETTING] = 1
        vars(self)["_own"] = own

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["_own"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["_own"], name, value)
