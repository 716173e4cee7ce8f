"""minitrt under TensorRT's name; see `minitrt/shim/__init__.py`."""

import sys as _sys
import types as _types

import minitrt as _minitrt
from minitrt.builder.target import default_target as _default_target
from minitrt.shim import host_polygraphy as _host_polygraphy


def __getattr__(name):
    if name == "__all__":
        return [each for each in _minitrt.__all__ if each in dir(_minitrt)]
    return getattr(_minitrt, name)


def __dir__():
    return dir(_minitrt)


class _Face(_types.ModuleType):
    """The module, whose `api` is minitrt's: setting it chooses a version."""

    def __setattr__(self, name, value):
        if name == "api":
            _minitrt.api = value
        else:
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Face

if "polygraphy" in _sys.modules and _default_target() is None:
    _host_polygraphy.install()
    print("minitrt: there is no GPU, so Polygraphy's CUDA is a stand-in over host memory", file=_sys.stderr)
