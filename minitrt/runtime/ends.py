"""Where an engine on a GPU meets its caller: inputs and outputs in device memory, and sizes known when it has run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitrt.device.driver import Memory, download
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.plugins.exprs import largest_shape
from minitrt.plugins.running import Runner
from minitrt.runtime.execution import place_for


def give_outputs(context: Any, stream: int) -> None:
    """Ask output allocators for memory, of the size that follows from the shapes.

    An output whose size only running tells gets what its plugin can fill, else nothing yet.
    """
    graph = context._specialised()
    asked = [value for value in graph.outputs if value.name in context._allocators or -1 in value.shape]
    makers = graph.producers() if asked else {}  # which a run that has its memory need not look for
    for value in asked:
        shape = largest_shape(makers[value], value) if -1 in value.shape else value.shape
        if -1 not in shape:
            place_for(context, value, shape, value.like(value.name, shape=shape).nbytes, stream)


class PluginCall:
    """One plugin on device addresses. Outputs are described with the sizes that they have at most; what the plugin
    tells of them is read when it has run."""

    def __init__(self, op: Op, address: Callable[[Value], int], context: Any):
        self.op, self.address, self.context = op, address, context
        self.runner, self.scratch = Runner(op), Memory(op.attrs.get("workspace", 0))
        outputs = [value.like(value.name, shape=largest_shape(op, value)) for value in op.outputs]
        self.bounded = Op(op.kind, op.name, op.inputs, outputs, op.attrs, op.origin)

    def enqueue(self, stream: int) -> None:
        ins, outs = ([self.address(value) for value in side] for side in (self.op.present, self.op.outputs))
        self.runner.enqueue(self.bounded, ins, outs, self.scratch.address, stream)
        for value, bounded, trees in zip(self.op.outputs, self.bounded.outputs, self.op.attrs["shapes"], strict=True):
            allocator = self.context._allocators.get(value.name)
            if -1 in value.shape and allocator is not None:
                pairs = zip(trees, bounded.shape, strict=True)
                sizes = [self.told(tree[1], outs, stream) if tree[0] == "size" else most for tree, most in pairs]
                allocator.notify_shape(value.name, tuple(sizes))

    def told(self, index: int, addresses: list[int], stream: int) -> int:
        """The number in the plugin's output `index`."""
        dtype = NUMPY_TYPES[self.op.outputs[index].dtype]
        return int(download(addresses[index], np.empty(1, dtype), stream)[0])
