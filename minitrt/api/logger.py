"""Loggers: everything that goes wrong is said through one, and most calls answer with None or False besides."""

from __future__ import annotations

import sys
from collections.abc import Callable

from minitrt.api.enums import Severity


class ILogger:
    """Base of user loggers: override ``log(severity, message)``."""

    Severity = Severity
    INTERNAL_ERROR, ERROR, WARNING, INFO, VERBOSE = Severity

    def log(self, severity: Severity, msg: str) -> None:
        """Take one message. severity: ILogger.Severity, smaller is worse."""
        raise NotImplementedError(f"{type(self).__name__} must override log(severity, msg)")


class Logger(ILogger):
    """Prints messages at least as bad as ``min_severity`` to stderr."""

    def __init__(self, min_severity: Severity = Severity.WARNING):
        self.min_severity = min_severity

    def log(self, severity: Severity, msg: str) -> None:
        if int(severity) <= int(self.min_severity):
            print(f"[minitrt] [{severity.name}] {msg}", file=sys.stderr)


class Reporter:
    """Where one object's messages go: its logger, and its error recorder if it has one."""

    def __init__(self, logger: ILogger | None):
        self.logger = logger
        self.recorder = None

    def say(self, severity: Severity, message: str) -> None:
        if self.logger is not None:
            told(self.logger.log, severity, message)

    def error(self, message: str, code: object = None) -> None:
        """Log an error; an IErrorRecorder hears it with its code (ErrorCodeTRT)."""
        if self.recorder is not None:
            told(self.recorder.report_error, code, message)
        self.say(Severity.ERROR, message)

    def warning(self, message: str) -> None:
        self.say(Severity.WARNING, message)

    def info(self, message: str) -> None:
        self.say(Severity.INFO, message)

    def verbose(self, message: str) -> None:
        self.say(Severity.VERBOSE, message)


def told(listener: Callable[..., object], *words: object) -> None:
    """Tell a logger or a recorder of the user's. What it throws ends no build and no run, as with the bindings."""
    try:
        listener(*words)
    except Exception as error:
        print(f"[minitrt] [ERROR] Exception caught in {listener.__name__}(): {error}", file=sys.stderr)


def given_logger(logger: object, taker: str) -> ILogger:
    """The logger. Raises: TypeError for anything else, None as well."""
    if not isinstance(logger, ILogger):
        raise TypeError(f"{taker} takes an ILogger, such as Logger(Logger.WARNING), but got {logger!r}")
    return logger
