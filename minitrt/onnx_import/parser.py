"""OnnxParser: reads a model, lets it be imported node by node, and lists what could not be."""

from __future__ import annotations

import os
from collections.abc import Iterable

import onnx

from minitrt.api.common import InWith
from minitrt.api.enums import ErrorCode, OnnxParserFlag
from minitrt.api.logger import Reporter, given_logger
from minitrt.api.sealed import sealed
from minitrt.api.without_effect import notice_member
from minitrt.network.definition import INetworkDefinition
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.importing import Importing, NodeErrorAt, ParserError
from minitrt.onnx_import.local_functions import inlined
from minitrt.onnx_import.node import OPERATORS
from minitrt.onnx_import.regions import control  # noqa: F401 - registers If, Loop and Scan
from minitrt.onnx_import.stored import NOWHERE, Stored


@sealed
class OnnxParser(InWith):
    """Adds an ONNX model to a network. Nothing is thrown: parse returns False and ``get_error`` tells why."""

    def __init__(self, network: INetworkDefinition, logger):
        self._network, self._report = network, Reporter(given_logger(logger, "OnnxParser"))
        self._errors: list[ParserError] = []
        self._flags = 1 << int(OnnxParserFlag.NATIVE_INSTANCENORM)
        self._importing: Importing | None = None
        self._subgraphs: list[tuple[list[int], bool]] = []
        self._model: onnx.ModelProto | None = None
        self._stored = NOWHERE

    # --- parsing ---

    def parse(self, model: bytes, path: str | None = None) -> bool:
        """Add a serialised model. path: of its file, next to which external weights lie."""
        return self.load_model_proto(model, path) and self.parse_model_proto()

    def parse_from_file(self, model: str) -> bool:
        """Add a model from the file of this path. Raises TypeError for what is none: 0 is no open file of yours."""
        model = os.fspath(model)
        if not os.path.exists(model):
            return self._fail(ParserError(ErrorCode.MODEL_DESERIALIZE_FAILED, f"there is no file {model}"))
        with open(model, "rb") as file:
            regular = os.path.isfile(model)  # of a pipe nothing can be read twice
            self._stored = Stored(file.fileno() if regular else file.read(), folder_of(model))
            self._model = self._read()
            return self.parse_model_proto()

    parse_with_weight_descriptors = parse

    def load_model_proto(self, model: bytes, path: str | None = None) -> bool:
        """Read a model whose initializers come later (load_initializer); parse_model_proto adds it."""
        self._stored = Stored(bytes_of(model), folder_of(path))
        self._model = self._read()
        return self._model is not None

    def load_initializer(self, name: str, data, size: int | None = None) -> bool:
        """Give the bytes of an initializer of the model that load_model_proto read."""
        for proto in self._model.graph.initializer if self._model else ():
            if proto.name == name:
                proto.ClearField("external_data")
                proto.data_location = onnx.TensorProto.DEFAULT
                proto.raw_data = bytes(data)[:size]
                return True
        return self._fail(ParserError(ErrorCode.INVALID_VALUE, f"the model has no initializer {name!r}"))

    def parse_model_proto(self) -> bool:
        return self._model is not None and self._import(self._model)

    def _read(self) -> onnx.ModelProto | None:
        try:
            proto = self._stored.proto()
            if not proto.graph.node and not proto.graph.output:
                raise ValueError("it has no graph")
            return inlined(proto)
        except Exception as error:  # protobuf raises types of its own for anything that is no model
            why = "" if isinstance(error, TypeError) else str(error).partition("\n")[0]  # of names that are no text
            why = f"this is no ONNX model: {why or 'its bytes are damaged'}"
            self._fail(ParserError(ErrorCode.MODEL_DESERIALIZE_FAILED, why))
            return None

    def _import(self, model: onnx.ModelProto) -> bool:
        self._model, self._importing = None, Importing(model, self._network, self._stored)
        unsupported = self._importing.unsupported_nodes()
        for error in unsupported:
            self._fail(error)
        if unsupported:
            return False
        try:
            self._importing.run(self._report)
        except NodeErrorAt as error:
            return self._fail(error.error)
        finally:
            self._importing.release()
            self._stored = NOWHERE
        return True

    def _fail(self, error: ParserError) -> bool:
        self._errors.append(error)
        self._report.error(f"ONNX import: {error}")
        return False

    # --- asking ---

    def supports_operator(self, op_name: str) -> bool:
        return op_name in OPERATORS

    def supports_model(self, model: bytes, path: str | None = None) -> tuple[bool, list]:
        """Whether all of a model can be imported, and the runs of nodes that can or cannot."""
        supported = self.supports_model_v2(model, path)
        return supported, SubGraphCollection((NodeIndices(nodes), ok) for nodes, ok in self._subgraphs)

    def supports_model_v2(self, model: bytes, path: str | None = None) -> bool:
        """Try a model; num_subgraphs, get_subgraph_nodes and is_subgraph_supported then tell about its parts."""
        stored = self._stored = Stored(bytes_of(model), folder_of(path))
        proto = self._read()
        if proto is None:
            return False
        bad = {error.node() for error in Importing(proto, self._network, stored).unsupported_nodes()}
        if not bad:
            trial = Importing(proto, INetworkDefinition(None, self._network.flags, None), stored)
            try:
                trial.run(Reporter(None))
            except NodeErrorAt as error:
                self._errors.append(error.error)
                bad = {error.error.node()}
        self._subgraphs = runs(len(proto.graph.node), bad)
        return not bad

    @property
    def num_subgraphs(self) -> int:
        return len(self._subgraphs)

    def is_subgraph_supported(self, index: int) -> bool:
        return self._has_subgraph(index) and self._subgraphs[index][1]

    def get_subgraph_nodes(self, index: int) -> list[int]:
        return self._subgraphs[index][0] if self._has_subgraph(index) else []

    def _has_subgraph(self, index: int) -> bool:
        """Whether there is a part of this number; it is an error where not."""
        there = 0 <= index < len(self._subgraphs)
        if not there:
            self._report.error(f"there is no subgraph {index}; the parser found {len(self._subgraphs)}")
        return there

    @property
    def num_errors(self) -> int:
        return len(self._errors)

    def get_error(self, index: int) -> ParserError | None:
        """An error of the last model, or None for a number that there is none of."""
        return self._errors[index] if 0 <= index < len(self._errors) else None

    def clear_errors(self) -> None:
        self._errors = []

    def get_layer_output_tensor(self, name: str, i: int) -> ITensor | None:
        """Output i of the ONNX node of this name."""
        outputs = self._importing.outputs_of.get(name, []) if self._importing else []
        return outputs[i] if 0 <= i < len(outputs) else None

    def get_used_vc_plugin_libraries(self) -> list[str]:
        return []

    def set_builder_config(self, builder_config) -> bool:
        """The configuration that the network will be built with; import does not depend on it."""
        return True

    # --- flags ---

    @property
    def flags(self) -> int:
        return self._flags

    @flags.setter
    def flags(self, flags: int) -> None:
        for flag in OnnxParserFlag:
            (self.set_flag if int(flags) >> int(flag) & 1 else self.clear_flag)(flag)

    def set_flag(self, flag: OnnxParserFlag) -> None:
        """None of them has an effect; one that is not set already says so."""
        if not self.get_flag(flag):
            notice_member(self, flag)
        self._flags |= 1 << int(flag)

    def clear_flag(self, flag: OnnxParserFlag) -> None:
        if self.get_flag(flag):
            notice_member(self, flag)
        self._flags &= ~(1 << int(flag))

    def get_flag(self, flag: OnnxParserFlag) -> bool:
        return bool(self._flags >> int(flag) & 1)


class NodeIndices(list):
    """Numbers of nodes."""


class SubGraphCollection(list):
    """Runs of nodes, each with whether it is supported."""


def bytes_of(model: bytes) -> bytes:
    """Raises: TypeError for a path, which another method takes."""
    if isinstance(model, str | os.PathLike):
        raise TypeError(f"a model's bytes are wanted, but this is a text: parse_from_file({os.fspath(model)[:80]!r})")
    return bytes(model)


def folder_of(path: str | None) -> str | None:
    """Where the files lie that a model of this path names."""
    return os.path.dirname(os.path.abspath(path)) if path else None


def get_nv_onnx_parser_version() -> int:
    """The version of the parser's interface: 101600 for 10.16.0."""
    return 101600


def runs(count: int, bad: Iterable[int]) -> list[tuple[list[int], bool]]:
    """Nodes in runs that are all supported or all not."""
    bad, found = set(bad), []
    for index in range(count):
        ok = index not in bad
        if found and found[-1][1] == ok:
            found[-1][0].append(index)
        else:
            found.append(([index], ok))
    return found
