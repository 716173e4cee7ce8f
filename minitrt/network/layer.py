"""ILayer and what its subclasses are made of: settable parameters, and a lowering to operations of the graph.

A subclass declares its parameters as `Param`s and implements ``_ops(ins, outs)``, which gives the operations that
compute the values `outs` from `ins`. Shapes and types follow from those operations; a layer has no shape rule of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitrt.api.arguments import why_no_member, why_no_tensor
from minitrt.api.common import Named
from minitrt.api.deprecation import TYPED, removed_in_11
from minitrt.api.dims import Dims
from minitrt.api.enums import DataType, LayerType, NetworkDefinitionCreationFlag, PyEnum
from minitrt.api.weights import place_of
from minitrt.api.without_effect import METADATA, say
from minitrt.graph.ir import DATA_TYPES, NUMPY_TYPES, Op, Value
from minitrt.network.tensor import ITensor

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition


REAL, WHOLE = (DataType.FLOAT, DataType.HALF), (DataType.INT32, DataType.INT64)


class Param:
    """A parameter of a layer, kept under its own name. convert: what a new value becomes."""

    def __init__(self, default: Any = None, convert: Callable[[Any], Any] = lambda value: value):
        self.default, self.convert = default, convert

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, layer: ILayer | None, owner: type) -> Any:
        return self if layer is None else layer._params.get(self.name, self.default)

    def __set__(self, layer: ILayer, value: Any) -> None:
        if isinstance(self.default, PyEnum) and (why := why_no_member(type(self.default), value)):
            raise TypeError(f"{type(layer).__name__}.{self.name} {why}")
        layer._params[self.name] = self.convert(value)
        layer._network._changed(layer)


# As TensorRT names layers that nobody has named; all other types are their own words, "CONSTANT" is "[Constant]".
TITLES = {
    LayerType.ELEMENTWISE: "ElementWise",
    LayerType.TOPK: "TopK",
    LayerType.MATRIX_MULTIPLY: "Matrix Multiply",
    LayerType.PARAMETRIC_RELU: "Parametric ReLU",
    LayerType.RAGGED_SOFTMAX: "Ragged SoftMax",
    LayerType.NMS: "NMS",
    LayerType.LRN: "LRN",
    LayerType.CONDITIONAL_OUTPUT: "Output",
    LayerType.PLUGIN_V2: "PluginV2DynamicExt",
    LayerType.PLUGIN_V3: "PluginV3_V3ONE",
}


def dims_or_none(value: Any) -> Dims | None:
    return None if value is None else Dims(value)


class ILayer(Named):
    """A node of a network. ``network.get_layer`` gives it as plain ILayer, as TensorRT does; assign ``__class__`` to
    see more."""

    LAYER_TYPE = LayerType.IDENTITY

    def __init__(self, network: INetworkDefinition, inputs: Sequence[ITensor | None], outputs: int = 1, **params: Any):
        self._network = network
        self._layer_type = type(self).LAYER_TYPE
        self._params: dict[str, Any] = {}
        self._inputs: list[ITensor | None] = list(inputs)
        self._outputs: list[ITensor] = []
        self._metadata = ""
        self._precision: DataType | None = None
        self._output_types: dict[int, DataType] = {}
        for name, value in params.items():
            setattr(self, name, value)
        self._name = f"(Unnamed Layer* {network.num_layers}) [{self._title}]"
        numbers = ["", *(f" ({i})" for i in range(1, outputs))]
        self._outputs = [ITensor(network, f"{self._name}_output{n}", self) for n in numbers[:outputs]]

    @property
    def _title(self) -> str:
        return TITLES.get(self._layer_type) or self._layer_type.name.title().replace("_", "")

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        """Public names only: tools list a layer's attributes by them."""
        return sorted(name for name in dir(type(self)) if name.startswith("__") or not name.startswith("_"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ILayer) and self.__dict__ is other.__dict__

    def __hash__(self) -> int:
        return id(self.__dict__)

    def _as_base(self) -> ILayer:
        """The same layer, sharing its state, as plain ILayer."""
        view = ILayer.__new__(ILayer)
        object.__setattr__(view, "__dict__", self.__dict__)
        return view

    @property
    def metadata(self) -> str:
        return self._metadata

    @metadata.setter
    def metadata(self, text: str) -> None:
        if text:
            say(self._network, "ILayer.metadata", METADATA)
        self._metadata = str(text)

    @property
    def type(self) -> LayerType:
        return self._layer_type

    @property
    def num_inputs(self) -> int:
        return len(self._inputs)

    @property
    def num_outputs(self) -> int:
        return len(self._outputs)

    @property
    def num_ranks(self) -> int:
        return 1

    @num_ranks.setter
    def num_ranks(self, count: int) -> None:
        if count != 1:
            self._network._report.error(f"{self.name}: a layer runs on one GPU; num_ranks must be 1, but is {count}")

    def get_input(self, index: int) -> ITensor | None:
        return self._inputs[index] if 0 <= index < len(self._inputs) else None

    def get_output(self, index: int) -> ITensor | None:
        return self._outputs[index] if 0 <= index < len(self._outputs) else None

    def set_input(self, index: int, tensor: ITensor | None) -> None:
        """Replace an input, or give an optional one. Raises: TypeError for what is no tensor."""
        if tensor is not None and (why := why_no_tensor(tensor)):
            raise TypeError(f"{type(self).__name__}.set_input: tensor {why}")
        while len(self._inputs) <= index:
            self._inputs.append(None)
        self._inputs[index] = tensor
        self._network._changed(self)

    # --- weak typing, gone in TensorRT 11 ---

    @property
    def precision(self) -> DataType:
        removed_in_11("ILayer.precision", TYPED)
        return self._precision or DataType.FLOAT

    @precision.setter
    def precision(self, dtype: DataType) -> None:
        removed_in_11("ILayer.precision", TYPED)
        if not self._refused_by_strong_types("precision"):
            self._precision = dtype

    def _refused_by_strong_types(self, what: str) -> bool:
        """Whether the network is strongly typed, which is an error of who sets a layer's types, and is told."""
        strong = self._network.get_flag(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        if strong:
            why = "its network is strongly typed. Add a cast layer, or Q and DQ"
            self._network._report.error(f"{self.name}: its {what} cannot be set: {why}.")
        return strong

    @property
    def precision_is_set(self) -> bool:
        return self._precision is not None

    def reset_precision(self) -> None:
        self._precision = None

    def set_output_type(self, index: int, dtype: DataType) -> None:
        """The type of an output: FLOAT or HALF, whose numbers are rounded to it, INT32 or INT64. Errors are told."""
        removed_in_11("ILayer.set_output_type", TYPED)
        if self._refused_by_strong_types("output type"):
            return
        why = why_no_output_type(self, index, dtype)
        if why:
            self._network._report.error(f"{self.name}: {why}")
            return
        self._output_types[index] = dtype
        self._outputs[index]._asked_dtype = dtype if dtype in REAL else None
        self._network._changed(self)

    def get_output_type(self, index: int) -> DataType:
        if 0 <= index < len(self._outputs):
            return self._output_types.get(index, self._outputs[index].dtype)
        self._network._report.error(f"{self.name} has no output {index}: it has {len(self._outputs)}")
        return DataType.FLOAT

    def output_type_is_set(self, index: int) -> bool:
        return index in self._output_types

    def reset_output_type(self, index: int) -> None:
        if self._output_types.pop(index, None) is not None:
            self._outputs[index]._asked_dtype = None
            self._network._changed(self)

    # --- lowering ---

    def _ops(self, ins: list[Value | None], outs: list[Value]) -> list[Op]:
        """The operations that compute `outs` from `ins`; they may set types of `outs` (FLOAT's default: of the first
        input)."""
        raise NotImplementedError(f"{type(self).__name__} has no lowering")

    def _lowered(self, ins: list[Value | None], outs: list[Value]) -> list[Op]:
        """``_ops``, with their origin filled in, and the types that outputs shall have."""
        ops = self._ops(ins, outs)
        for index, dtype in self._output_types.items():
            ops += retyped(self, ops, outs[index], dtype)
        for value in [*outs, *(value for op in ops for value in op.outputs)]:
            if value.dtype not in NUMPY_TYPES:
                known = ", ".join(kind.name for kind in NUMPY_TYPES)
                raise ValueError(f"{self.name} makes {value.dtype.name}, but minitrt computes with {known} alone")
        for op in ops:
            op.origin = op.origin or [self.name]
        return ops

    def _op(self, kind: str, ins: Sequence[Value | None], outs: list[Value], **attrs: Any) -> Op:
        return Op(kind, self.name, list(ins), outs, attrs)

    def _same(self, ins: Sequence[Value], outs: list[Value]) -> list[Op]:
        """The operations of a layer that hands on its input."""
        return [self._op("pointwise", ins, outs, program=[["identity", ["x0"], ins[0].dtype.name]])]

    def _constant(self, array: np.ndarray | None, role: str, named: np.ndarray | None = None) -> Value | None:
        """Weights of this layer as a constant; named by set_weights_name (as `named`), else after layer and role."""
        if array is None:
            return None
        name = self._network._weights_names.get(place_of(array if named is None else named), f"{self.name} {role}")
        return Value(name, DATA_TYPES[array.dtype], array.shape, data=array, weights=name)


def why_no_output_type(layer: ILayer, index: int, dtype: DataType) -> str:
    """Why an output cannot be given a type, "" where it can."""
    if not 0 <= index < len(layer._outputs):
        return f"there is no output {index}: it has {len(layer._outputs)}"
    if why := why_no_member(DataType, dtype):
        return f"the output type {why}"
    if dtype == DataType.INT8:
        return "INT8 comes of BuilderFlag.INT8 with a calibrator or dynamic ranges, and cannot be set as an output type"
    computed = layer._outputs[index].dtype
    if computed == dtype or any({computed, dtype} <= {*family} for family in (REAL, WHOLE)):
        return ""
    return f"output {index} is {computed.name}, and cannot be {dtype.name}. Add a cast layer"


def retyped(layer: ILayer, ops: list[Op], out: Value, dtype: DataType) -> list[Op]:
    """What brings an output to another type behind the operations `ops`, which make another value from now on. Real
    numbers are rounded, and stay of the type that the network computes in; its ends are converted by the builder."""
    if out.is_constant:
        out.data = out.data.astype(NUMPY_TYPES[dtype]).astype(out.data.dtype if dtype in REAL else NUMPY_TYPES[dtype])
        out.dtype = DATA_TYPES[out.data.dtype]
        return []
    makers = [op for op in ops if out in op.outputs]
    computed = out.like(f"{out.name}/computed", shape=None)
    for op in makers:
        op.outputs = [computed if value is out else value for value in op.outputs]
    inside = DataType.FLOAT if dtype in REAL else dtype
    program = [["cast", ["x0"], dtype.name], ["cast", ["t0"], inside.name]]
    out.dtype = inside
    return [layer._op("pointwise", [computed], [out], program=program)] if makers else []


def dynamic(attrs: dict[str, Any], **inputs: tuple[int, Value | None]) -> dict[str, Any]:
    """Attributes with those that come from an input: ``name=(input index, value or None)``."""
    given = {name: index for name, (index, value) in inputs.items() if value is not None}
    kept = {name: value for name, value in attrs.items() if name not in given}
    return {**kept, "dynamic": given} if given else kept


def axes_of_mask(mask: int) -> list[int]:
    """The axes of a bit mask."""
    return [axis for axis in range(32) if int(mask) >> axis & 1]
