"""One import: a model's inputs, nodes and outputs become a network's."""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.api.logger import Reporter
from minitrt.network.definition import UNNAMED, INetworkDefinition
from minitrt.network.tensor import ITensor
from minitrt.onnx_import import (  # noqa: F401 - each registers its operators
    arithmetic,
    attention,
    convolution,
    drawing,
    movement,
    normalisation,
    quantisation,
    recurrent,
    reduction,
    sampling,
    sequences,
    spectral,
)
from minitrt.onnx_import.checking import check
from minitrt.onnx_import.domains import learned, runtime_operators  # noqa: F401 - as those
from minitrt.onnx_import.integers import narrow
from minitrt.onnx_import.integers.unsigned import importer_for_uint64
from minitrt.onnx_import.node import LEARNED, ONNX_TYPES, WIDER, Node, NodeError, array_of, importer_of
from minitrt.onnx_import.order import in_order, node_name, with_inner_nodes
from minitrt.onnx_import.plugins import import_plugin, is_plugin, why_unsupported
from minitrt.onnx_import.stored import NOWHERE, Stored, dense, name_of_type
from minitrt.shapes.misfits import in_words

NAMELESS = ("", "?", "None", "unk", "-1")  # what exporters write for a dimension that they have no name for
NOTES = {  # of types that are wider or narrower in an engine
    onnx.TensorProto.DOUBLE: "DOUBLE tensors are FLOAT here, inputs and outputs too, as in TensorRT",
    onnx.TensorProto.BFLOAT16: "BFLOAT16 tensors are FLOAT here, inputs and outputs too: nothing is rounded to 8 bits",
    **dict.fromkeys(narrow.WIDER, narrow.NOTE),
    onnx.TensorProto.UINT64: narrow.NOTE_OF_64,
}


class ParserError:
    """One thing that went wrong. Members are methods, as in TensorRT."""

    def __init__(self, code: ErrorCode, desc: str, node: int = -1, name: str = "", operator: str = ""):
        self._code, self._desc, self._node, self._name, self._operator = code, desc, node, name, operator

    def code(self) -> ErrorCode:
        return self._code

    def desc(self) -> str:
        return self._desc

    def node(self) -> int:
        """The node's index in the graph, -1 for an error that belongs to none."""
        return self._node

    def node_name(self) -> str:
        return self._name

    def node_operator(self) -> str:
        return self._operator

    def file(self) -> str:
        return "minitrt/onnx_import"

    def func(self) -> str:
        return self._operator

    def line(self) -> int:
        return 0

    def local_function_stack(self) -> list[str]:
        return []

    def local_function_stack_size(self) -> int:
        return 0

    def __str__(self) -> str:
        where = f"node {self._node} ({self._name}, {self._operator}): " if self._node >= 0 else ""
        return f"{self._code.name}: {where}{self._desc}"

    __repr__ = __str__


class NodeErrorAt(Exception):
    """A ParserError on its way up."""

    def __init__(self, error: ParserError):
        super().__init__(str(error))
        self.error = error


