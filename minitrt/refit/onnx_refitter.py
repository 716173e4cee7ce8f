"""OnnxParserRefitter: weights for a refit from an ONNX model of the same structure."""

from __future__ import annotations

from minitrt.api.logger import ILogger
from minitrt.api.sealed import sealed
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import InvalidNetwork, lower
from minitrt.onnx_import.parser import ErrorCode, OnnxParser, ParserError
from minitrt.refit.refitter import Refitter


@sealed
class OnnxParserRefitter:
    """Gives a Refitter every weight that an ONNX model has, derived ones (folded statistics) included."""

    def __init__(self, refitter: Refitter, logger: ILogger):
        self._refitter, self._logger = refitter, logger
        self._errors: list[ParserError] = []
        self._parser: OnnxParser | None = None

    def refit_from_bytes(self, model: bytes, path: str | None = None) -> bool:
        parser = self._fresh()
        return self._take(parser, parser.parse(model, path))

    def refit_from_file(self, model: str) -> bool:
        parser = self._fresh()
        return self._take(parser, parser.parse_from_file(model))

    def load_model_proto(self, model: bytes, path: str | None = None) -> bool:
        self._parser = self._fresh()
        return self._parser.load_model_proto(model, path)

    def load_initializer(self, name: str, data, size: int | None = None) -> bool:
        return self._parser is not None and self._parser.load_initializer(name, data, size)

    def refit_model_proto(self) -> bool:
        return self._parser is not None and self._take(self._parser, self._parser.parse_model_proto())

    def _fresh(self) -> OnnxParser:
        return OnnxParser(INetworkDefinition(None, 0, self._logger), self._logger)

    def _take(self, parser: OnnxParser, parsed: bool) -> bool:
        """Set every weight that the engine and the model have in common."""
        self._errors += parser._errors
        if not parsed:
            return False
        try:
            constants = lower(parser._network).constants()
        except InvalidNetwork as error:
            return self._fail(str(error))
        known = set(self._refitter.get_all_weights())
        given = {value.weights: value.data for value in constants if value.weights in known}
        if not given:
            return self._fail("the model and the engine have no weights in common")
        return all([self._refitter.set_named_weights(name, array) for name, array in given.items()]) or self._fail(
            "some weights do not fit; the logger knows which"
        )

    def _fail(self, why: str) -> bool:
        self._errors.append(ParserError(ErrorCode.REFIT_FAILED, why))
        return False

    @property
    def num_errors(self) -> int:
        return len(self._errors)

    def get_error(self, index: int) -> ParserError:
        return self._errors[index]

    def clear_errors(self) -> None:
        self._errors = []
