"""What TensorRT 11 removed warns when it is used; what minitrt does not have raises an error that names it."""

from __future__ import annotations

import warnings
from collections.abc import Callable


def removed_in_11(name: str, instead: str = "quantise explicitly, with QuantizeLinear and DequantizeLinear") -> None:
    """Warn that `name` is weak typing's or implicit quantisation's. The warning points at the caller's caller."""
    message = f"{name} was deprecated in TensorRT 10 and removed in TensorRT 11: {instead}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


class NotInMinitrt(NotImplementedError):
    """A part of TensorRT's API that minitrt has no counterpart of. Attribute: name."""

    def __init__(self, name: str, why: str):
        super().__init__(f"minitrt has no {name}: {why}")
        self.name = name


def absent(name: str, why: str) -> Callable:
    """A function that raises NotInMinitrt for `name`."""

    def missing(*_, **__):
        raise NotInMinitrt(name, why)

    missing.__name__ = name.rpartition(".")[2]
    missing.__doc__ = f"Raises NotInMinitrt: {why}."
    return missing


def absent_property(name: str, why: str) -> property:
    """A property that raises NotInMinitrt when it is set to something, and is None until then: tools read whatever an
    object has."""
    missing = absent(name, why)

    def put(self, value) -> None:
        if value is not None:
            missing()

    return property(lambda self: None, put, doc=missing.__doc__)
