"""Layers that move, choose, and make elements: shuffle, slice, gather, concatenation, fill, and their like."""

from __future__ import annotations

import numpy as np

from minitrt.api.dims import Permutation
from minitrt.api.enums import (
    DataType,
    GatherMode,
    LayerType,
    SampleMode,
    ScatterMode,
)
from minitrt.api.weights import Weights, as_array, flat
from minitrt.network.layer import ILayer, Param, dims_or_none, dynamic

SAMPLE = dict(STRICT_BOUNDS="default", WRAP="wrap", CLAMP="clamp", FILL="fill", REFLECT="reflect")


def ints(dims) -> list[int] | None:
    return None if dims is None else [int(n) for n in dims]


class BuiltinLayer(ILayer):
    """One operation of the graph as a layer: the importer's, for operators that TensorRT gives to plugins or to many
    layers."""

    LAYER_TYPE = LayerType.PLUGIN_V3
    kind = Param("")
    attrs = Param(None)
    types = Param(None)  # of the outputs; None: of the first input

    def _ops(self, ins, outs):
        for value, dtype in zip(outs, self.types or [], strict=False):
            value.dtype = dtype if dtype is not None else value.dtype
        return [self._op(self.kind, ins, outs, **(self.attrs or {}))]


class IConstantLayer(ILayer):
    """Weights as a tensor."""

    LAYER_TYPE = LayerType.CONSTANT
    shape = Param((), dims_or_none)

    @property
    def weights(self) -> np.ndarray:
        return flat(self._params["weights"])

    @weights.setter
    def weights(self, weights) -> None:
        array = as_array(weights)
        self._params["weights"] = Weights(weights).numpy() if array is None else array
        self._network._changed(self)

    def _ops(self, ins, outs):
        array = self._params["weights"].reshape(tuple(self.shape))
        constant = self._constant(self._params["weights"], "CONSTANT")
        outs[0].data, outs[0].dtype, outs[0].shape = array, constant.dtype, array.shape
        outs[0].weights = constant.weights
        return []


class IShuffleLayer(ILayer):
    """Transpose, reshape, transpose. Input 1 may give the shape."""

    LAYER_TYPE = LayerType.SHUFFLE
    first_transpose = Param(None, Permutation)
    reshape_dims = Param(None, dims_or_none)
    second_transpose = Param(None, Permutation)
    zero_is_placeholder = Param(True, bool)

    def _ops(self, ins, outs):
        attrs = dict(
            first=ints(self.first_transpose), shape=ints(self.reshape_dims), second=ints(self.second_transpose)
        )
        attrs["zero_is_placeholder"] = self.zero_is_placeholder
        attrs = {key: value for key, value in attrs.items() if value is not None}
        return [self._op("shuffle", ins, outs, **dynamic(attrs, shape=(1, ins[1] if len(ins) > 1 else None)))]


class ISqueezeLayer(ILayer):
    """Without the axes of size one that input 1, a constant, names."""

    LAYER_TYPE = LayerType.SQUEEZE

    def _ops(self, ins, outs):
        return [self._op("shuffle", ins, outs, **dynamic({}, squeeze=(1, ins[1])))]


class IUnsqueezeLayer(ILayer):
    """With new axes of size one where input 1, a constant, says."""

    LAYER_TYPE = LayerType.UNSQUEEZE

    def _ops(self, ins, outs):
        return [self._op("shuffle", ins, outs, **dynamic({}, unsqueeze=(1, ins[1])))]


