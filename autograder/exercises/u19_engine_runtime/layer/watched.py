"""A plugin behind glass: what it raises in a run is kept, and while it runs, one knows which memory it may touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import minitrt as trt

Memory = Callable[[dict[int, int]], AbstractContextManager[None]]  # address -> how many numbers lie there


class WatchedCreator(trt.IPluginCreatorV3One):
    """A creator under the same key. memory: entered around each enqueue."""

    def __init__(self, creator: Any, memory: Memory) -> None:
        super().__init__()
        self.creator, self.memory = creator, memory
        self.name, self.plugin_version = creator.name, creator.plugin_version
        self.plugin_namespace, self.field_names = creator.plugin_namespace, creator.field_names

    def create_plugin(self, name: str, field_collection: Any, phase: Any) -> Any:
        return WatchedPlugin(self.creator.create_plugin(name, field_collection, phase), self.memory)


class WatchedPlugin(trt.IPluginV3):
    """A plugin whose runtime side is watched."""

    def __init__(self, plugin: Any, memory: Memory) -> None:
        super().__init__()
        self.plugin, self.memory = plugin, memory

    def get_capability_interface(self, type: Any) -> Any:
        side = self.plugin.get_capability_interface(type)
        return WatchedRuntime(side, self.memory) if type == trt.PluginCapabilityType.RUNTIME else side

    def clone(self) -> Any:
        return WatchedPlugin(self.plugin.clone(), self.memory)


class WatchedRuntime:
    """A runtime side, as it is but for enqueue."""

    def __init__(self, side: Any, memory: Memory) -> None:
        self.side, self.memory = side, memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self.side, name)

    def attach_to_context(self, context: Any) -> Any:
        attached = self.side.attach_to_context(context)
        return None if attached is None else WatchedPlugin(attached, self.memory)

    def enqueue(
        self, input_desc: Sequence, output_desc: Sequence, inputs: Sequence, outputs: Sequence, *rest: Any
    ) -> Any:
        """Run, in memory that is known."""
        described = zip((*input_desc, *output_desc), (*inputs, *outputs), strict=True)
        with self.memory({address: trt.volume(desc.dims) for desc, address in described}):
            return self.side.enqueue(input_desc, output_desc, inputs, outputs, *rest)
