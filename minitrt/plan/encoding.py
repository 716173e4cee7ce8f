"""A plan as bytes and back: magic, version, checksum, one JSON document, then blobs aligned to 256 bytes.

    offset  bytes  what
    0       8      b"MINITRT1"
    8       4      CRC-32 of everything from byte 12 on
    12      4      length of the JSON document
    16      ...    the JSON document, then zeros up to a multiple of 256, then the blobs

Equal plans give equal bytes: keys are sorted, equal blobs are stored once, nothing depends on a time or an address.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import struct
import zlib
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.api.weights import IHostMemory
from minitrt.graph.ir import NUMPY_TYPES, Graph, Op, Value
from minitrt.graph.recipe import Recipe, held
from minitrt.plan.plan import VERSION, Choice, Plan, Profile
from minitrt.reference import run_op
from minitrt.tactics import contract
from minitrt.tactics.contract import Device, KernelKey, Launch, Packed

MAGIC = b"MINITRT1"
ALIGNMENT = 256
HEAD = struct.Struct("<8sII")
ARGUMENTS = {
    cls.__name__: cls
    for cls in (contract.Tensor, contract.Scalar, contract.Workspace, contract.TensorMap, contract.Direction)
}


class PlanError(ValueError):
    """Bytes that are no plan, or one that cannot run here."""


class Blobs:
    """Arrays of a plan, each stored once. parts: their memory, not copied, with zeros between them."""

    def __init__(self):
        self.parts: list[bytes | memoryview] = []
        self.table: list[dict[str, Any]] = []
        self.seen: dict[tuple, int] = {}
        self.offset = 0

    def add(self, array: np.ndarray) -> int:
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        key = str(array.dtype), array.shape, hashlib.blake2b(data).digest()
        if key not in self.seen:
            self.seen[key] = len(self.table)
            entry = {"offset": self.offset, "bytes": len(data), "dtype": str(array.dtype), "shape": list(array.shape)}
            self.table.append(entry)
            self.parts += [data, bytes(-len(data) % ALIGNMENT)]
            self.offset += len(data) + len(self.parts[-1])
        return self.seen[key]


def encode(plan: Plan, with_weights: bool = True) -> IHostMemory:
    """The bytes of a plan, the only copy of its weights that is made. with_weights: False leaves refittable constants
    out, to be refitted later."""
    blobs = Blobs()
    document = {
        "version": VERSION,
        "name": plan.name,
        "device": dataclasses.asdict(plan.device) if plan.device else None,
        "flags": sorted(plan.flags),
        "verbosity": plan.verbosity,
        "tactic_sources": plan.tactic_sources,
        "hardware": plan.hardware,
        "settings": plan.settings,
        "profiles": [encoded_profile(profile, blobs, with_weights) for profile in plan.profiles],
        "original": encoded_graph(plan.original, blobs, with_weights) if plan.original else None,
        "cubins": {
            digest: {"blob": blobs.add(np.frombuffer(code, np.uint8)), "entry": entry}
            for digest, (code, entry) in sorted(plan.cubins.items())
        },
    }
    document["blobs"] = blobs.table
    text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    parts = [struct.pack("<I", len(text)), text, bytes(-(HEAD.size + len(text)) % ALIGNMENT), *blobs.parts]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return IHostMemory.of([MAGIC, struct.pack("<I", checksum), *parts])


def encoded_profile(profile: Profile, blobs: Blobs, with_weights: bool) -> dict[str, Any]:
    return {
        "graph": encoded_graph(profile.graph, blobs, with_weights),
        "choices": [encoded_choice(choice, blobs, with_weights) for choice in profile.choices],
        "shapes": {name: [list(shape) for shape in triple] for name, triple in profile.shapes.items()},
        "elements": profile.elements,
        "arena_bytes": profile.arena_bytes,
    }


def encoded_graph(graph: Graph, blobs: Blobs, with_weights: bool) -> dict[str, Any]:
    values = graph.values()
    number = {value: index for index, value in enumerate(values)}

    def numbers(some) -> list[int | None]:
        return [None if value is None else number[value] for value in some]

    return {
        "name": graph.name,
        "values": [encoded_value(value, blobs, with_weights) for value in values],
        "ops": [[op.kind, op.name, numbers(op.inputs), numbers(op.outputs), op.attrs, op.origin] for op in graph.ops],
        "inputs": numbers(graph.inputs),
        "outputs": numbers(graph.outputs),
        "kept": numbers(value for value in graph.kept if value in number),
        "equal": {name: [list(place) for place in places] for name, places in graph.equal.items()},
    }


def encoded_value(value: Value, blobs: Blobs, with_weights: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": value.name, "dtype": value.dtype.name, "shape": list(value.shape)}
    if value.scale is not None:
        entry["scale"] = blobs.add(value.scale) if isinstance(value.scale, np.ndarray) else {"number": value.scale}
        entry["axis"] = value.axis
    elements = held(value)
    if elements is not None and not with_weights and value.weights is not None:
        entry["data"] = "stripped"
    elif isinstance(elements, Recipe):
        op = elements.op
        made_of = [None if each is None else encoded_value(each, blobs, with_weights) for each in op.inputs]
        entry["data"] = {"kind": op.kind, "name": op.name, "attrs": op.attrs, "inputs": made_of}
    elif elements is not None:
        entry["data"] = blobs.add(elements)
    for key in ("layout", "host", "range", "weights", "pitch"):
        if getattr(value, key) != getattr(Value, key, None):
            entry[key] = getattr(value, key)
    return entry


def encoded_choice(choice: Choice, blobs: Blobs, with_weights: bool) -> dict[str, Any]:
    launches = [encoded_launch(launch, blobs) for launch in choice.launches] if with_weights else []
    return {"op": choice.op, "tactic": choice.tactic, "launches": launches, "workspace_bytes": choice.workspace_bytes}


def encoded_launch(launch: Launch, blobs: Blobs) -> dict[str, Any]:
    return {
        "factory": launch.kernel.factory,
        "constants": dict(launch.kernel.constants),
        "args": [encoded_argument(argument, blobs) for argument in launch.args],
        **{key: getattr(launch, key) for key in ("grid", "block", "shared_bytes", "cluster", "dependent")},
    }


def encoded_argument(argument: Any, blobs: Blobs) -> dict[str, Any]:
    if isinstance(argument, Packed):
        return {"is": "Packed", "name": argument.name, "blob": blobs.add(argument.data)}
    fields = {field.name: getattr(argument, field.name) for field in dataclasses.fields(argument)}
    if "of" in fields:
        fields["of"] = encoded_argument(fields["of"], blobs)
    return {"is": type(argument).__name__, **fields}


# --- and back ------------------------------------------------------------------------------------------------------


def decode(data: bytes) -> Plan:
    """The plan of these bytes; constants are views of them.

    Raises: PlanError for bytes that are no plan, are damaged, or come from another version.
    """
    data = memoryview(data)
    if len(data) < HEAD.size or bytes(data[:8]) != MAGIC:
        raise PlanError("these bytes are no engine of minitrt. Build one with Builder.build_serialized_network.")
    _, checksum, length = HEAD.unpack_from(data)
    if zlib.crc32(data[12:]) != checksum:
        raise PlanError("the engine is damaged: its checksum does not fit. Build it again, or copy it again.")
    document = json.loads(bytes(data[HEAD.size : HEAD.size + length]))
    if document["version"] != VERSION:
        message = f"the engine is of version {document['version']}, and this is {VERSION}. Build it with this version."
        raise PlanError(message)
    start = HEAD.size + length
    start += -start % ALIGNMENT
    arrays = [array_at(data, start, entry) for entry in document["blobs"]]
    device = document["device"]
    if device:
        device = Device(**{**device, "compute_capability": tuple(device["compute_capability"])})
    original = document["original"]
    missing = [v["weights"] for v in original["values"] if v.get("data") == "stripped"] if original else []
    return Plan(
        missing=missing,
        name=document["name"],
        profiles=[decoded_profile(entry, arrays) for entry in document["profiles"]],
        device=device,
        flags=document["flags"],
        verbosity=document["verbosity"],
        cubins={key: (arrays[entry["blob"]].tobytes(), entry["entry"]) for key, entry in document["cubins"].items()},
        original=decoded_graph(document["original"], arrays) if document["original"] else None,
        tactic_sources=document["tactic_sources"],
        hardware=document["hardware"],
        settings=document["settings"],
    )


def array_at(data: memoryview, start: int, entry: dict[str, Any]) -> np.ndarray:
    begin = start + entry["offset"]
    return np.frombuffer(data[begin : begin + entry["bytes"]], entry["dtype"]).reshape(entry["shape"])


def decoded_profile(entry: dict[str, Any], arrays: list[np.ndarray]) -> Profile:
    return Profile(
        graph=decoded_graph(entry["graph"], arrays),
        choices=[decoded_choice(choice, arrays) for choice in entry["choices"]],
        shapes={name: tuple(tuple(shape) for shape in triple) for name, triple in entry["shapes"].items()},
        elements=entry["elements"],
        arena_bytes=entry["arena_bytes"],
    )


def decoded_graph(entry: dict[str, Any], arrays: list[np.ndarray]) -> Graph:
    values = [decoded_value(value, arrays) for value in entry["values"]]

    def some(numbers: list[int | None]) -> list[Value | None]:
        return [None if number is None else values[number] for number in numbers]

    ops = [
        Op(kind, name, some(ins), some(outs), attrs, origin) for kind, name, ins, outs, attrs, origin in entry["ops"]
    ]
    graph = Graph(entry["name"], ops, some(entry["inputs"]), some(entry["outputs"]))
    graph.kept = some(entry["kept"])
    graph.equal = {name: [tuple(place) for place in places] for name, places in entry.get("equal", {}).items()}
    return graph


def decoded_value(entry: dict[str, Any], arrays: list[np.ndarray]) -> Value:
    value = Value(entry["name"], DataType[entry["dtype"]], tuple(entry["shape"]))
    if "scale" in entry:
        scale = entry["scale"]
        value.scale = scale["number"] if isinstance(scale, dict) else arrays[scale]
        value.axis = entry["axis"]
    if "data" in entry:
        value.data = decoded_elements(value, entry["data"], arrays)
    for key in ("layout", "host", "weights", "pitch"):
        if key in entry:
            setattr(value, key, entry[key])
    value.range = tuple(entry["range"]) if entry.get("range") else None
    return value


def decoded_elements(value: Value, entry: Any, arrays: list[np.ndarray]) -> np.ndarray | Recipe:
    if entry == "stripped":
        return np.broadcast_to(np.zeros((), NUMPY_TYPES[value.dtype]), value.shape)
    if isinstance(entry, int):
        return arrays[entry]
    inputs = [None if each is None else decoded_value(each, arrays) for each in entry["inputs"]]
    made = Value(value.name, value.dtype, value.shape, value.scale, value.axis)
    return Recipe(Op(entry["kind"], entry["name"], inputs, [made], entry["attrs"]), run_op, keep=True)


def decoded_choice(entry: dict[str, Any], arrays: list[np.ndarray]) -> Choice:
    launches = [decoded_launch(launch, arrays) for launch in entry["launches"]]
    return Choice(entry["op"], entry["tactic"], launches, entry["workspace_bytes"])


def decoded_launch(entry: dict[str, Any], arrays: list[np.ndarray]) -> Launch:
    key = KernelKey.of(entry["factory"], **{name: as_tuples(value) for name, value in entry["constants"].items()})
    args = tuple(decoded_argument(argument, arrays) for argument in entry["args"])
    shape = {name: tuple(entry[name]) for name in ("grid", "block", "cluster")}
    return Launch(key, args=args, shared_bytes=entry["shared_bytes"], dependent=entry["dependent"], **shape)


def decoded_argument(entry: dict[str, Any], arrays: list[np.ndarray]) -> Any:
    fields = dict(entry)
    name = fields.pop("is")
    if name == "Packed":
        return Packed(fields["name"], arrays[fields["blob"]])
    if "of" in fields:
        fields["of"] = decoded_argument(fields["of"], arrays)
    return ARGUMENTS[name](**{key: as_tuples(value) for key, value in fields.items()})


def as_tuples(value: Any) -> Any:
    """JSON's lists as the tuples they were."""
    return tuple(as_tuples(each) for each in value) if isinstance(value, list) else value
