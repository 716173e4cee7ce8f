"""What numba refuses, in plain words: one set of sentences for the interpreter, which meets a mistake while it compiles
or runs a kernel, and for the lint, which reads it in numba's own message.

`in_statement` finds the words for a statement that failed without any of its own.
"""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a kernel is refused. kind: one word for the mistake; says: what is wrong; remedy: what to write instead."""

    kind: str
    says: str
    remedy: str
