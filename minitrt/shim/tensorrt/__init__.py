"""minitrt under TensorRT's name; see `minitrt/shim/__init__.py`."""

import minitrt as _minitrt
from minitrt import __version__  # noqa: F401

__all__ = _minitrt.__all__


def __getattr__(name):
    return getattr(_minitrt, name)


def __dir__():
    return dir(_minitrt)
