"""What TensorRT 11 removed warns when it is used; what minitrt does not have raises an error that names it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

QUANTISE = (
    "quantise explicitly, with QuantizeLinear and DequantizeLinear:"
    " network.add_dequantize(network.add_quantize(x, scale).get_output(0), scale)"
)
TYPED = (
    "type the network strongly, builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)),"
    " with casts, network.add_cast(x, trt.float16), and Q/DQ"
)
SAID: set[str] = set()


def removed_in_11(name: str, instead: str = QUANTISE) -> None:
    """Warn, once, that `name` is of TensorRT 8 to 10, and say what stands in its place. The warning points at the line
    outside this package that used it."""
    if name in SAID:
        return
    SAID.add(name)
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("minitrt."):
        level, frame = level + 1, frame.f_back
    message = f"{name} was deprecated in TensorRT 10 and removed in TensorRT 11: {instead}"
    warnings.warn(message, DeprecationWarning, stacklevel=level)


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