class Importing:
    """One import: the model's tensors by name, as they come to be."""

    def __init__(
        self,
        model: onnx.ModelProto,
        network: INetworkDefinition,
        stored: Stored,
        graph: onnx.GraphProto | None = None,
    ):
        """stored: where large weights are. graph: a subgraph of the model [its whole graph]."""
        self.model, self.network, self.graph = model, network, model.graph if graph is None else graph
        self.stored = stored
        self.opset = opset_of(model, "", onnx.defs.onnx_opset_version())
        self.learned = opset_of(model, LEARNED, onnx.defs.onnx_ml_opset_version())
        self.tensors: dict[str, ITensor] = {}
        self.initializers = {proto.name: proto for proto in self.graph.initializer}
        self.initializers |= {each.values.name: dense(each) for each in self.graph.sparse_initializer}
        self.arrays: dict[str, np.ndarray] = {}
        self.outputs_of: dict[str, list[ITensor]] = {}
        self.report = Reporter(None)
        self.said: set[str] = set()
        self.kinds: dict[str, int] = {}  # ONNX types of tensors that are kept in wider ones
        self.wanted: set[str] = set()  # inputs whose elements an operator would have liked to know

    def unsupported_nodes(self) -> list[ParserError]:
        """An error for every node whose operator is unknown, all of them at once."""
        found = []
        for index, outermost in enumerate(self.model.graph.node):
            for proto in with_inner_nodes(outermost):
                if importer_of(proto) is None and not is_plugin(proto):
                    why, name = why_unsupported(proto), node_name(proto, index)
                    found.append(ParserError(ErrorCode.UNSUPPORTED_NODE, why, index, name, proto.op_type))
        return found

    def run(self, report: Reporter) -> None:
        """Add inputs, nodes, outputs. Raises: NodeErrorAt."""
        self.report = report
        if self.model.graph.name and self.network.name == UNNAMED:
            self.network.name = self.model.graph.name
        for value in self.model.graph.input:
            if value.name not in self.initializers:
                self.add_input(value)
        for index, proto in in_order(self.model.graph):
            name = node_name(proto, index)
            try:
                self.add_node(proto, name)
            except Exception as error:  # a malformed model makes of any line of an import what it likes
                code = getattr(error, "code", ErrorCode.INVALID_NODE)
                raise NodeErrorAt(ParserError(code, in_words(error), index, name, proto.op_type)) from error
            report.verbose(f"ONNX import: {proto.op_type} {name}")
        for value in self.model.graph.output:
            try:
                self.add_output(value)
            except NodeError as error:
                raise NodeErrorAt(ParserError(error.code, f"output {value.name!r}: {error}")) from error

    def release(self) -> None:
        """Let go of the model: the network has its weights, and who asks the parser for tensors gets the network's."""
        self.model, self.graph = onnx.ModelProto(), onnx.GraphProto()
        self.initializers, self.arrays, self.stored = {}, {}, NOWHERE

    def add_input(self, value: onnx.ValueInfoProto) -> None:
        kind = value.type.tensor_type
        if kind.elem_type not in ONNX_TYPES:
            known = name_of_type(kind.elem_type) if kind.elem_type else "no tensor"
            why = f"input {value.name!r} is {known}, which is not supported"
            raise NodeErrorAt(ParserError(ErrorCode.UNSUPPORTED_NODE_DATATYPE, why))
        if not kind.HasField("shape"):
            why = (
                f"input {value.name!r} has no shape in the model, not even a number of axes: write one into it, each"
                " size a number or a name (onnx.tools.update_model_dims does it)"
            )
            raise NodeErrorAt(ParserError(ErrorCode.UNSUPPORTED_NODE_SHAPE, why))
        self.note_type(kind.elem_type)
        self.kinds |= narrow.narrow_only([value.name], kind.elem_type)
        shape = [d.dim_value if d.HasField("dim_value") else -1 for d in kind.shape.dim]
        tensor = self.network.add_input(value.name, ONNX_TYPES[kind.elem_type], shape)
        if tensor is None:
            raise NodeErrorAt(ParserError(ErrorCode.INVALID_GRAPH, f"input {value.name!r} is there twice"))
        for axis, dim in enumerate(kind.shape.dim):
            if dim.HasField("dim_param") and dim.dim_param not in NAMELESS:
                tensor.set_dimension_name(axis, dim.dim_param)
        self.tensors[value.name] = tensor

    def note_type(self, kind: int) -> None:
        """Say what a type of the model is in the engine, where it is another."""
        if kind in NOTES:
            self.note(NOTES[kind])

    def note(self, text: str) -> None:
        """Warn, once."""
        if text not in self.said:
            self.said.add(text)
            self.report.warning(f"ONNX import: {text}")

    def add_node(self, proto: onnx.NodeProto, name: str) -> None:
        node, first, known = Node(proto, name, self), self.network.num_layers, importer_of(proto)
        if known is not None:
            check(node)
            known = importer_for_uint64(node, known)
        results = known(node) if known is not None else import_plugin(node)
        results = list(results) if isinstance(results, list | tuple) else [results]
        results = self.in_range(proto, results)
        layers = self.network._layers[first:]
        for number, layer in enumerate(reversed(layers)):
            if layer.LAYER_TYPE.name != "CONSTANT":
                layer.name = name if number == 0 else f"{name}_{len(layers) - number}"
            layer._metadata = f"[ONNX Layer: {name}]"
        for output, tensor in zip(proto.output, results, strict=False):
            if output and tensor is not None:
                self.tensors[output] = tensor
                if isinstance(tensor, ITensor) and tensor._producer is not None and tensor._producer in layers:
                    tensor.name = output
        self.outputs_of[name] = results

    def in_range(self, proto: onnx.NodeProto, results: list) -> list:
        """A node's results; those of types that engines lack, as these have them."""
        kinds = narrow.types_of_outputs(proto, self.opset, self.kinds)
        self.kinds |= kinds
        if proto.op_type in narrow.STAYS:
            return results
        named = zip(proto.output, results, strict=False)
        wrapped = [narrow.wrapped(self.network, x, kinds[n]) if x is not None and n in kinds else x for n, x in named]
        return wrapped + results[len(wrapped) :]

    def add_output(self, value: onnx.ValueInfoProto) -> None:
        """Mark an output; one that is an input, a constant or another output as well gets an identity of its own."""
        tensor = self.tensor(value.name)
        if not isinstance(tensor, ITensor):
            raise NodeError("it is a sequence, and engines give out tensors alone", ErrorCode.UNSUPPORTED_NODE_DATATYPE)
        self.note_type(value.type.tensor_type.elem_type)
        if tensor.is_network_output and tensor.name == value.name:
            self.note(f"output {value.name!r} is there twice; the engine has it once")
            return
        if tensor.is_network_input and tensor.name == value.name:
            tensor.name = f"__{value.name}"
            why = "an input and an output of an engine have names of their own"
            self.note(
                f"output {value.name!r} is an input, too: the input is {tensor.name!r} here, as in TensorRT: {why}"
            )
        shared = tensor.is_network_input or tensor.is_network_output
        constant = tensor._producer is not None and tensor._producer.LAYER_TYPE.name == "CONSTANT"
        if shared or constant or tensor.name != value.name:
            tensor = self.network.add_identity(tensor).get_output(0)
            tensor.name = value.name
        self.network.mark_output(tensor)

    def tensor(self, name: str) -> ITensor:
        if name not in self.tensors:
            array = self.weights(name)
            if array is None:
                raise NodeError(f"tensor {name!r} is used before anything makes it", ErrorCode.INVALID_GRAPH)
            layer = self.network.add_constant(array.shape, array)
            layer.name = name
            layer.get_output(0).name = name
            self.tensors[name] = layer.get_output(0)
        return self.tensors[name]

    def weights(self, name: str) -> np.ndarray | None:
        """An initializer's array, named in the network for refitting; the same object every time."""
        if name not in self.arrays:
            if name not in self.initializers:
                return None
            array, kind = array_of(self.initializers[name], self.stored), self.initializers[name].data_type
            if kind in WIDER:
                self.kinds[name] = kind
            self.arrays[name] = np.asarray(array, order="C")
            self.network.set_weights_name(self.arrays[name], name)
        return self.arrays[name]


def opset_of(model: onnx.ModelProto, domain: str, newest: int) -> int:
    """The version of a domain's operators; `newest` for a model that names others alone, 1 for one that names none."""
    same = ("", "ai.onnx") if not domain else (domain,)
    versions = [each.version for each in model.opset_import if each.domain in same]
    return versions[0] if versions else newest if model.opset_import else 1
