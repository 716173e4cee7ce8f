"""Makes a plugin from what the plan says of it, and calls it: on arrays for the reference backend, at addresses for a
GPU."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitrt.api.enums import PluginCapabilityType, TensorFormat, TensorRTPhase
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.plugins.exprs import evaluate
from minitrt.plugins.fields import from_plain
from minitrt.plugins.interfaces import DynamicPluginTensorDesc, IPluginResourceContext, PluginTensorDesc
from minitrt.plugins.registry import get_plugin_registry
from minitrt.reference.registry import evaluates


class PluginError(RuntimeError):
    """A plugin that nobody registered, or that failed."""


def made_from(attrs: dict[str, Any]) -> Any:
    """The plugin that an operation's attributes describe. Raises: PluginError when its creator is not registered."""
    creator = get_plugin_registry().get_creator(attrs["name"], attrs["version"], attrs["namespace"])
    if creator is None:
        key = f"{attrs['name']!r}, version {attrs['version']!r}, namespace {attrs['namespace']!r}"
        raise PluginError(f"no plugin {key} is registered: call get_plugin_registry().register_creator first")
    if attrs["api"] == "V2":
        plugin = creator.deserialize_plugin(attrs["name"], base64.b64decode(attrs["data"]))
        plugin.initialize()
        return plugin
    plugin = creator.create_plugin(attrs["name"], from_plain(attrs["fields"]), TensorRTPhase.RUNTIME)
    runtime = plugin.get_capability_interface(PluginCapabilityType.RUNTIME)
    attached = runtime.attach_to_context(IPluginResourceContext())
    return attached.get_capability_interface(PluginCapabilityType.RUNTIME) if attached is not None else runtime


class Runner:
    """One plugin in one context: told of shapes when they change, then enqueued."""

    def __init__(self, op: Op):
        self.plugin, self.v3 = made_from(op.attrs), op.attrs["api"] == "V3"
        self.tactic = op.attrs.get("tactic", 0)
        self.shapes: tuple | None = None

    def enqueue(self, op: Op, inputs: Sequence[int], outputs: Sequence[int], workspace: int, stream: int) -> None:
        """Run on addresses. Raises: PluginError when the plugin says that it failed."""
        described = [descriptions(op.present), descriptions(op.outputs)]
        shapes = tuple(tuple(desc.dims) for side in described for desc in side)
        if shapes != self.shapes and self.v3:
            self.plugin.set_tactic(self.tactic)
            self.plugin.on_shape_change(*described)
        elif shapes != self.shapes:
            self.plugin.configure_plugin(*([exactly(desc) for desc in side] for side in described))
        self.shapes = shapes
        status = self.plugin.enqueue(*described, list(inputs), list(outputs), workspace, stream)
        if status not in (None, 0):
            raise PluginError(f"{op.name}: the plugin's enqueue returned {status}")


def exactly(desc: PluginTensorDesc) -> DynamicPluginTensorDesc:
    """A tensor whose smallest, likeliest and largest dims are those that it has."""
    return DynamicPluginTensorDesc(desc, desc.dims, desc.dims, desc.dims)


def descriptions(values: Sequence[Value]) -> list[PluginTensorDesc]:
    return [
        PluginTensorDesc(value.shape, value.dtype, TensorFormat.LINEAR, float(value.scale) if value.scale else 1.0)
        for value in values
    ]


@evaluates("plugin", stored=True)
def plugin(op: Op, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
    """Call the plugin with addresses of host memory. Sizes that it declares are read from its size outputs."""
    arrays = [np.ascontiguousarray(array) for array in inputs if array is not None]
    values = [Value(v.name, v.dtype, a.shape, v.scale, data=a) for v, a in zip(op.present, arrays, strict=True)]
    bounds = [[evaluate(tree, values, upper=True) for tree in trees] for trees in op.attrs["shapes"]]
    results = [np.zeros(shape, NUMPY_TYPES[v.dtype]) for shape, v in zip(bounds, op.outputs, strict=True)]
    outs = [v.like(v.name, shape=a.shape) for v, a in zip(op.outputs, results, strict=True)]
    concrete = Op(op.kind, op.name, values, outs, op.attrs)
    workspace = np.zeros(max(1, op.attrs.get("workspace", 0)), np.uint8)
    addresses = [[array.ctypes.data for array in side] for side in (arrays, results)]
    Runner(concrete).enqueue(concrete, *addresses, workspace.ctypes.data, 0)
    return tuple(cut(array, trees, results) for array, trees in zip(results, op.attrs["shapes"], strict=True))


def cut(array: np.ndarray, trees: list, results: list[np.ndarray]) -> np.ndarray:
    """An output without what lies beyond its declared sizes: the plugin writes them to other outputs.

    Elements lie as for the final shape, so the front of the memory is reshaped.
    """
    shape = [
        int(results[t[1]].reshape(-1)[0]) if t[0] == "size" else n for t, n in zip(trees, array.shape, strict=True)
    ]
    return array.reshape(-1)[: int(np.prod(shape))].reshape(shape) if list(array.shape) != shape else array
