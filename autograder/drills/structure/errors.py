"""What may go wrong when code is compared by structure."""

from __future__ import annotations


class StructureError(ValueError):
    """Code that cannot be parsed; the message says where."""
