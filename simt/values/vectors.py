"""Vector types such as float32x4 and float4: tuples of components in one element type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.source.counts import count_text
from simt.values.numba_rules import cast

if TYPE_CHECKING:
    from simt.values import Value

VECTOR_NAME = re.compile(
    r"^(?:(?P<type>u?int(?:8|16|32|64)|float(?:16|32|64))x(?P<n>[1-4])"
    r"|(?P<alias>u?(?:char|short|int|long|longlong)|float|double|half)(?P<m>[1-4]))$"
)
ALIASES = {
    "char": "int8", "short": "int16", "int": "int32", "long": "int64", "longlong": "int64",
    "float": "float32", "double": "float64", "half": "float16",
}  # fmt: skip


class Parts(tuple):
    """A value whose parts have names, .x and so on; to numba it is no sequence."""

    def refused(self, what: str) -> UnsupportedError:
        """The error for a use as a sequence, to be raised. what: the use, as in "has no length"."""
        return UnsupportedError(f"a value whose parts have names {what}: write .x, .y, .z or .w")


class Vector(Parts):
    """Two to four (or one) components, read as .x, .y, .z and .w."""

    def component(self, name: str):
        position = "xyzw".find(name)
        if len(name) != 1 or not 0 <= position < len(self):
            raise UnsupportedError(f"a vector of {count_text(len(self), 'component')} has no .{name}")
        return self[position]


def vector_type(name) -> tuple[np.dtype, int] | None:
    """(element type, components) of a vector type's name, or None."""
    match = VECTOR_NAME.match(name) if isinstance(name, str) else None
    if match is None:
        return None
    if match["type"]:
        return np.dtype(match["type"]), int(match["n"])
    alias = match["alias"]
    unsigned = alias.startswith("u")
    return np.dtype(("u" if unsigned else "") + ALIASES[alias[unsigned:]]), int(match["m"])


def make_vector(dtype: np.dtype, count: int, arguments: list) -> Vector:
    """A vector from scalars and from vectors of the same element type."""
    components: list[Value] = []
    for argument in arguments:
        if isinstance(argument, Vector) and argument[0].dtype != dtype:
            raise UnsupportedError(f"a vector of {dtype} takes no vector of {argument[0].dtype}: pass its parts")
        components.extend(argument if isinstance(argument, Vector) else [argument])
    if len(components) != count:
        raise UnsupportedError(
            f"a vector of {count_text(count, 'component')} cannot be made from {count_text(len(components), 'value')}"
        )
    return Vector(cast(component, dtype) for component in components)
