"""A graph with the actual shapes put in: what the builder tunes for a profile, and what the runtime runs.

Along the way the elements of shape tensors are computed, since shapes further on depend on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from minitrt.graph.ir import DATA_TYPES, Graph, Op, Value
from minitrt.reference import run_op
from minitrt.shapes.dims import is_open, product
from minitrt.shapes.elements import open_elements
from minitrt.shapes.inference import FLEXIBLE, infer
from minitrt.shapes.misfits import UnknownShape
from minitrt.shapes.settling import settle
from minitrt.shapes.size import Undecided

SMALL = 4096  # elements; larger tensors do not decide shapes
SHAPE_ONLY = ("shape_of", "size_of")  # need their input's shape, not its elements


def specialise(
    graph: Graph,
    shapes: dict[str, tuple[int, ...]],
    elements: dict[str, np.ndarray] | None = None,
    tuning: bool = False,
) -> Graph:
    """A copy of `graph` with concrete shapes and settled attributes; constants are shared, not copied.

    shapes: of inputs whose shape has a -1. elements: of inputs that are shape tensors. A shape that depends on elements
    which only running gives keeps its -1, and whoever reads it `waits`. tuning: where a condition is not known yet,
    and one branch alone fits, that one is taken.
    Raises: ValueError where shapes do not fit, naming the operation.
    """
    check_names(graph, shapes)
    made: dict[Value, Value] = {}
    inputs = []
    for value in graph.inputs:
        shape = tuple(shapes.get(value.name, value.shape))
        data = (elements or {}).get(value.name)
        made[value] = value.like(value.name, shape=shape, data=data, host=value.host)
        inputs.append(made[value])
    if any(op.kind == "choice" for op in graph.ops):
        graph, ops = taken(graph, made, tuning)
    else:
        ops = [specialised(op, made) for op in graph.ops]
    outputs = [made.get(value, value) for value in graph.outputs]
    return pruned(Graph(graph.name, ops, inputs, outputs), graph)


def taken(graph: Graph, made: dict[Value, Value], tuning: bool) -> tuple[Graph, list[Op]]:
    """The operations that outputs need once branches are chosen, and their copies. What does not fit in a branch that
    is not taken is no error. Raises: ValueError for what does not fit elsewhere."""
    copies: dict[Op, Op] = {}
    wrong: dict[Value, ValueError] = {}
    for op in graph.ops:
        fitting = [value for value in op.inputs[1:] if value is not None and value not in wrong]
        try:
            if tuning and op.kind == "choice" and len(fitting) == 1:
                copies[op] = identity(op, fitting[0], op.outputs)
            copies[op] = specialised(copies.get(op, op), made, wrong)
        except ValueError as error:
            wrong |= dict.fromkeys(op.outputs, error)
    makers, needed = graph.producers(), set()
    stack = [*graph.outputs, *(value for op in graph.ops if op.kind == "assertion" for value in op.outputs)]
    while stack:
        value = stack.pop()
        if value in wrong:
            raise wrong[value]
        op = makers.get(value)
        if op is not None and op not in needed:
            needed.add(op)
            copy = copies[op]  # of a branch that is chosen, it reads that one alone
            stack += op.present if copy.kind == op.kind else [v for v in op.present if made.get(v, v) in copy.inputs]
    ops = [op for op in graph.ops if op in needed]
    return Graph(graph.name, ops, graph.inputs, graph.outputs), [copies[op] for op in ops]


def check_names(graph: Graph, shapes: dict[str, tuple[int, ...]]) -> None:
    """Raises: ValueError where dimensions of one name have two sizes: everything is built on their being one."""
    for name, places in graph.equal.items():
        sizes = {f"axis {axis} of {of}": shapes[of][axis] for of, axis in places if of in shapes}
        if len(set(sizes.values())) > 1:
            found = " and ".join(f"{n} in {place}" for place, n in sizes.items())
            raise ValueError(
                f"dimension {name!r} is {found}: dimensions of one name must be equal. Give them one size, or other"
                " names (dim_param in an ONNX file, ITensor.set_dimension_name)"
            )


def waits(op: Op) -> bool:
    """Whether the sizes of an operation (with concrete shapes where there are such) are known only when what is before
    it has run: it finds out how many elements there are, or reads as many as another did."""
    values = op.inputs if op.kind == "plugin" else (*op.inputs, *op.outputs)  # a plugin says how large it can be
    return op.kind in FLEXIBLE or "dynamic" in op.attrs or any(v is not None and -1 in v.shape for v in values)


def pruned(concrete: Graph, general: Graph) -> Graph:
    """Without the operations that only served to work out shapes: their results are attributes and constants now."""
    wanted = set(concrete.outputs)
    for op, before in zip(concrete.ops, general.ops, strict=True):
        as_before = "dynamic" in op.attrs or op.kind != before.kind
        settled = set() if as_before else set((before.attrs.get("dynamic") or {}).values())
        op.inputs = [None if index in settled else value for index, value in enumerate(op.inputs)]
        while op.inputs and op.inputs[-1] is None and len(op.inputs) > 1 and settled:
            op.inputs.pop()
    concrete.ops = [op for op in concrete.ops if not all(v.is_constant for v in op.outputs) or wanted & {*op.outputs}]
    return concrete


def specialised(op: Op, made: dict[Value, Value], wrong: Mapping[Value, ValueError] = MappingProxyType({})) -> Op:
    """The copy of one operation; its outputs are entered in `made`. A choice that is made is an identity.

    wrong: why values have no copy. Raises: ValueError where the operation does not fit, or needs one of those.
    """
    inputs = [made.get(value, value) if value is not None else None for value in op.inputs]
    outputs = [value.like(value.name, host=value.host, pitch=value.pitch) for value in op.outputs]
    copy = Op(op.kind, op.name, inputs, outputs, dict(op.attrs), op.origin)
    made.update(zip(op.outputs, outputs, strict=True))
    needed = op.present
    if op.kind == "choice" and (taken := branch_of(copy)):
        copy, needed = identity(op, inputs[taken], outputs), [op.inputs[taken]]
    for value in needed:
        if value in wrong:
            raise wrong[value]
    unknown = any(-1 in value.shape for value in copy.present) or op.kind in FLEXIBLE
    try:
        copy = copy if unknown else settle(copy)
    except (UnknownShape, Undecided):
        unknown = True
    if unknown:
        return copy
    try:
        results = infer(copy)
    except (UnknownShape, Undecided):
        return copy
    for value, (shape, dtype) in zip(outputs, results, strict=False):
        value.shape, value.dtype = shape, dtype
    for value, array in zip(outputs, elements_of(copy) or [], strict=False):
        value.data, value.shape, value.dtype = array, array.shape, DATA_TYPES.get(array.dtype, value.dtype)
    return copy


def branch_of(op: Op) -> int | None:
    """Which input a choice takes, None while that is not known. Raises: ValueError where it has none for it."""
    try:
        condition = settle(op).attrs["condition"]
    except (UnknownShape, Undecided):
        return None
    if not isinstance(condition, int):
        return None
    index = 1 if condition else 2
    if op.input(index) is None:
        raise ValueError(f"{op.name}: {op.attrs['message']}")
    return index


def identity(op: Op, source: Value, outputs: list[Value]) -> Op:
    program = [["identity", ["x0"], source.dtype.name]]
    return Op("pointwise", op.name, [source], outputs, {"program": program}, op.origin)


def elements_of(op: Op) -> list[np.ndarray] | None:
    """The results of a small operation all of whose inputs have elements, known or open; else None."""
    if op.kind in SHAPE_ONLY:
        return [sizes_of(op)]
    if op.kind in ("random_mask", "plugin") or not all(value.is_constant for value in op.present):
        return None
    if is_open(*(value.shape for value in op.outputs)) or sum(v.size for v in (*op.present, *op.outputs)) > SMALL:
        return None
    if any(value.data.dtype == object for value in op.present):
        return open_elements(op)
    return run_op(op, [value if value is None else value.data for value in op.inputs])


def sizes_of(op: Op) -> np.ndarray:
    """What shape_of and size_of give, int64 unless some of it is known only at run time."""
    shape = op.inputs[0].shape
    found = shape[op.attrs.get("start", 0) : op.attrs.get("end")] if op.kind == "shape_of" else product(shape)
    return np.array(found, object if is_open(found) else np.int64)
