"""minitrt under TensorRT's name; see `minitrt/shim/__init__.py`."""

import minitrt as _minitrt


def __getattr__(name):
    if name == "__all__":
        return [each for each in _minitrt.__all__ if each in dir(_minitrt)]
    return getattr(_minitrt, name)


def __dir__():
    return dir(_minitrt)