class ISliceLayer(ILayer):
    """start + index * stride for `shape` elements an axis. Inputs 1 to 4 may give start, shape, stride and the fill."""

    LAYER_TYPE = LayerType.SLICE
    start = Param(None, dims_or_none)
    shape = Param(None, dims_or_none)
    stride = Param(None, dims_or_none)
    mode = Param(SampleMode.STRICT_BOUNDS)
    axes = Param(None, dims_or_none)

    def _ops(self, ins, outs):
        given, names = [*ins[1:], None, None, None, None], ("starts", "sizes", "strides")
        attrs = dict(zip(names, map(ints, (self.start, self.shape, self.stride)), strict=True))
        attrs = {name: value for name, value in attrs.items() if value is not None}
        attrs["mode"] = SAMPLE[self.mode.name]
        if "onnx" in self._params:  # starts, ends, axes, steps instead
            return [self._op("slice", ins, outs, **self._params["onnx"])]
        inputs = {name: (i + 1, given[i]) for i, name in enumerate((*names, "fill"))}
        return [self._op("slice", ins, outs, **dynamic(attrs, **inputs))]


class IConcatenationLayer(ILayer):
    """Its inputs one behind the other along an axis."""

    LAYER_TYPE = LayerType.CONCATENATION
    axis = Param(None, int)

    def _ops(self, ins, outs):
        axis = self.axis if self.axis is not None else max(0, len(ins[0].shape) - 3)
        return [self._op("concat", ins, outs, axis=axis)]


class IGatherLayer(ILayer):
    """Elements of input 0 at the indices of input 1."""

    LAYER_TYPE = LayerType.GATHER
    axis = Param(0, int)
    num_elementwise_dims = Param(0, int)
    mode = Param(GatherMode.DEFAULT)

    def _ops(self, ins, outs):
        attrs = dict(mode=self.mode.name.lower(), axis=self.axis, batch_dims=self.num_elementwise_dims)
        return [self._op("gather", ins, outs, **attrs)]


class IScatterLayer(ILayer):
    """Input 0 with the updates of input 2 at the indices of input 1."""

    LAYER_TYPE = LayerType.SCATTER
    axis = Param(0, int)
    mode = Param(ScatterMode.ELEMENT)

    def _ops(self, ins, outs):
        return [self._op("scatter", ins, outs, mode=self.mode.name.lower(), axis=self.axis)]


class IShapeLayer(ILayer):
    """The dimensions of its input, INT64."""

    LAYER_TYPE = LayerType.SHAPE

    def _ops(self, ins, outs):
        outs[0].dtype = DataType.INT64
        return [self._op("shape_of", ins, outs)]


class INonZeroLayer(ILayer):
    """Where its input is not zero: (rank, count)."""

    LAYER_TYPE = LayerType.NON_ZERO
    indices_type = Param(DataType.INT64)

    def _ops(self, ins, outs):
        wanted = self.indices_type
        if wanted == DataType.INT64:
            outs[0].dtype = wanted
            return [self._op("non_zero", ins, outs)]
        found = outs[0].like(outs[0].name + "/int64", dtype=DataType.INT64)
        outs[0].dtype = wanted
        cast = [["cast", ["x0"], wanted.name]]
        return [self._op("non_zero", ins, [found]), self._op("pointwise", [found], outs, program=cast)]


class IOneHotLayer(ILayer):
    """Inputs: indices, (off, on), depth."""

    LAYER_TYPE = LayerType.ONE_HOT
    axis = Param(-1, int)

    def _ops(self, ins, outs):
        outs[0].dtype = ins[1].dtype
        return [self._op("one_hot", ins, outs, axis=self.axis, dynamic={"depth": 2})]


class IReverseSequenceLayer(ILayer):
    """The first lengths[b] elements of each sequence in reverse."""

    LAYER_TYPE = LayerType.REVERSE_SEQUENCE
    batch_axis = Param(1, int)
    sequence_axis = Param(0, int)

    def _ops(self, ins, outs):
        attrs = dict(batch_axis=self.batch_axis, sequence_axis=self.sequence_axis)
        return [self._op("reverse_sequence", ins, outs, **attrs)]


class IAssertionLayer(ILayer):
    """Fails when its input, a condition, is not True."""

    LAYER_TYPE = LayerType.ASSERTION
    message = Param("", str)

    def _ops(self, ins, outs):
        return [self._op("assertion", ins, [ins[0].like(f"{self.name}/checked")], message=self.message)]
