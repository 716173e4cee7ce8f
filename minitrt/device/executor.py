"""Runs the steps of an engine on one device: addresses put in, launched one by one or replayed as CUDA graphs.

A step without a kernel is computed on the host by the function it brings; graphs then end before it and go on after.
Everything is enqueued on the caller's stream. Only a host step waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from minitrt.device.driver import Event, call, download, upload
from minitrt.device.graph import Graph, capture
from minitrt.device.launches import BoundLaunch, Kernels, MapTable, bind
from minitrt.tactics.contract import Argument, Launch, Packed, Tensor, Workspace

HostFunction = Callable[[list[np.ndarray | None]], list[np.ndarray]]


@dataclass(frozen=True)
class Place:
    """A value in device memory: its name, and how its elements lie (shape as stored)."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype


@dataclass(frozen=True, eq=False)
class Step:
    """One operation of an engine.

    name:      the layer's.
    launches:  of its tactic; empty for a host step.
    inputs:    values, None where an optional one is absent; outputs: values.
    constants: Packed name -> address; workspace: address of the operation's scratch memory.
    host:      arrays as stored -> arrays as stored, for an operation that no kernel computes.
    """

    name: str
    launches: tuple[Launch, ...]
    inputs: tuple[Place | None, ...]
    outputs: tuple[Place, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    workspace: int = 0
    host: HostFunction | None = None

    def resolver(self, addresses: Mapping[str, int]) -> Callable[[Argument], int]:
        """Argument -> address, with the values at `addresses` (by name)."""

        def resolve(argument: Argument) -> int:
            if isinstance(argument, Packed):
                return self.constants[argument.name]
            if isinstance(argument, Workspace):
                return self.workspace + argument.offset_bytes
            assert isinstance(argument, Tensor)
            place = (self.inputs if argument.role == "input" else self.outputs)[argument.index]
            return addresses[place.name] + argument.offset_bytes

        return resolve


class Executor:
    """Steps in order. `bind` before `enqueue`, and again whenever an address changes."""

    def __init__(self, steps: Sequence[Step], kernels: Kernels, use_graphs: bool = True) -> None:
        self.steps, self.kernels, self.use_graphs = tuple(steps), kernels, use_graphs
        self._addresses: dict[str, int] = {}
        self._bound: list[tuple[Step, list[BoundLaunch]]] = []
        self._maps: MapTable | None = None
        self._parts: list[Graph | list[BoundLaunch] | Step] = []

    @property
    def host_steps(self) -> list[str]:
        """Names of the steps that no kernel computes."""
        return [step.name for step in self.steps if step.host is not None]

    def bind(self, addresses: Mapping[str, int]) -> None:
        """Put addresses in and capture the graphs. Does nothing where no address has changed."""
        if self._bound and self._addresses == dict(addresses):
            return
        self._addresses = dict(addresses)
        launches = [(launch, step.resolver(addresses)) for step in self.steps for launch in step.launches]
        bound, self._maps = bind(launches, self.kernels)
        each = iter(bound)
        self._bound = [(step, [next(each) for _ in step.launches]) for step in self.steps]
        self._parts = []
        for on_host, run in groupby(self._bound, key=lambda pair: pair[0].host is not None):
            pairs = list(run)
            if on_host:
                self._parts += [step for step, _ in pairs]
            elif flat := [launch for _, launches in pairs for launch in launches]:
                self._parts.append(capture(flat) if self.use_graphs else flat)

    def enqueue(self, stream: int) -> None:
        """Put the whole run on a stream."""
        for part in self._parts:
            if isinstance(part, Graph):
                part.launch(stream)
            elif isinstance(part, Step):
                self._on_host(part, stream)
            else:
                for launch in part:
                    launch.enqueue(stream)

    def profile(self, stream: int) -> list[tuple[str, float]]:
        """Run once, step by step, with events between: (name, microseconds) each. Steps do not overlap then."""
        events = [Event().record(stream)]
        for step, launches in self._bound:
            if step.host is not None:
                self._on_host(step, stream)
            for launch in launches:
                launch.enqueue(stream)
            events.append(Event().record(stream))
        pairs = zip(self.steps, events[1:], events, strict=False)
        return [(step.name, end.us_since(begin)) for step, end, begin in pairs]

    def _on_host(self, step: Step, stream: int) -> None:
        inputs = [
            None if place is None else download(self._addresses[place.name], np.empty(place.shape, place.dtype), stream)
            for place in step.inputs
        ]
        for place, array in zip(step.outputs, step.host(inputs), strict=False):
            stored = np.ascontiguousarray(array, place.dtype)
            assert stored.shape == place.shape, f"{step.name}: {place.name} is {place.shape}, computed {stored.shape}"
            upload(self._addresses[place.name], stored, stream)
            call("cuStreamSynchronize", stream)  # `stored` must outlive the copy
