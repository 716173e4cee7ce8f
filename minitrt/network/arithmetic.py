"""Layers that compute element by element, and matrix products, reductions, softmax."""

from __future__ import annotations

import numpy as np

from minitrt.api.deprecation import removed_in_11
from minitrt.api.enums import (
    ActivationType,
    DataType,
    ElementWiseOperation,
    LayerType,
    MatrixOperation,
    ReduceOperation,
    ScaleMode,
    TopKOperation,
    UnaryOperation,
)
from minitrt.api.weights import Weights, as_array
from minitrt.graph.ir import Value
from minitrt.network.layer import ILayer, Param, axes_of_mask, dynamic

# activation -> program step after the operand, given alpha and beta
ACTIVATIONS = {
    "RELU": lambda a, b: ("relu",),
    "SIGMOID": lambda a, b: ("sigmoid",),
    "TANH": lambda a, b: ("tanh",),
    "LEAKY_RELU": lambda a, b: ("leaky_relu", a),
    "ELU": lambda a, b: ("elu", a),
    "SELU": lambda a, b: ("selu", a, b),
    "SOFTSIGN": lambda a, b: ("softsign",),
    "SOFTPLUS": lambda a, b: ("softplus", a, b),
    "CLIP": lambda a, b: ("clip", a, b),
    "HARD_SIGMOID": lambda a, b: ("hard_sigmoid", a, b),
    "SCALED_TANH": lambda a, b: ("scaled_tanh", a, b),
    "THRESHOLDED_RELU": lambda a, b: ("thresholded_relu", a),
    "GELU_ERF": lambda a, b: ("gelu_erf",),
    "GELU_TANH": lambda a, b: ("gelu_tanh",),
}
ELEMENTWISE = {
    **dict(SUM="add", PROD="mul", MAX="max", MIN="min", SUB="sub", DIV="div", POW="pow", FLOOR_DIV="floor_div"),
    **dict(AND="and", OR="or", XOR="xor", EQUAL="equal", GREATER="greater", LESS="less"),
}
PREDICATES = ("and", "or", "xor", "equal", "greater", "less", "greater_equal", "less_equal", "not", "isinf", "isnan")


class PointwiseLayer(ILayer):
    """A layer that is a program (`graph/pointwise.py`) of its inputs; the importer's, for operators without a layer."""

    LAYER_TYPE = LayerType.ELEMENTWISE
    program = Param(None)

    def _ops(self, ins, outs):
        return self._pointwise(self.program, ins, outs)

    def _pointwise(self, program: list, ins: list[Value], outs: list[Value]):
        outs[0].dtype = DataType[program[-1][2]]
        return [self._op("pointwise", ins, outs, program=program)]


class IActivationLayer(PointwiseLayer):
    """An activation with its parameters alpha and beta."""

    LAYER_TYPE = LayerType.ACTIVATION
    type = Param(ActivationType.RELU)
    alpha = Param(0.0, float)
    beta = Param(0.0, float)

    def _ops(self, ins, outs):
        name, *numbers = ACTIVATIONS[self.type.name](self.alpha, self.beta)
        return self._pointwise([[name, ["x0", *numbers], ins[0].dtype.name]], ins, outs)


class IUnaryLayer(PointwiseLayer):
    """A function of one operand."""

    LAYER_TYPE = LayerType.UNARY
    op = Param(UnaryOperation.EXP)

    def _ops(self, ins, outs):
        name = self.op.name.lower()
        dtype = "BOOL" if name in PREDICATES else ins[0].dtype.name
        return self._pointwise([[name, ["x0"], dtype]], ins, outs)


class IElementWiseLayer(PointwiseLayer):
    """A function of two operands that broadcast against each other."""

    LAYER_TYPE = LayerType.ELEMENTWISE
    op = Param(ElementWiseOperation.SUM)

    def _ops(self, ins, outs):
        name = ELEMENTWISE[self.op.name]
        dtype = "BOOL" if name in PREDICATES else ins[0].dtype.name
        return self._pointwise([[name, ["x0", "x1"], dtype]], ins, outs)


