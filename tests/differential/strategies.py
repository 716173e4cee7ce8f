"""Programs as a hypothesis strategy, which hypothesis shrinks decision by decision."""

from __future__ import annotations

from hypothesis import strategies as st

from .choices import Choices
from .program import Program, write_program


@st.composite
def programs(draw, portable: bool = False) -> Program:
    """A program; portable: one that means the same to CPython."""
    return write_program(Choices(lambda n: draw(st.integers(0, n - 1))), portable)
