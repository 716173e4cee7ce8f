"""What an operator's import function sees: its node's inputs, attributes, and the network to add layers to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx

from minitrt.api.enums import DataType, ErrorCode
from minitrt.api.weights import data_type
from minitrt.network.definition import INetworkDefinition
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.integers import narrow
from minitrt.onnx_import.stored import Stored, name_of_type

OPERATORS: dict[str, dict[str | None, Callable[[Node], Any]]] = {}  # name -> domain, None for any -> import
ONNX, RUNTIME, LEARNED = "", "com.microsoft", "ai.onnx.ml"  # its own domain, ONNX Runtime's, of classical learning
ONNX_TYPES = {
    onnx.TensorProto.FLOAT: DataType.FLOAT,
    onnx.TensorProto.DOUBLE: DataType.FLOAT,  # computed in single precision, as TensorRT does
    onnx.TensorProto.FLOAT16: DataType.HALF,
    onnx.TensorProto.INT8: DataType.INT8,
    onnx.TensorProto.UINT8: DataType.UINT8,
    onnx.TensorProto.INT32: DataType.INT32,
    onnx.TensorProto.INT64: DataType.INT64,
    onnx.TensorProto.BOOL: DataType.BOOL,
    onnx.TensorProto.BFLOAT16: DataType.FLOAT,  # the same numbers, and nothing is rounded to their 8 bits
    **narrow.WIDER,
}


FP8 = (onnx.TensorProto.FLOAT8E4M3FN, onnx.TensorProto.FLOAT8E4M3FNUZ, onnx.TensorProto.FLOAT8E5M2,
       onnx.TensorProto.FLOAT8E5M2FNUZ)  # fmt: skip
WIDER = {  # of weights alone: what their numbers are kept in
    onnx.TensorProto.BFLOAT16: np.float32,
    **{kind: np.int32 if dtype == DataType.INT32 else np.int64 for kind, dtype in narrow.WIDER.items()},
    onnx.TensorProto.INT4: np.int8,
    onnx.TensorProto.UINT4: np.uint8,
    **dict.fromkeys(FP8, np.float32),
}


class NodeError(ValueError):
    """A node that cannot be imported. code: ErrorCode."""

    def __init__(self, message: str, code: ErrorCode = ErrorCode.UNSUPPORTED_NODE):
        super().__init__(message)
        self.code = code


class Sequence:
    """What an ONNX value of type sequence is while importing. absent: of an optional value, that there is none."""

    def __init__(self, items: list[ITensor], absent: bool = False):
        self.items, self.absent = items, absent


class Stack(Sequence):
    """A sequence of which only a run knows how many items it has: they are alike, and lie along axis 0 of a tensor."""

    def __init__(self, stack: ITensor):
        self.stack, self.absent = stack, False

    @property
    def items(self) -> list[ITensor]:
        raise NodeError(
            "only a run knows how many items the sequence has; it can be asked for one of them (SequenceAt), for their"
            " number (SequenceLength), and be joined (ConcatFromSequence)"
        )


def operator(*names: str, domains: tuple[str, ...] | None = (ONNX,)) -> Callable:
    """Register a function of a Node as the import of these operators. It returns one tensor, or several.

    domains: of a model where the operator has this meaning; None: in any.
    """

    def register(function: Callable[[Node], Any]) -> Callable[[Node], Any]:
        for name in names:
            OPERATORS.setdefault(name, {}).update(dict.fromkeys(domains or (None,), function))
        return function

    return register


def importer_of(proto: onnx.NodeProto) -> Callable[[Node], Any] | None:
    """The import of a node's operator; None where nobody knows it, or knows it of another domain."""
    known = OPERATORS.get(proto.op_type, {})
    return known.get(ONNX if proto.domain == "ai.onnx" else proto.domain, known.get(None))


