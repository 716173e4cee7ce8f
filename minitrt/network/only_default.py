"""Parameters of layers that TensorRT has, and of which an engine here knows one value."""

from __future__ import annotations

from typing import Any

from minitrt.api.deprecation import NotInMinitrt
from minitrt.network.layer import ILayer, Param


class OnlyDefault(Param):
    """A parameter of which only the default is there. Raises: NotInMinitrt, with the reason, for any other value."""

    def __init__(self, default: Any, why: str):
        super().__init__(default)
        self.why = why

    def __set__(self, layer: ILayer, value: Any) -> None:
        if value != self.default:
            raise NotInMinitrt(f"{type(layer).__name__}.{self.name} = {value}", self.why)