class ISelectLayer(PointwiseLayer):
    """condition ? yes : no, element by element."""

    LAYER_TYPE = LayerType.SELECT

    def _ops(self, ins, outs):
        return self._pointwise([["where", ["x0", "x1", "x2"], ins[1].dtype.name]], ins, outs)


class IParametricReLULayer(PointwiseLayer):
    """x where it is positive, slope * x elsewhere."""

    LAYER_TYPE = LayerType.PARAMETRIC_RELU

    def _ops(self, ins, outs):
        return self._pointwise([["prelu", ["x0", "x1"], ins[0].dtype.name]], ins, outs)


class IIdentityLayer(PointwiseLayer):
    """The same elements; with an output type (weak typing) converted to it."""

    LAYER_TYPE = LayerType.IDENTITY

    def _ops(self, ins, outs):
        return self._pointwise([["identity", ["x0"], ins[0].dtype.name]], ins, outs)


class ICastLayer(PointwiseLayer):
    """The elements converted to to_type."""

    LAYER_TYPE = LayerType.CAST
    to_type = Param(DataType.FLOAT)

    def _ops(self, ins, outs):
        return self._pointwise([["cast", ["x0"], self.to_type.name]], ins, outs)


class IScaleLayer(PointwiseLayer):
    """(x * scale + shift) ** power, with one number, one a channel, or one an element; what is left out does
    nothing."""

    LAYER_TYPE = LayerType.SCALE
    mode = Param(ScaleMode.UNIFORM)
    channel_axis = Param(1, int)

    def _weights(name: str) -> property:
        def get(self):
            array = self._params.get(name)
            return Weights() if array is None else Weights(array)

        def put(self, weights):
            self._params[name] = as_array(weights)
            self._network._changed(self)

        return property(get, put)

    scale, shift, power = _weights("scale"), _weights("shift"), _weights("power")
    del _weights

    def _ops(self, ins, outs):
        program, operands, dtype = [], list(ins[:1]), ins[0].dtype.name
        for role, step in (("scale", "mul"), ("shift", "add"), ("power", "pow")):
            array = self._params.get(role)
            if array is None or (role == "power" and np.all(array == 1)):
                continue
            previous = f"t{len(program) - 1}" if program else "x0"
            program.append([step, [previous, f"x{len(operands)}"], dtype])
            operands.append(self._constant(self._shaped(array, ins[0]), role.upper(), named=array))
        return self._pointwise(program or [["identity", ["x0"], dtype]], operands, outs)

    def _shaped(self, array: np.ndarray, x: Value) -> np.ndarray:
        """The weights so that they broadcast against x."""
        mode, rank = self.mode, len(x.shape)
        if mode == ScaleMode.UNIFORM:
            shape = (1,) * rank
        elif mode == ScaleMode.CHANNEL:
            shape = (array.size, *[1] * (rank - self.channel_axis - 1))
        else:
            shape = x.shape[1:] if array.size != x.size else x.shape
        return array.reshape(shape)


class IMatrixMultiplyLayer(ILayer):
    """A product of matrices, or of a matrix and a vector; leading axes broadcast."""

    LAYER_TYPE = LayerType.MATRIX_MULTIPLY
    op0 = Param(MatrixOperation.NONE)
    op1 = Param(MatrixOperation.NONE)

    def _ops(self, ins, outs):
        left, right = self.op0, self.op1
        attrs = {
            "transpose_a": left == MatrixOperation.TRANSPOSE,
            "transpose_b": right == MatrixOperation.TRANSPOSE,
            "alpha": self._params.get("alpha", 1.0),
        }
        if MatrixOperation.VECTOR not in (left, right) or max(len(v.shape) for v in ins) == 1:
            return [self._op("gemm", [*ins, None, None], outs, **attrs)]
        return self._with_vectors(ins, outs, left, right, attrs)

    def _with_vectors(self, ins, outs, left, right, attrs):
        """Batches of vectors: as matrices of one row or column, which the result loses again."""
        ops, sides, gone = [], [], []
        for value, kind, place in ((ins[0], left, -2), (ins[1], right, -1)):
            if kind == MatrixOperation.VECTOR:
                wide = value.like(f"{outs[0].name}/matrix{place}", shape=None)
                ops.append(self._op("shuffle", [value], [wide], unsqueeze=[place]))
                gone.append(place)
                value = wide
            sides.append(value)
        product = outs[0].like(f"{outs[0].name}/product", shape=None)
        ops.append(self._op("gemm", [*sides, None, None], [product], **attrs))
        ops.append(self._op("shuffle", [product], outs, squeeze=gone))
        return ops