class Node:
    """One node under import. Inputs are numbered; an absent optional one is None."""

    def __init__(self, proto: onnx.NodeProto, name: str, importing):
        self.proto, self.name, self.importing = proto, name, importing
        self.network: INetworkDefinition = importing.network
        self.opset: int = importing.opset
        self.attributes = {each.name: onnx.helper.get_attribute_value(each) for each in proto.attribute}

    @property
    def op_type(self) -> str:
        return self.proto.op_type

    @property
    def num_outputs(self) -> int:
        return len(self.proto.output)

    def wants(self, index: int) -> bool:
        """Whether output `index` is used."""
        return index < len(self.proto.output) and bool(self.proto.output[index])

    def has(self, index: int) -> bool:
        return index < len(self.proto.input) and bool(self.proto.input[index])

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute; strings as str, lists as list."""
        value = self.attributes.get(name, default)
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, list | tuple) and value and isinstance(value[0], bytes):
            return [each.decode() for each in value]
        return list(value) if isinstance(value, tuple) else value

    def value(self, index: int) -> ITensor | Sequence | None:
        """Input `index`, whatever it is; an initializer becomes a constant layer on first use."""
        return self.importing.tensor(self.proto.input[index]) if self.has(index) else None

    def tensor(self, index: int) -> ITensor | None:
        """Input `index` as a tensor. Raises: NodeError for a sequence."""
        value = self.value(index)
        if isinstance(value, Sequence):
            raise NodeError(
                f"input {index}, {self.proto.input[index]!r}, is a sequence or absent, but must be a tensor"
            )
        return value

    def sequence(self, index: int) -> Sequence:
        """Input `index` as a sequence. Raises: NodeError for a tensor."""
        value = self.value(index)
        if not isinstance(value, Sequence) or value.absent:
            raise NodeError(f"input {index}, {self.proto.input[index]!r}, must be a sequence")
        return value

    @property
    def x(self) -> ITensor:
        return self.tensor(0)

    def tensors(self) -> list[ITensor | None]:
        return [self.tensor(index) for index in range(len(self.proto.input))]

    def weights(self, index: int) -> np.ndarray | None:
        """Input `index` as an array if it is an initializer (named for refitting), else None."""
        return self.importing.weights(self.proto.input[index]) if self.has(index) else None

    def known(self, index: int) -> np.ndarray | None:
        """The elements of input `index` if they are known while importing: an initializer or shape arithmetic.

        Where they are not, `importing.wanted` lists the network's input that they would have come from.
        """
        if not self.has(index):
            return None
        array = self.importing.weights(self.proto.input[index])
        if array is None:
            array = self.network._facts.elements(self.tensor(index))
        if array is None and self.tensor(index).is_network_input:
            self.importing.wanted.add(self.proto.input[index])
        return array

    def numbers(self, index: int, what: str) -> list:
        """`known` as a list. Raises: NodeError when it is not known."""
        array = self.known(index)
        if array is None:
            raise NodeError(
                f"{what} must be known when the engine is built, but comes from {self.proto.input[index]!r}",
                ErrorCode.UNSUPPORTED_NODE_INPUT,
            )
        return np.ravel(array).tolist()

    def need(self, holds: bool, why: str) -> None:
        """Raises: NodeError with the reason, where it does not hold."""
        if not holds:
            raise NodeError(why, ErrorCode.INVALID_NODE)

    def rank(self, index: int = 0) -> int:
        return len(self.shape(index))

    def shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of an input, -1 where it is dynamic. Raises: NodeError when it is unknown."""
        self.need_shape(index)
        return tuple(self.tensor(index).shape)

    def dtype(self, index: int = 0) -> DataType:
        return self.tensor(index).dtype

    def need_shape(self, index: int) -> None:
        facts, tensor = self.network._facts, self.tensor(index)
        if tensor._producer is not None and facts.value(tensor) is None:
            message = f"the shape of {self.proto.input[index]!r} is unknown: {facts.why_not(tensor)}"
            raise NodeError(message, ErrorCode.UNSUPPORTED_NODE_SHAPE)

    def constant(self, array: Any, dtype: Any = None) -> ITensor:
        """A new constant tensor."""
        array = np.asarray(array, dtype)
        return self.network.add_constant(array.shape, np.asarray(array, order="C")).get_output(0)

    def builtin(self, kind: str, inputs: list, outputs: int = 1, types: list | None = None, **attrs: Any):
        """An operation of the graph as a layer: its only output, or its outputs as a list."""
        layer = self.network._add_builtin(kind, inputs, outputs, types, **attrs)
        made = [layer.get_output(index) for index in range(outputs)]
        return made[0] if outputs == 1 else made

    def pointwise(self, program: list, *inputs: ITensor) -> ITensor:
        return self.network._add_pointwise(list(inputs), program).get_output(0)

    def step(self, operation: str, *inputs: ITensor, numbers: tuple = (), dtype: DataType | None = None) -> ITensor:
        """A pointwise layer of one step on `inputs` and then `numbers`; dtype of the result [that of the first
        input]."""
        operands = [f"x{index}" for index in range(len(inputs))]
        return self.pointwise([[operation, [*operands, *numbers], (dtype or inputs[0].dtype).name]], *inputs)

    def reshape(self, x: ITensor, shape: list[int]) -> ITensor:
        layer = self.network.add_shuffle(x)
        layer.reshape_dims, layer.zero_is_placeholder = shape, False
        return layer.get_output(0)

    def parted(self, x: ITensor, parts: list) -> ITensor:
        """x under a shape of numbers and of [axes, factor, divisor]: the product of the axes times factor / divisor."""
        old, shape = tuple(x.shape), []
        for part in parts:
            axes, factor, divisor = part if isinstance(part, list) else ([], part, 1)
            sizes = [old[axis] for axis in axes]
            shape.append(-1 if -1 in sizes else math.prod(sizes) * factor // divisor)
        return self.reshape(x, shape) if shape.count(-1) <= 1 else self.builtin("shuffle", [x], parts=parts)

    def unsqueezed(self, x: ITensor, axes: list[int]) -> ITensor:
        axes = self.constant(axes, np.int64)
        return self.network.add_unsqueeze(x, axes).get_output(0)

    def transpose(self, x: ITensor, order: list[int]) -> ITensor:
        layer = self.network.add_shuffle(x)
        layer.first_transpose = order
        return layer.get_output(0)

    def cast(self, x: ITensor, dtype: DataType) -> ITensor:
        return x if x.dtype == dtype else self.network.add_cast(x, dtype).get_output(0)

    def type_of(self, onnx_type: int) -> DataType:
        """The engine's type for an ONNX type. Raises: NodeError for one it lacks."""
        if onnx_type not in ONNX_TYPES:
            name = name_of_type(onnx_type)
            raise NodeError(f"tensors of type {name} are not supported", ErrorCode.UNSUPPORTED_NODE_DATATYPE)
        self.importing.note_type(onnx_type)
        return ONNX_TYPES[onnx_type]

    def onnx_type(self, index: int) -> int:
        """The type of an input as the model has it, where engines keep it in a wider one; else 0."""
        if not self.has(index):
            return 0
        self.importing.weights(self.proto.input[index])
        return self.importing.kinds.get(self.proto.input[index], 0)


def array_of(proto: onnx.TensorProto, stored: Stored) -> np.ndarray:
    """An initializer as an array of a type that engines compute with; doubles become floats, and the types of `WIDER`
    wider ones with the same numbers. stored: where its elements are, if not in the message.

    Raises: NodeError for strings and complex numbers.
    """
    if proto.data_type not in WIDER and proto.data_type not in ONNX_TYPES:
        name = name_of_type(proto.data_type)
        message = f"initializer {proto.name!r} has type {name}, which is not supported"
        raise NodeError(message, ErrorCode.UNSUPPORTED_NODE_DATATYPE)
    array = as_written(proto, stored)
    if proto.data_type in WIDER:
        return array.astype(WIDER[proto.data_type])  # of UINT64 the same bits
    data_type(array.dtype)
    return array.astype(np.float32) if array.dtype == np.float64 else array


def as_written(proto: onnx.TensorProto, stored: Stored) -> np.ndarray:
    """A tensor in the type that it has in the model."""
    raw = stored.raw(proto)
    if raw is None:
        return onnx.numpy_helper.to_array(proto)
    if proto.data_type in WIDER:  # of which some lie several to a byte
        message = onnx.TensorProto(data_type=proto.data_type, dims=proto.dims, raw_data=bytes(raw))
        return onnx.numpy_helper.to_array(message)
    dtype = onnx.helper.tensor_dtype_to_np_dtype(proto.data_type)
    return np.frombuffer(raw, dtype).reshape(tuple(proto.dims))
