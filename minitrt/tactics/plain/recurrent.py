"""LSTM, GRU and simple recurrent layers by one plain kernel."""

from __future__ import annotations

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op
from minitrt.kernels.plain.recurrent import FUNCTIONS, GATES, THREADS, rooms
from minitrt.tactics.arguments import NOTHING, array, dtype_name, floats, integers, launch, of_value
from minitrt.tactics.contract import Argument, Device, Launch, Tactic, Workspace

USUAL = {"lstm": ("sigmoid", "tanh", "tanh"), "gru": ("sigmoid", "tanh"), "rnn": ("tanh",)}
X, W, R, B, LENGTHS, H, C, P = range(8)  # inputs; a GRU and a simple layer have those to H


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, where states stay floating, and both directions have the same usual activations."""
    if op.kind not in GATES or not op.output.size or not op.inputs[X].size or op.attrs.get("quantised_states"):
        return []
    lengths = op.input(LENGTHS)
    values = [op.input(index) for index in (X, W, R, B, H, C, P)] + op.outputs
    one_type = {value.dtype for value in values if value is not None} in ({DataType.FLOAT}, {DataType.HALF})
    counted = lengths is None or lengths.dtype in (DataType.INT32, DataType.INT64)
    if not one_type or not counted or functions_of(op) is None or len(op.outputs) != (3 if op.kind == "lstm" else 2):
        return []
    room = 4 * rooms(op.kind) * blocks(op) * op.attrs["hidden"]
    layouts = (LINEAR,) * len(op.inputs), (LINEAR,) * len(op.outputs)
    return [Tactic(f"plain_{op.kind}", launches, *layouts, workspace_bytes=room)]


def blocks(op: Op) -> int:
    """Sequences times directions."""
    x = op.inputs[X].shape
    return x[0 if op.attrs.get("layout") else 1] * op.inputs[W].shape[0]


def functions_of(op: Op) -> tuple[str, ...] | None:
    """The activations of a direction; None where a kernel has not all of them, or directions differ."""
    names = tuple(name.lower() for name in op.attrs.get("activations") or ()) or USUAL[op.kind]
    count = len(USUAL[op.kind])
    first = names[:count]
    usual = not op.attrs.get("alpha") and not op.attrs.get("beta") and set(first) <= FUNCTIONS.keys()
    return first if usual and names in (first, first * 2) and len(first) == count else None


def launches(op: Op) -> list[Launch]:
    x, hidden, attrs = op.inputs[X], int(op.attrs["hidden"]), op.attrs
    ways, by_image = op.inputs[W].shape[0], bool(attrs.get("layout"))
    images, time = (x.shape[0], x.shape[1]) if by_image else (x.shape[1], x.shape[0])
    size = x.shape[2]
    if by_image:  # y is (batch, time, directions, hidden), states are (batch, directions, hidden)
        strides = (size, time * size, ways * hidden, hidden, time * ways * hidden, hidden, ways * hidden)
    else:
        strides = (images * size, size, ways * images * hidden, images * hidden, hidden, images * hidden, hidden)
    places = [("input", index) for index in range(8)] + [("output", index) for index in range(3)]
    arguments = (
        *(word for place in places for word in _array(op, *place)),
        *array(Workspace(), rooms(op.kind) * blocks(op) * hidden, 4), *floats(attrs.get("clip") or 0),
        *integers(time, images, size, hidden, *strides),
    )  # fmt: skip
    grid = (blocks(op), 1, 1)
    return [launch("plain_recurrent", 0, arguments, (THREADS, 1, 1), grid, **code(op))]


def code(op: Op) -> dict[str, str | bool | tuple]:
    """What the kernel is compiled with; what it does not ask for is left out."""
    attrs, lengths = op.attrs, op.input(LENGTHS)
    given = "".join(name for name, index in (("h", H), ("c", C)) if op.input(index) is not None)
    names = {
        "clipped": bool(attrs.get("clip")),
        "coupled": op.kind == "lstm" and bool(attrs.get("input_forget")),
        "before_reset": op.kind == "gru" and bool(attrs.get("linear_before_reset")),
        "reverse": attrs.get("direction") == "reverse",
        "biased": op.input(B) is not None,
        "peeping": op.input(P) is not None,
        "given": given,
        "lengths": "" if lengths is None else dtype_name(lengths),
    }
    found = {key: value for key, value in names.items() if value}
    return {"kind": op.kind, "source": dtype_name(op.inputs[X]), "functions": functions_of(op), **found}


def _array(op: Op, role: str, index: int) -> tuple[Argument, ...]:
    """An input or output, or nothing where there is none."""
    values = op.inputs if role == "input" else op.outputs
    value = values[index] if index < len(values) else None
    if value is not None:
        return of_value(role, index, value)
    return array(NOTHING, 1, 4 if index == LENGTHS and role == "input" else NUMPY_TYPES[op.output.dtype].itemsize)
