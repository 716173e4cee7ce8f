"""The name of the real package's extension module, by which some programs ask for classes."""

import minitrt as _minitrt


def __getattr__(name):
    return getattr(_minitrt, name)


def __dir__():
    return dir(_minitrt)
