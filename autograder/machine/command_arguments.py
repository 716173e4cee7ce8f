"""The command line's own words: what is wrong with what was typed, and what was probably meant."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from autograder.answer.mistyped import close_to

OF_POSIX = ("fcntl", "resource", "pwd", "grp")  # modules that Windows has not
LAB = 'Run: python -m pip install "warpbook[lab]", then repeat.'


class UsageError(Exception):
    """Something in the command line cannot be used; the message says what, why and what to type instead."""


def needs_lab(run: Callable[[argparse.Namespace], Any]) -> Callable[[argparse.Namespace], Any]:
    """A command that says so where a package of the extra `lab` is not there, or the system is not one for a class."""

    @wraps(run)
    def run_or_say(arguments: argparse.Namespace) -> Any:
        try:
            return run(arguments)
        except ModuleNotFoundError as missing:
            if missing.name in OF_POSIX:
                raise UsageError(f"a class is judged on Linux: there is no {missing.name} here.") from missing
            if not importlib.util.find_spec("nbformat") or not importlib.util.find_spec("nbgrader"):
                raise UsageError(f"{missing.name} is missing. {LAB}") from missing
            raise

    return run_or_say


class Parser(argparse.ArgumentParser):
    """A parser that answers wrong input with one sentence, says what was probably meant, and ends with 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where one reads what is right. message: argparse's, or a whole sentence."""
        missing = message.partition("the following arguments are required: ")[2]
        if missing:
            message = f"{missing.replace(', ', ' and ')} {'are' if ',' in missing else 'is'} missing."
        message = message if message.endswith((".", "?")) else f"{message}."
        self.exit(2, f"{self.prog}: {message} `{self.prog} --help` lists all there is.\n")

    def parse_args(self, args=None, namespace=None):
        """As argparse does, but the subcommand answers for what it does not know, since it knows its options."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self._of(getattr(found, "command", "")).refuse(unknown[0])
        return found

    def refuse(self, unknown: str) -> NoReturn:
        """Say that this command has no such option or place."""
        name = unknown.partition("=")[0]
        options = [option for action in self._actions for option in action.option_strings]
        if name in options:  # before the command, where nobody has looked for it
            self.error(f"{name} stands before the command, and belongs behind it. Write {self.prog} {unknown} ...")
        kind = "no option of this command" if unknown.startswith("-") else "one argument too many"
        self.error(f"{name} is {kind}.{did_you_mean(name, options)}")

    def _of(self, command: str) -> Parser:
        """The parser of a subcommand, or this one."""
        tables = (action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction))
        return next((table[command] for table in tables if command in table), self)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """What argparse calls for every value that must be one of several."""
        choices = [str(choice) for choice in action.choices or ()]
        if not choices or str(value) in choices:
            return super()._check_value(action, value)
        if action.dest == "command":
            self.error(f"there is no command {value!r}.{did_you_mean(str(value), choices)}")
        name = "/".join(action.option_strings) or action.dest
        self.error(f"{name} cannot be {value!r}. Choose {' or '.join(choices)}.")


def did_you_mean(name: str, known: list[str]) -> str:
    """ " Did you mean check?" where something known comes close; "" otherwise."""
    near = close_to(name, known)
    return f" Did you mean {' or '.join(near)}?" if near else ""
