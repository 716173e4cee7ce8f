"""Weak typing, which TensorRT 11 removed: INT8 from a calibrator or dynamic ranges, FP16 where the builder likes it."""

from __future__ import annotations

from typing import Any

from minitrt.api.logger import Reporter
from minitrt.builder.config import IBuilderConfig
from minitrt.graph.ir import Graph
from minitrt.network.definition import INetworkDefinition


def apply_weak_typing(
    graph: Graph, network: INetworkDefinition, config: IBuilderConfig, report: Reporter
) -> dict[str, Any]:
    """Change types in `graph` as flags, calibrator and ranges say. Returns what a refit needs to do it again."""
    return {}
