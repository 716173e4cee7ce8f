"""Kernel arguments and launch shapes as people type them on the command line."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

import numpy as np

from autograder.answer.mistyped import close_to

ARRAY = re.compile(r"^(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d,\s]*)\]$")
SCALAR = re.compile(r"^(?P<dtype>[a-z]+\d*)\((?P<value>[^)]*)\)$")
TYPE = re.compile(r"^(?P<dtype>[a-z]+\d*)(?:\[(?P<axes>[:1,\s]*)\])?$")


class UsageError(Exception):
    """Something in the command line cannot be used; the message says what, why and what to type instead."""


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


def dimensions(option: str, text: str) -> tuple[int, ...]:
    """One to three positive integers separated by commas: "32,8" -> (32, 8)."""
    try:
        values = tuple(int(part) for part in text.split(","))
    except ValueError:
        values = ()
    if not 1 <= len(values) <= 3 or min(values) < 1:
        raise UsageError(f"{option} {text!r} is no launch shape. Give one to three positive integers: {option} 32,8.")
    return values


def kernel_argument(text: str, seed: int):
    """An argument: "float32[1024]" a seeded random array, "float32(2.5)" a typed scalar, "7" an int, "2.5" a float."""
    if match := ARRAY.match(text.strip()):
        dtype = _dtype(match["dtype"])
        shape = tuple(int(part) for part in match["shape"].split(",") if part.strip())
        rng = np.random.default_rng(seed)
        if dtype.kind == "f":
            return rng.uniform(-1, 1, shape).astype(dtype)
        return rng.integers(0, 100, shape).astype(dtype)
    if match := SCALAR.match(text.strip()):
        try:
            return _dtype(match["dtype"]).type(match["value"])
        except ValueError as error:
            raise UsageError(f"--arg {text!r}: {match['value']!r} is no {match['dtype']}.") from error
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise UsageError(f"--arg {text!r} is no argument. Write 'float32[1024]', 'float32(2.5)', 7 or 2.5.")


def signature(text: str) -> tuple:
    """Argument types as numba writes them: "float32[:], int32" -> (float32[::1], int32). Arrays are C-contiguous."""
    from numba import from_dtype, types

    kinds = []
    for part in _split(text):
        match = TYPE.match(part)
        if not match:
            raise UsageError(
                f"--sig: {part!r} is no type. Write types as numba does: 'float32[:], float32[:, :], int32'."
            )
        scalar = from_dtype(_dtype(match["dtype"]))
        axes = match["axes"]
        kinds.append(scalar if axes is None else types.Array(scalar, axes.count(",") + 1, "C"))
    return tuple(kinds)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]


def _dtype(name: str) -> np.dtype:
    try:
        return np.dtype(name)
    except TypeError as error:
        raise UsageError(f"{name!r} is no NumPy type. Use one such as float32, int32, uint8.") from error
