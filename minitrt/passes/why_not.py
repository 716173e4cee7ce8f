"""Why layers do not share a kernel, where Q and DQ stayed, and why a layer is not INT8: read from the optimised graph.

Every pair of neighbours that could have shared a kernel is asked for the rule of `vertical.py` and
`pointwise_fusion.py` that forbade it; every Q and DQ that is left for what it waits for; every product of a network
with INT8 in it for what keeps it floating.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.graph.kinds import EPILOGUE_KINDS
from minitrt.passes.editing import Editor
from minitrt.passes.pipeline import CHAINS
from minitrt.passes.pointwise_fusion import MOST_INPUTS, MOST_STEPS
from minitrt.passes.qdq import MOVING
from minitrt.passes.vertical import ACTIVATIONS, activation_of, operand_beside

REAL = DataType.FLOAT, DataType.HALF
QUANTISING = ("quantize", "dequantize", "reformat")


class Reasons:
    """What was found while a graph is optimised. Attribute: sentences, in the order of the operations."""

    def __init__(self, graph: Graph):
        self.graph, self.sentences = graph, []

    def before(self, name: str) -> None:
        """Look at products before pointwise chains are joined: then their readers are layers still."""
        if name == CHAINS:
            self.sentences += pairs(Editor(self.graph, lambda message: None), EPILOGUE_KINDS, why_no_epilogue)

    def after(self) -> list[str]:
        """Look at what is left in the end. Returns all sentences."""
        editor = Editor(self.graph, lambda message: None)
        self.sentences += pairs(editor, ("pointwise",), why_no_chain)
        self.sentences += [f"{op.name}: {why_left(editor, op)}" for op in self.graph.ops if op.kind in QUANTISING]
        self.sentences += floating(editor) if has_int8(self.graph) else []
        return list(dict.fromkeys(self.sentences))


def pairs(editor: Editor, kinds: Sequence[str], why: Callable[[Op, Op], str]) -> list[str]:
    """A sentence for each operation of these kinds and each pointwise one that reads its result."""
    found = []
    for op in editor.graph.ops:
        for reader in editor.users(op.output) if op.kind in kinds else ():
            if reader.kind == "pointwise":
                found.append(f"{op.name} + {reader.name}: {why_shared(editor, op, reader) or why(op, reader)}")
    return found


def floating(editor: Editor) -> list[str]:
    """A sentence for each convolution and product that reads floats."""
    products = [op for op in editor.graph.ops if op.kind in EPILOGUE_KINDS and op.inputs[0].dtype in REAL]
    return [f"{op.name} stays in {op.inputs[0].dtype.name}: {why_floating(editor, op)}" for op in products]


def why_shared(editor: Editor, op: Op, reader: Op) -> str:
    """Who else wants the value between two operations; "" where nobody does."""
    value = op.output
    others = [user.name for user in editor.users(value) if user is not reader]
    if value in editor.graph.outputs:
        return f"{value.name}, between them, is an output of the network"
    if others:
        return f"{op.name} has {'a second reader' if len(others) == 1 else 'other readers'}, {', '.join(others)}"
    if value in editor.graph.kept:
        return f"{value.name}, between them, is kept for a debug listener"
    if reader.inputs.count(value) > 1:
        return f"{reader.name} reads {value.name} twice"
    return ""


def why_no_epilogue(op: Op, reader: Op) -> str:
    """Why a product does not take what follows it into its epilogue."""
    program = reader.attrs["program"]
    names = ", ".join(step[0] for step in program)
    if op.output.dtype not in REAL:
        return f"{op.name} is quantised before {reader.name}: a Q stands between them"
    if op.attrs.get("activation"):
        return f"{op.name} has the activation {op.attrs['activation']['type']} already, and an epilogue has one"
    if len(program) > 1:
        return f"{reader.name} computes {names}, and an epilogue takes one step: a bias, a residual or an activation"
    if program[0][0] == "add":
        return why_no_residual(op, reader)
    if program[0][0] in ACTIVATIONS and activation_of(reader) is None:
        return f"{reader.name} has operands that are no numbers"
    if program[0][0] == "mul":
        return f"{reader.name} multiplies by what is no constant a channel, so weights cannot take it"
    return f"no product's epilogue computes {names}; it takes {', '.join(ACTIVATIONS)}"


def why_no_residual(op: Op, reader: Op) -> str:
    other = operand_beside(reader, op.output)
    if op.input(3) is not None:
        return f"{op.name} has a residual already, {op.inputs[3].name}"
    if op.kind == "deconv" and not other.is_constant:
        return "a deconvolution takes no residual"
    if other.is_constant:
        return f"{other.name}, {other.shape}, is no bias a channel of {op.output.shape}"
    if other.dtype != op.output.dtype:
        return f"{other.name} is {other.dtype.name}, and {op.output.name} is {op.output.dtype.name}"
    if not other.as_large_as(op.output) or not reader.output.as_large_as(op.output):
        return f"{other.name} is {other.shape}, and {op.output.name} is {op.output.shape}: one is broadcast"
    return f"the sum's other operand, {other.name}, takes the sum"


def why_no_chain(op: Op, reader: Op) -> str:
    """Why two pointwise operations are two kernels."""
    inputs = len(op.inputs) + len(reader.inputs) - 1
    steps = len(op.attrs["program"]) + len(reader.attrs["program"])
    if inputs > MOST_INPUTS:
        return f"together they would read {inputs} tensors, and a kernel reads {MOST_INPUTS}"
    if steps > MOST_STEPS:
        return f"together they would be {steps} steps, and a kernel takes {MOST_STEPS}"
    if op.output.dtype == DataType.INT8 and op.output.scale is not None:
        return f"{op.output.name}, between them, is quantised"
    if op.output.shape != reader.output.shape:
        return f"{op.output.shape} is broadcast to {reader.output.shape}: {op.name} would be computed again and again"
    return "one of them is shape arithmetic, on the host"


def why_left(editor: Editor, op: Op) -> str:
    """Why a Q or DQ is still an operation of its own."""
    source, target = op.inputs[0], op.output
    maker, readers = editor.producer(source), editor.users(target)
    into = target.dtype == DataType.INT8
    if source.dtype in REAL and target.dtype in REAL:
        return f"it converts {source.dtype.name} to {target.dtype.name}"
    if into and source in editor.graph.inputs:
        return f"it quantises the network's input {source.name}: TensorRT, too, has a layer for it"
    if not into and target in editor.graph.outputs:
        return f"it gives the network's output {target.name} in {target.dtype.name}"
    if not is_known(op):
        return "its scale is not known when the engine is built, or it has a zero point, so nothing takes it over"
    if into and maker is not None:
        others = [user.name for user in editor.users(source) if user is not op]
        if others:
            return f"{maker.name} before it has other readers, {', '.join(others)}, which need its floating result"
        return f"{maker.name} before it has no INT8 result ({maker.kind})"
    named = ", ".join(f"{user.name} ({user.kind})" for user in readers) or "nobody"
    moving = [user.name for user in readers if user.kind in MOVING]
    if moving:
        return f"it waits behind {', '.join(moving)}, which only moves elements, for a reader that takes INT8"
    return f"its reader takes no INT8 here: {named}"


def is_known(op: Op) -> bool:
    """Whether a Q or DQ is one that fuses: a constant scale, no zero point."""
    return op.kind == "reformat" or op.inputs[1].is_constant and op.input(2) is None


def why_floating(editor: Editor, op: Op) -> str:
    """Why a convolution or a product is not computed in INT8."""
    x, weights = op.inputs[0], op.inputs[1]
    if weights.dtype == DataType.INT8:
        return f"its weights are INT8, but its input {origin(editor, x)}"
    if editor.producer(x, "dequantize") or editor.producer(x, "reformat"):
        return f"its input was INT8, but its weights {weights.name} have no Q and DQ"
    return f"its input {origin(editor, x)}"


def origin(editor: Editor, value: Value) -> str:
    maker = editor.producer(value)
    if maker is None:
        return f"{value.name} has no Q and DQ: it is the network's own"
    return f"{value.name} has no Q and DQ: it comes from {maker.name} ({maker.kind})"


def has_int8(graph: Graph) -> bool:
    return any(value.dtype == DataType.INT8 and value.scale is not None for value in graph.values())
