"""What may go wrong when code is compared by structure."""

from __future__ import annotations


class StructureError(ValueError):
    """Code that cannot be parsed; the message says where."""


def first_error(node):
    """The first node of a syntax tree that did not parse; None where all did."""
    if node.type == "ERROR" or node.is_missing:
        return node
    if not node.has_error:
        return None
    return next(filter(None, map(first_error, node.children)), node)
