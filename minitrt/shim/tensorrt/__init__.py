"""minitrt under TensorRT's name; see `minitrt/shim/__init__.py`."""

import sys as _sys
import types as _types

import minitrt as _minitrt


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
