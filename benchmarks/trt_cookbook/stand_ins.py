"""What the cookbook's helpers import and a layer does not need: torch, nvtx, onnx_graphsurgeon, as names alone."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import types


class Thing:
    """Of a class that is only named. It has no attributes, and the method that a helper wraps."""

    def __getattr__(self, name: str):
        raise AttributeError(name)


class Names(types.ModuleType):
    """A module that has every name: in lower case an object of its class `dtype`, else a class."""

    __path__: list[str] = []

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (Thing,), {}) if name == "dtype" or name[0].isupper() else self.dtype()
        setattr(self, name, value)
        return value


def torch() -> Names:
    """Types by name; seeds are taken and not used."""
    made = Names("torch")
    ignored = dict.fromkeys(("manual_seed", "use_deterministic_algorithms"), lambda *_, **__: None)
    vars(made).update(ignored, cuda=types.SimpleNamespace(is_available=lambda: False))
    return made


def nvtx() -> Names:
    made = Names("nvtx")
    vars(made)["annotate"] = lambda *_, **__: contextlib.nullcontext()
    return made


def graph_surgeon() -> Names:
    made = Names("onnx_graphsurgeon")
    for inner in ("ir", "ir.graph", "logger"):
        sys.modules[f"onnx_graphsurgeon.{inner}"] = Names(f"onnx_graphsurgeon.{inner}")
    return made


def install() -> None:
    """Put each in place that is not installed."""
    for name, make in {"torch": torch, "nvtx": nvtx, "onnx_graphsurgeon": graph_surgeon}.items():
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = make()
