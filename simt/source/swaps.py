"""Compare-and-swap calls in a source: the cell that each changes, what it must hold for that, and what it gets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from simt.source.walking import walk

EXPECTED = {"cas": 2, "compare_and_swap": 1}  # which argument says what the cell must hold; the next one is stored
LOCKS = (*EXPECTED, "exch")  # whoever looks at what one of them found may be waiting for a lock


class SwapCall(NamedTuple):
    """`cuda.atomic.cas(cell, index, expected, new)`, or `compare_and_swap` of a cell. call: all of it."""

    call: ast.Call
    cell: ast.expr
    expected: ast.expr
    new: ast.expr

    @property
    def asks_for_a_constant(self) -> bool:
        """Whether it swaps where the cell holds a number that is written there, as a lock does."""
        return isinstance(self.expected, ast.Constant)


def swap_calls(tree: ast.AST) -> Iterator[SwapCall]:
    """Each compare-and-swap in a piece of source that has all its arguments."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and (at := EXPECTED.get(called_attribute(node))) and len(node.args) > at + 1:
            yield SwapCall(node, node.args[0], *node.args[at : at + 2])


def called_attribute(node: ast.AST) -> str:
    """ "cas" for a call of `cuda.atomic.cas`; "" for anything but the call of an attribute."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
