"""What several objects of the API have in common: names, `with` blocks, an error recorder, a logger."""

from __future__ import annotations

from typing import Any, Self

from minitrt.api.enums import ErrorCodeTRT
from minitrt.api.logger import ILogger, Reporter


class Named:
    """Has a name, which may be changed."""

    _name: str

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = str(name)


class InWith:
    """May stand in a `with` statement, as in scripts for TensorRT; its end frees nothing that Python would not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        pass


class Reporting(InWith):
    """Tells its errors to a reporter, whose error recorder may be changed."""

    _report: Reporter

    @property
    def error_recorder(self) -> Any:
        return self._report.recorder

    @error_recorder.setter
    def error_recorder(self, recorder: Any) -> None:
        self._report.recorder = recorder

    def _refuse(self, message: str, code: ErrorCodeTRT = ErrorCodeTRT.INVALID_ARGUMENT) -> bool:
        """Tell an error, which is the answer False."""
        self._report.error(message, code)
        return False


class Logged(Reporting):
    """Was made with a logger of the user's."""

    _logger: ILogger

    @property
    def logger(self) -> ILogger:
        return self._logger
