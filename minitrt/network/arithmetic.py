"""Layers that compute element by element, and matrix products, reductions, softmax."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import (
    ActivationType,
    DataType,
    ElementWiseOperation,
    LayerType,
    ScaleMode,
    UnaryOperation,
)
from minitrt.api.weights import as_array, flat
from minitrt.graph.ir import Value
from minitrt.network.layer import ILayer, Param

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
    """A layer that is a program (`graph/pointwise.py`) of its inputs."""

    LAYER_TYPE = LayerType.ELEMENTWISE

    def _pointwise(self, program: list, ins: list[Value], outs: list[Value]):
        outs[0].dtype = DataType[program[-1][2]]
        return [self._op("pointwise", ins, outs, program=program)]


class ProgramLayer(PointwiseLayer):
    """Any program: the importer's, for operators without a layer of their own."""

    program = Param(None)

    def _ops(self, ins, outs):
        return self._pointwise(self.program, ins, outs)


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
    """The elements converted to to_type; to INT8, where its output has a dynamic range (weak typing), quantised."""

    LAYER_TYPE = LayerType.CAST
    to_type = Param(DataType.FLOAT)

    def _ops(self, ins, outs):
        limits = self._outputs[0]._range
        if self.to_type == DataType.INT8 and limits is not None:
            steps_a_unit, kind = float(np.float32(1) / np.float32(max(map(abs, limits)) / 127)), ins[0].dtype.name
            steps = [
                ["mul", ["x0", steps_a_unit], kind],
                ["round", ["t0"], kind],
                ["clip", ["t1", -128.0, 127.0], kind],
            ]
            return self._pointwise([*steps, ["cast", ["t2"], "INT8"]], ins, outs)
        return self._pointwise([["cast", ["x0"], self.to_type.name]], ins, outs)


class IScaleLayer(PointwiseLayer):
    """(x * scale + shift) ** power, with one number, one a channel, or one an element; what is left out does
    nothing."""

    LAYER_TYPE = LayerType.SCALE
    mode = Param(ScaleMode.UNIFORM)
    channel_axis = Param(1, int)

    def _weights(name: str) -> property:
        def get(self):
            return flat(self._params.get(name))

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