class IReduceLayer(ILayer):
    """A reduction over the axes of a bit mask."""

    LAYER_TYPE = LayerType.REDUCE
    op = Param(ReduceOperation.SUM)
    axes = Param(0, int)
    keep_dims = Param(False, bool)

    def _ops(self, ins, outs):
        attrs = dict(op=self.op.name.lower(), axes=axes_of_mask(self.axes), keep_dims=self.keep_dims)
        return [self._op("reduce", ins, outs, **attrs)]


class ISoftMaxLayer(ILayer):
    """Softmax over one axis, a bit mask; by default the one third from the last, or the first."""

    LAYER_TYPE = LayerType.SOFTMAX
    axes = Param(None, int)

    def _ops(self, ins, outs):
        axes = axes_of_mask(self.axes) if self.axes is not None else [max(0, len(ins[0].shape) - 3)]
        return [self._op("softmax", ins, outs, axes=axes)]


class ITopKLayer(ILayer):
    """The k largest or smallest along one axis, and where they are. Input 1 may give k."""

    LAYER_TYPE = LayerType.TOPK
    op = Param(TopKOperation.MAX)
    k = Param(1, int)
    axes = Param(0, int)
    indices_type = Param(DataType.INT32)

    def _ops(self, ins, outs):
        attrs = dict(axis=axes_of_mask(self.axes)[0], largest=self.op == TopKOperation.MAX, k=self.k)
        wide = outs[1].like(outs[1].name + "/int64", dtype=DataType.INT64)
        outs[1].dtype = self.indices_type
        found = self._op("topk", ins, [outs[0], wide], **dynamic(attrs, k=(1, ins[1] if len(ins) > 1 else None)))
        narrow = self._op("pointwise", [wide], outs[1:], program=[["cast", ["x0"], outs[1].dtype.name]])
        return [found, narrow]


class ICumulativeLayer(ILayer):
    """Running sums along an axis that input 1, a constant, names."""

    LAYER_TYPE = LayerType.CUMULATIVE
    op = Param(None)
    exclusive = Param(False, bool)
    reverse = Param(False, bool)

    def _ops(self, ins, outs):
        attrs = dict(op="sum", exclusive=self.exclusive, reverse=self.reverse)
        return [self._op("cumulative", ins, outs, **dynamic(attrs, axis=(1, ins[1])))]


class INormalizationLayer(ILayer):
    """(x - mean) / deviation * scale + bias over the axes of a bit mask; groups split axis 1 first."""

    LAYER_TYPE = LayerType.NORMALIZATION
    epsilon = Param(1e-5, float)
    axes = Param(0, int)
    num_groups = Param(1, int)
    is_v2 = False

    @property
    def compute_precision(self) -> DataType:
        removed_in_11("INormalizationLayer.compute_precision", "the statistics are computed in float32")
        return self._params.get("compute_precision", DataType.FLOAT)

    @compute_precision.setter
    def compute_precision(self, dtype: DataType) -> None:
        removed_in_11("INormalizationLayer.compute_precision", "the statistics are computed in float32")
        self._params["compute_precision"] = dtype

    def _ops(self, ins, outs):
        attrs = dict(axes=axes_of_mask(self.axes), epsilon=self.epsilon, groups=self.num_groups)
        attrs |= self._params.get("more", {})
        return [self._op("norm", ins, outs, **attrs)]


class IEinsumLayer(ILayer):
    """A sum of products in Einstein's notation."""

    LAYER_TYPE = LayerType.EINSUM
    equation = Param("", str)

    def _ops(self, ins, outs):
        return [self._op("einsum", ins, outs, equation=self.equation)]
