"""Each layer of an engine: its tactic, the time the tuner measured, and the share of what the hardware would allow."""

from __future__ import annotations

import json
import math
from typing import Any

from benchmarks.engine.engines import without_weights
from minitrt.graph.ir import LINEAR, Op
from minitrt.graph.quantised import unquantised
from minitrt.graph.shortcut import parted
from minitrt.graph.tail import unchained
from minitrt.tactics.contract import signature
from minitrt.tactics.geometry import of

BANDWIDTH = 4.2e12  # bytes a second: a large copy on an H200
PEAK = {"INT8": 1925e12, "HALF": 940e12}  # operations a second: wgmma in a loop (INT8 measured, FP16 half of it)


def table(engine: Any, cache: bytes) -> list[dict[str, Any]]:
    """A row a layer. time_us: alone, inputs rotated through more than L2, in a graph; None where it was not timed."""
    profile, times = engine._plan.profiles[0], json.loads(cache)["times"]
    rows = []
    for op, choice in zip(profile.graph.ops, profile.choices, strict=True):
        time_us = times.get(signature(as_timed(op)), {}).get(choice.tactic)
        floor_us, bound = limit(op)
        rows.append({
            "layer": label(op),
            "tactic": choice.tactic,
            "time_us": time_us,
            "floor_us": round(floor_us, 2),
            "bound": bound,
            "share": round(floor_us / time_us, 2) if time_us else None,
        })  # fmt: skip
    return rows


def label(op: Op) -> str:
    """The last layer that an operation stands for; of one that took over others, all but their weights."""
    joint = any(op.attrs.get(attribute) for attribute in ("pool", "shortcut", "tail", "quantised"))
    return without_weights(op.name) if joint else op.name.split(" + ")[-1]


def as_timed(op: Op) -> Op:
    """The operation as the tuner saw it, before layouts were chosen."""
    plain = [None if value is None else value.like(value.name, layout=LINEAR, data=value.data) for value in op.inputs]
    return Op(op.kind, op.name, plain, [value.like(value.name, layout=LINEAR) for value in op.outputs], op.attrs)


def parts_of(op: Op) -> list[Op]:
    """The operation, or the convolutions that one stands for."""
    head, tail = unchained(unquantised(op)[1])
    return [part for part in (*parted(head), tail) if part is not None]


def limit(op: Op) -> tuple[float, str]:
    """(microseconds, "bytes" or "operations"): the fewest bytes through memory, and the products at full rate."""
    moved = sum(value.nbytes for value in (*op.present, *op.outputs) if value is not None)
    geometries = [(of(part), part.inputs[0]) for part in parts_of(op) if of(part) is not None]
    if not geometries:
        return 1e6 * moved / BANDWIDTH, "bytes"
    for geometry, x in geometries:
        if geometry.taps == 1 and geometry.stride != (1, 1):  # the other pixels are never read
            moved -= x.nbytes * (1 - geometry.pixels / (geometry.images * geometry.size[0] * geometry.size[1]))
    peak = PEAK.get(parts_of(op)[0].inputs[0].dtype.name, PEAK["HALF"])
    pool = op.attrs.get("pool") or {"stride": [1]}
    unpooled = math.prod(pool["stride"])  # pixels of the product for each that is left
    operations = unpooled * sum(geometry.operations for geometry, _ in geometries)
    by_bytes, by_operations = moved / BANDWIDTH, operations / peak
    return 1e6 * max(by_bytes, by_operations), "bytes" if by_bytes > by_operations else "operations"
