"""ONNX graphs drawn at random: operators one after another, each fitting what is there, as no model was written.

`drawn(seed)` gives a model and inputs. An operator is a function of a Graph and one of its tensors, kept by
`operator`; one that does not fit the tensor adds nothing. What operators share, and those of layers, lie here;
`drawn_movements` has those that move, `drawn_layers` and `drawn_steps` the larger ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LONGEST = 20_000  # elements of a tensor
INPUTS = [(2, 4, 6, 6), (1, 3, 8, 8), (3, 5), (2, 3, 8), (4, 6), (1, 8, 4, 4)]
OPSET, IR_VERSION, RUNTIME = 23, 11, "com.microsoft"
OPSETS = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIME, 1)]
WITHOUT_OPERANDS = [
    *("Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Erf", "Floor", "Ceil", "Sign", "Softplus", "Softsign", "Elu"),
    *("LeakyRelu", "Selu", "HardSwish", "HardSigmoid", "Mish", "Gelu", "Identity"),
]  # fmt: skip


class Tensor(NamedTuple):
    """A float32 tensor of a graph."""

    name: str
    shape: tuple[int, ...]


class Graph:
    """A graph that grows. rng: draws all; tensors: float32 ones, oldest first; read: names that an operator reads."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.tensors: list[Tensor] = []
        self.read: set[str] = set()
        self.inputs = [Tensor(f"x{index}", self.among(INPUTS)) for index in range(self.between(1, 2))]
        self.tensors += self.inputs

    def among(self, some: list) -> Any:
        """One of them."""
        return some[int(self.rng.integers(len(some)))]

    def between(self, least: int, most: int) -> int:
        """A number, both ends included."""
        return int(self.rng.integers(least, most + 1))

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def tensor(self, fits: Callable[[tuple[int, ...]], bool] = lambda shape: True) -> Tensor:
        """One that fits, newer ones sooner, so that chains grow long."""
        some = [each for each in self.tensors if fits(each.shape)]
        weights = np.arange(1, len(some) + 1) ** 1.5
        return some[int(self.rng.choice(len(some), p=weights / weights.sum()))]

    def constant(self, array: Any) -> str:
        """The name of a constant."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def weights(self, *shape: int, over: float = 1.0) -> str:
        """The name of a constant of normal numbers, float32, divided by the root of `over`."""
        return self.constant((self.rng.standard_normal(shape) / math.sqrt(over)).astype(np.float32))

    def positive(self, *shape: int) -> str:
        """The name of a constant of numbers from 0.5, float32."""
        return self.constant((np.abs(self.rng.standard_normal(shape)) + 0.5).astype(np.float32))

    def integers(self, *numbers: int) -> str:
        """The name of a constant vector, int64."""
        return self.constant(np.array(numbers, np.int64))

    def node(self, kind: str, inputs: list[str], count: int = 1, **attributes: Any) -> list[str]:
        """Names of an operator's outputs, which are no tensors of the graph yet."""
        names = [f"t{len(self.nodes)}_{index}" for index in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{len(self.nodes)}", **attributes))
        self.read.update(inputs)
        return names

    def add(self, kind: str, inputs: list[str], shape: tuple[int, ...], **attributes: Any) -> Tensor:
        """An operator with one float32 output."""
        (name,) = self.node(kind, inputs, **attributes)
        return self.keep(name, shape)

    def keep(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """A tensor of the graph; a number becomes a vector of one, since operators look for axes."""
        if not shape:
            return self.add("Reshape", [name, self.integers(1)], (1,))
        self.tensors.append(Tensor(name, tuple(shape)))
        return self.tensors[-1]


Operator = Callable[[Graph, Tensor], Any]
OPERATORS: list[Operator] = []


def operator(call: Operator) -> Operator:
    """Keep an operator among those that are drawn."""
    OPERATORS.append(call)
    return call


@operator
def alone(g: Graph, x: Tensor) -> None:
    g.add(g.among(WITHOUT_OPERANDS), [x.name], x.shape)


@operator
def root_or_power(g: Graph, x: Tensor) -> None:
    size = g.add("Abs", [x.name], x.shape)
    if g.chance(0.5):
        g.add("Sqrt", [size.name], x.shape)
    else:
        g.add("Pow", [size.name, g.constant(np.float32(g.among([2, 0.5, 3, 1])))], x.shape)


@operator
def bounded_exponential(g: Graph, x: Tensor) -> None:
    g.add("Exp", [g.add("Tanh", [x.name], x.shape).name], x.shape)


@operator
def with_another(g: Graph, x: Tensor) -> None:
    other = g.tensor(lambda shape: shape == x.shape)
    g.add(g.among(["Add", "Sub", "Mul", "Max", "Min"]), [x.name, other.name], x.shape)


@operator
def with_a_constant(g: Graph, x: Tensor) -> None:
    shape = [size if g.chance(0.6) else 1 for size in x.shape][g.between(0, len(x.shape)) :]
    kind = g.among(["Add", "Mul", "Sub", "Div"])
    inputs = [x.name, g.positive(*shape) if kind == "Div" else g.weights(*shape)]
    g.add(kind, inputs[::-1] if kind != "Div" and g.chance(0.3) else inputs, x.shape)


@operator
def clipped(g: Graph, x: Tensor) -> None:
    low, high = g.constant(np.float32(-0.5)), g.constant(np.float32(0.8))
    g.add("Clip", [x.name, *g.among([(low, high), ("", high), (low,)])], x.shape)


@operator
def chosen(g: Graph, x: Tensor) -> None:
    (which,) = g.node(g.among(["Greater", "Less", "GreaterOrEqual"]), [x.name, g.constant(np.float32(0.1))])
    other = g.tensor(lambda shape: shape == x.shape).name
    g.add("Where", [which, other, x.name] if g.chance(0.5) else [which, x.name, g.constant(np.float32(-2))], x.shape)


@operator
def to_integers_and_back(g: Graph, x: Tensor) -> None:
    kind, dtype = g.among([(TensorProto.INT32, np.int32), (TensorProto.INT64, np.int64)])
    (whole,) = g.node("Cast", [x.name], to=kind)
    low, high = g.constant(dtype(-1)), g.constant(dtype(2))
    (whole,) = g.node("Clip", [whole, *g.among([(low, high), ("", high), (low,)])])
    g.add("Cast", [whole], x.shape, to=TensorProto.FLOAT)


@operator
def quantised_and_back(g: Graph, x: Tensor) -> None:
    pair = [g.constant(np.float32(g.among([0.05, 0.1, 0.031]))), g.constant(np.int8(0))]
    (steps,) = g.node("QuantizeLinear", [x.name, *pair])
    g.add("DequantizeLinear", [steps, *pair], x.shape)


@operator
def product(g: Graph, x: Tensor) -> None:
    if len(x.shape) < 2:
        return
    terms, columns = x.shape[-1], g.between(0, 8)  # 0: a vector, which leaves no column
    wide = (columns,) if columns else ()
    shape = (*x.shape[:-1], *wide)
    y = g.add("MatMul", [x.name, g.weights(terms, *wide, over=terms)], shape)
    if g.chance(0.6):
        y = g.add("Add", [y.name, g.weights(columns or 1)], shape)
    if g.chance(0.4):
        g.add("Relu", [y.name], shape)


@operator
def product_as_gemm(g: Graph, x: Tensor) -> None:
    if len(x.shape) != 2:
        return
    (rows, terms), columns, turned = x.shape, g.between(1, 8), g.between(0, 1)
    w = g.weights(*((columns, terms) if turned else (terms, columns)), over=9)
    bias = g.weights(columns) if g.chance(0.5) else g.weights(rows, 1)
    scales = {"alpha": g.among([1.0, 0.5]), "beta": g.among([1.0, 2.0])}
    g.add("Gemm", [x.name, w, bias], (rows, columns), transB=turned, **scales)


@operator
def convolution(g: Graph, x: Tensor) -> None:
    window, step, dilation = g.among([1, 2, 3]), g.among([1, 1, 2]), g.among([1, 1, 2])
    reach = (window - 1) * dilation + 1
    if len(x.shape) != 4 or reach > min(x.shape[2:]):
        return
    images, channels = x.shape[:2]
    groups = g.among([1, 1, channels, 2 if channels % 2 == 0 else 1])
    outputs, pads = groups * g.between(1, 4), [g.between(0, 1) for _ in range(4)]
    pixels = [(x.shape[2 + i] + pads[i] + pads[2 + i] - reach) // step + 1 for i in range(2)]
    terms = channels // groups * window**2
    inputs = [x.name, g.weights(outputs, channels // groups, window, window, over=terms)]
    inputs += [g.weights(outputs)] if g.chance(0.6) else []
    sizes = {"strides": [step] * 2, "dilations": [dilation] * 2, "kernel_shape": [window] * 2}
    y = g.add("Conv", inputs, (images, outputs, *pixels), group=groups, pads=pads, **sizes)
    if g.chance(0.5):
        y = batch_normalised(g, y)
    if g.chance(0.5):
        g.add(g.among(["Relu", "Sigmoid", "HardSwish"]), [y.name], y.shape)


@operator
def transposed_convolution(g: Graph, x: Tensor) -> None:
    window, step, pad, outputs = g.among([2, 3]), g.among([1, 2]), g.between(0, 1), g.between(1, 4)
    pixels = [step * (size - 1) + window - 2 * pad for size in x.shape[2:]]
    if len(x.shape) != 4 or min(pixels) < 1:
        return
    sizes = {"strides": [step] * 2, "pads": [pad] * 4, "kernel_shape": [window] * 2}
    w = g.weights(x.shape[1], outputs, window, window, over=9)
    g.add("ConvTranspose", [x.name, w], (x.shape[0], outputs, *pixels), **sizes)


@operator
def pooled(g: Graph, x: Tensor) -> None:
    if len(x.shape) != 4 or min(x.shape[2:]) < 3:
        return
    window, step, pad, up = g.among([2, 3]), g.among([1, 2]), g.between(0, 1), g.between(0, 1)
    pixels = [(size + 2 * pad - window + (step - 1) * up) // step + 1 for size in x.shape[2:]]
    if any((count - 1) * step >= size + pad for count, size in zip(pixels, x.shape[2:], strict=True)):
        return  # of windows that begin in the padding, ONNX says that there are none, and ONNX Runtime counts them
    more = g.among([{}, {"count_include_pad": 1}, None])
    kind, more = ("MaxPool", {}) if more is None else ("AveragePool", more)
    sizes = {"kernel_shape": [window] * 2, "strides": [step] * 2, "pads": [pad] * 4}
    g.add(kind, [x.name], (*x.shape[:2], *pixels), ceil_mode=up, **sizes, **more)


@operator
def batch_normalised(g: Graph, x: Tensor) -> Tensor:
    if len(x.shape) < 3:
        return x
    return g.add("BatchNormalization", [x.name, *(g.positive(x.shape[1]) for _ in range(4))], x.shape)


@operator
def normalised(g: Graph, x: Tensor) -> None:
    if len(x.shape) >= 3 and math.prod(x.shape[2:]) > 1 and g.chance(0.4):
        g.add("InstanceNormalization", [x.name, g.weights(x.shape[1]), g.weights(x.shape[1])], x.shape)
    else:
        g.add("LayerNormalization", [x.name, g.weights(x.shape[-1]), g.weights(x.shape[-1])], x.shape, axis=-1)


@operator
def softmax(g: Graph, x: Tensor) -> None:
    axis = g.between(-len(x.shape), len(x.shape) - 1)
    g.add(g.among(["Softmax", "LogSoftmax"]), [x.name], x.shape, axis=axis)


@operator
def reduced(g: Graph, x: Tensor) -> None:
    axes = sorted({g.between(0, len(x.shape) - 1) for _ in range(2)})
    kept = g.between(0, 1) or len(axes) == len(x.shape)
    shape = [1 if i in axes else size for i, size in enumerate(x.shape) if kept or i not in axes]
    kind = g.among(["Sum", "Mean", "Max", "Min", "L1", "L2", "LogSumExp", "SumSquare"])
    g.add(f"Reduce{kind}", [x.name, g.integers(*axes)], tuple(shape), keepdims=int(kept))


@operator
def running_sum(g: Graph, x: Tensor) -> None:
    axis = g.constant(np.int64(g.between(0, len(x.shape) - 1)))
    g.add("CumSum", [x.name, axis], x.shape, exclusive=g.between(0, 1), reverse=g.between(0, 1))


def drawn(seed: int) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """A model of 4 to 21 operators, and inputs for it."""
    from tests.minitrt import drawn_layers, drawn_movements, drawn_steps  # their operators join those of here

    assert all(each.OPERATORS is OPERATORS for each in (drawn_movements, drawn_layers, drawn_steps))
    g = Graph(seed)
    count = g.between(4, 21)
    while len(g.nodes) < count:
        g.among(OPERATORS)(g, g.tensor())
    made = g.tensors[len(g.inputs) :]
    outputs = [each for each in made if each.name not in g.read][-4:]
    sources = [each for each in g.inputs if each.name in g.read]
    ends = [
        [helper.make_tensor_value_info(each.name, TensorProto.FLOAT, each.shape) for each in some]
        for some in (sources, outputs)
    ]
    graph = helper.make_graph(g.nodes, f"drawn {seed}", *ends, g.constants)
    model = helper.make_model(graph, opset_imports=OPSETS, ir_version=IR_VERSION)
    return model, {each.name: g.rng.standard_normal(each.shape).astype(np.float32) for each in sources}
