"""A plan: everything the runtime needs, and nothing that only the builder knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitrt.graph.ir import Graph
from minitrt.tactics.contract import Device, Launch

VERSION = "10.16.0"  # of TensorRT's API that plans speak; a plan loads where it is equal
Shapes = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # min, opt, max


@dataclass
class Choice:
    """How one operation runs. launches: at the profile's optimum; empty for a plan that makes them when it is
    loaded."""

    op: str
    tactic: str
    launches: list[Launch] = field(default_factory=list)
    workspace_bytes: int = 0
    time_us: float | None = None


@dataclass
class Profile:
    """One optimisation profile, tuned.

    shapes: input name -> min, opt, max. elements: shape tensor name -> min, opt, max of its elements.
    graph: optimised, with layouts; its shapes hold -1 where they are dynamic. choices: one an operation, in order.
    """

    graph: Graph
    choices: list[Choice]
    shapes: dict[str, Shapes] = field(default_factory=dict)
    elements: dict[str, Any] = field(default_factory=dict)
    arena_bytes: int = 0


@dataclass
class Plan:
    """name: of the network. device: None for the reference backend. flags: what the builder was asked for, by name.

    cubins: kernel digest -> (machine code, entry). original: the unoptimised graph of a refittable plan.
    verbosity: "NONE", "LAYER_NAMES_ONLY" or "DETAILED": what the inspector may tell.
    """

    name: str
    profiles: list[Profile]
    device: Device | None = None
    flags: list[str] = field(default_factory=list)
    verbosity: str = "LAYER_NAMES_ONLY"
    cubins: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    original: Graph | None = None
    tactic_sources: int = 0
    hardware: str = "NONE"
    settings: dict[str, Any] = field(default_factory=dict)  # for refitting: what the passes were told
    missing: list[str] = field(default_factory=list)  # weights that the plan was stripped of
    weight_budget: int | None = None  # bytes of constants that may lie on the device; None: all. Not in the file.
    shared: dict[str, Any] = field(default_factory=dict)  # the runtime's: what contexts of a loaded plan have in common

    @property
    def is_dynamic(self) -> bool:
        return any(-1 in value.shape for value in self.profiles[0].graph.inputs)

    def weights(self) -> dict[str, np.ndarray | None]:
        """Refittable weights by name: of the unoptimised graph, None where they were stripped."""
        graph = self.original
        named = [value for value in graph.constants() if value.weights] if graph else []
        return {value.weights: value.data for value in named}
