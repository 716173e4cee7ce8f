"""What the lowering and its loops share: the error that names a layer, and names that are taken once."""

from __future__ import annotations


class InvalidNetwork(ValueError):
    """The network cannot be built. Attribute: layer, the name of the layer at fault, or None."""

    def __init__(self, message: str, layer: str | None = None):
        super().__init__(message)
        self.layer = layer


def unique(name: str, used: set[str]) -> str:
    """`name`, numbered if it is taken; taken from now on."""
    candidate, number = name, 1
    while candidate in used:
        candidate, number = f"{name}_{number}", number + 1
    used.add(candidate)
    return candidate
