"""What does not fit together, in words."""

from __future__ import annotations

import re

from minitrt.graph.ir import Op

OURS = re.compile(r"\w+\.\w+[: ]")  # a member of the API begins what a TypeError of ours says


class UnknownShape(ValueError):
    """A shape depends on a tensor whose elements are not known yet. Attributes: op, value (names)."""

    def __init__(self, op: str, value: str):
        super().__init__(f"{op}: its shape depends on the elements of {value}, which are known only when it has run")
        self.op, self.value = op, value


class TooSmall(ValueError):
    """A dimension is smaller than what an operation asks of it, whatever else there is."""


WRONG = (ValueError, IndexError, KeyError, TypeError, AttributeError, ArithmeticError)  # what operands may bring about


def cannot_take(op: Op, error: Exception) -> ValueError:
    """The same error with the operation's name and its inputs' shapes."""
    shapes = ", ".join(str(value.shape) for value in op.present)
    kind = TooSmall if isinstance(error, TooSmall) else ValueError
    return kind(f"{op.name} ({op.kind}) cannot take inputs of shape {shapes}: {in_words(error)}")


def in_words(error: Exception) -> str:
    """What an exception says to whoever wrote the model: Python's own words for a misfit are about our lines."""
    pythons = isinstance(error, IndexError | KeyError | AttributeError) or str(error).startswith("zip() ")
    if pythons or isinstance(error, TypeError) and not OURS.match(str(error)):
        return "its attributes and inputs are for another number of axes, or of another kind"
    return str(error).partition("\n")[0] or "its parts do not go together"
