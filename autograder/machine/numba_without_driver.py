"""What of numba asks the CUDA driver where there is none, and what answers in its place.

`numba.cuda`'s own modules hand the host side on from one to the other (`api`, `devices`, `devicearray`, `driver`), and
programs reach for any of them. So every name that `simt.cuda_api` answers is put in its place in all of them, and
what is left, a call of the driver itself, says in one sentence that there is none.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from autograder.machine import compiled_answers
from simt import cuda_api
from simt.cuda_api.device import current_context, gpus, require_context
from simt.cuda_api.device_array import (
    DeviceArray,
    as_cuda_array,
    auto_device,
    device_array_like,
    is_cuda_array,
)
from simt.cuda_api.guvectorize import GuvectorizeBuilder
from simt.cuda_api.vectorize import VectorizeBuilder

NO_DRIVER = (
    "asks the CUDA driver, and there is none here: kernels run in the interpreter, on host memory. Where the answer "
    "decides nothing, leave the call out; else run the program on a machine with a GPU."
)
MEANT_FOR_THE_COMPILER = ("jit", "declare_device")  # names that numba's own modules go on using


def replace_below(package: str, originals: dict[str, Any]) -> None:
    """Put what `simt.cuda_api` answers in the place of numba's own, in every module of its that is loaded.

    originals: what the cuda module had under the names of HOST_API.
    """
    swaps = {id(originals[name]): (originals[name], cuda_api.HOST_API[name]) for name in originals}
    swaps |= _deeper(package)
    for name, module in list(sys.modules.items()):
        if module is None or not name.startswith(package):
            continue
        for attribute, value in list(vars(module).items()):
            original, replacement = swaps.get(id(value), (None, None))
            if original is value and attribute not in MEANT_FOR_THE_COMPILER:
                setattr(module, attribute, replacement)


def _deeper(package: str) -> dict[int, tuple[Any, Any]]:
    """Names of inner modules that have no namesake in the cuda module: id -> (numba's, ours)."""
    found = {}
    for module_name, names in {
        f"{package}.cudadrv.devices": {
            "get_context": current_context, "gpus": gpus, "require_context": require_context,
            "reset": cuda_api.cuda.close,
        },
        f"{package}.cudadrv.devicearray": {
            "DeviceNDArray": DeviceArray, "is_cuda_ndarray": is_cuda_array, "auto_device": auto_device,
            "from_array_like": device_array_like, "from_record_like": device_array_like,
            "require_cuda_ndarray": as_cuda_array, "verify_cuda_ndarray_interface": as_cuda_array,
        },
    }.items():  # fmt: skip
        try:
            module = importlib.import_module(module_name)
        except ImportError:  # another version of numba has it elsewhere
            continue
        for name, replacement in names.items():
            original = getattr(module, name, None)
            if original is not None and original is not replacement:
                found[id(original)] = original, replacement
    return found


def register_ufuncs() -> None:
    """`@vectorize` and `@guvectorize` with target="cuda": numba's decorators ask their registries."""
    for name in ("numba.np.ufunc.decorators", "numba.cuda.np.ufunc.decorators"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for decorator, builder in ((module.Vectorize, VectorizeBuilder), (module.GUVectorize, GuvectorizeBuilder)):
            registry = decorator.target_registry
            registry.pop("cuda", None)  # a registry refuses a second entry
            registry.ondemand.pop("cuda", None)
            registry["cuda"] = builder


def explain_driver(package: str) -> None:
    """A call of the driver itself says that there is none, with the name of what was called."""
    try:
        driver = importlib.import_module(f"{package}.cudadrv.driver")
        error = importlib.import_module(f"{package}.cudadrv.error").CudaSupportError
    except ImportError:
        return

    def missing(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise error(f"{name} {NO_DRIVER}")

    def count(self) -> int:
        return len(gpus)

    driver.Driver.__getattr__ = missing
    driver.Driver.ensure_initialized = lambda self: None
    driver.Driver.is_available = property(lambda self: False)
    driver.Driver.get_device = lambda self, devnum=0: gpus[devnum]
    driver.Driver.get_device_count = count
    driver.Driver.get_version = lambda self: missing(self, "get_version")
    driver.Device.__new__ = lambda cls, devnum=0: gpus[devnum]


def explain_compiled_kernels(dispatcher: type) -> None:
    """What programs ask of a compiled kernel. dispatcher: the class of jitted kernels."""

    def inspection(name: str) -> Callable:
        def ask(kernel, signature=None, **options):
            return compiled_answers.answer(kernel, name, signature, **options)

        ask.__name__ = name
        return ask

    for name in (*compiled_answers.NUMBERS, *compiled_answers.TEXTS, "inspect_types"):
        if hasattr(dispatcher, name):
            setattr(dispatcher, name, inspection(name))
    dispatcher.compile = _compiled
    dispatcher.specialize = lambda kernel, *args: kernel
    dispatcher.specialized = property(lambda kernel: bool(getattr(kernel, "simt_signature", None)))
    dispatcher.overloads = property(compiled_answers.overloads_of, _keep_overloads)
    dispatcher.signatures = property(compiled_answers.signatures_of)
    dispatcher.simt_note_types = compiled_answers.note_types


def _compiled(kernel, signature):
    """`kernel.compile(types)`: a version that is compiled when it is asked something."""
    return compiled_answers.overloads_of(kernel)[compiled_answers.types_of(signature)]


def _keep_overloads(kernel, overloads) -> None:
    ours = compiled_answers.Overloads
    vars(kernel)["overloads"] = overloads if isinstance(overloads, ours) else ours(overloads, kernel=kernel)
