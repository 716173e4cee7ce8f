"""The page: what is shown, as data, with style and program in one file that needs no other.

Layouts are made by dagre (MIT licence), which is vendored as it was published; its licence lies beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from minitrt.builder.stages import Stages, described
from minitrt.graph.ir import Graph
from minitrt.trtexec.plots import Ceilings, Layer, layer_of

DAGRE = "vendored/dagre-3.1.3.min.js"
PROGRAM = ("graph.js", "draw.js", "panels.js", "main.js")


def write(path: str, title: str, engine: Any, concrete: Graph, stages: Stages | None = None,
          times: Mapping[str, Sequence[float]] | None = None, limits: Ceilings | None = None) -> None:  # fmt: skip
    """The page of an engine.

    concrete: its graph with the sizes of a run; stages: of its build, where that was watched; times: milliseconds of
    each run, by layer; limits: what the GPU allows. Raises: OSError.
    """
    data = page_data(title, engine, concrete, stages, times, limits)
    Path(path).write_text(html(data), encoding="utf-8")


def page_data(title: str, engine: Any, concrete: Graph, stages: Stages | None, times: Any, limits: Any) -> dict:
    """All that the page shows: nodes, and the stages that they are in, of which the last is the engine."""
    nodes, shown = (list(stages.nodes), list(stages.stages)) if stages else ([], [])
    tactics = {choice.op: choice.tactic for choice in engine._plan.profiles[0].choices}
    first = len(nodes)
    nodes += [layer_data(op, tactics.get(op.name, ""), times, limits) for op in concrete.ops]
    shown.append({"name": "the engine", "nodes": list(range(first, len(nodes)))})
    ends = {name: [value.name for value in side] for name, side in
            (("inputs", concrete.inputs), ("outputs", concrete.outputs))}  # fmt: skip
    device = engine._plan.device.name if engine._plan.device else "NumPy reference, no GPU"
    return {"title": title, "device": device, "nodes": nodes, "stages": shown, **ends, "whyNot": engine.why_not()}


def layer_data(op: Any, tactic: str, times: Any, limits: Ceilings | None) -> dict[str, Any]:
    """A layer of the engine: what every operation has, and tactic, bytes, operations, time, share of the roofline."""
    measured = (times or {}).get(op.name)
    ms = float(np.mean(measured)) if measured is not None and len(measured) else None
    found = described(op) | {"tactic": tactic}
    if any(-1 in value.shape for value in (*op.present, *op.outputs)):
        return found | ({} if ms is None else {"us": round(1e3 * ms, 3)})
    layer = layer_of(op, ms or 0.0)
    found |= {"bytes": int(layer.nbytes), "operations": int(layer.operations)}
    if ms is not None:
        found["us"] = round(1e3 * ms, 3)
    if ms and limits is not None:
        found["share"] = round(least_ms(layer, limits) / ms, 4)
    return found


def least_ms(layer: Layer, limits: Ceilings) -> float:
    """What the GPU's data sheet says that a layer takes at least, in milliseconds."""
    peak = limits.int8 * {"INT8": 1.0, "HALF": 0.5}.get(layer.element, 0.0)
    return 1e3 * max(layer.nbytes / limits.bandwidth, layer.operations / peak if peak else 0.0)


def html(data: dict[str, Any]) -> str:
    """The page of what `page_data` gives. Text of a model cannot end the script that it lies in."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {"style": own("viewer.css"), "dagre": own(DAGRE), "program": "\n".join(map(own, PROGRAM)), "data": text}
    head, *rest = own("viewer.html").split("%%")
    return head + "".join(parts.get(piece, piece) for piece in rest)


@cache
def own(name: str) -> str:
    return (files("minitrt.viewer") / name).read_text(encoding="utf-8")
