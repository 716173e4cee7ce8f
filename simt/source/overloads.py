"""What a program taught numba's compiler: what @overload or @register_jitable has for a function."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from simt.memory.arrays import Array
from simt.values import number
from simt.values.unasked import kind_has

REGISTRIES = ("numba.cuda.typing.templates", "numba.core.typing.templates")  # where decorators of either leave them


def implementation_of(
    function: Callable, values: tuple, keywords: dict[str, Any], literals: tuple = ()
) -> Callable | None:
    """The Python function that stands for `function` given these values; None where nobody wrote one for them.

    An overload is called as numba calls it, with the types of the arguments, and says by what it returns. literals:
    of each positional argument, True for a literal: its type has the value, and is tried second, or first where the
    overload prefers it.
    """
    if not (known := list(_overloads(function))):
        return None
    named = {name: _type_of(value) for name, value in keywords.items()}
    plain = [_type_of(value) for value in values]
    written = [
        _literal_of(value, kind) if literal is True else kind
        for value, kind, literal in itertools.zip_longest(values, plain, literals[: len(values)])
    ]
    for choose, prefers_literals in known:
        for kinds in (written, plain) if prefers_literals else (plain, written):
            made = choose(*kinds, **named)
            if made is not None:
                return made[1] if isinstance(made, tuple) else made
    return None


def is_taught(value: Any) -> bool:
    """Whether the program gave numba's compiler a meaning for a call of this, a class of its own for one."""
    registries = (getattr(sys.modules.get(name), "builtin_registry", None) for name in REGISTRIES)
    return any(known is value for registry in registries for known, _ in getattr(registry, "globals", []))


def _literal_of(value, kind):
    """The type of a literal, which has its value; that of any such value where numba has none for literals."""
    numba = sys.modules["numba"]
    plain = value.item() if isinstance(value, np.generic) else value
    return numba.types.literal(plain) if type(plain) in (int, bool, str) else kind


def _overloads(function: Callable) -> Iterator[tuple[Callable, bool]]:
    """The newest first, as of two for the same types numba takes the later one; and whether it prefers literals."""
    for name in REGISTRIES:
        registry = getattr(sys.modules.get(name), "builtin_registry", None)
        for known, kind in reversed(getattr(registry, "globals", [])):
            if known is function:
                for template in getattr(kind, "templates", ()):
                    if (choose := getattr(template, "_overload_func", None)) is not None:
                        yield choose, bool(getattr(template, "prefer_literal", False))


def methods_named(name: str) -> list[Callable]:
    """What @overload_method, outside numba itself, has for methods of that name, the newest first."""
    registries = [getattr(sys.modules.get(module), "builtin_registry", None) for module in REGISTRIES]
    attributes = [getattr(registry, "attributes", []) for registry in registries]
    return _methods(tuple((id(each), len(each)) for each in attributes), attributes).get(name, [])


_known: tuple[tuple, dict[str, list[Callable]]] = ((), {})  # kept: numba has many, and every method call asks


def _methods(state: tuple, attributes: list[list]) -> dict[str, list[Callable]]:
    """By name, read anew when the lists have grown. state: which lists they are, and how long each is."""
    global _known
    if _known[0] != state:
        found: dict[str, list[Callable]] = {}
        for template in itertools.chain.from_iterable(map(reversed, attributes)):
            choose = getattr(template, "_overload_func", None)
            if choose and not choose.__module__.startswith("numba"):
                found.setdefault(getattr(template, "_attr", ""), []).append(choose)
        _known = state, found
    return _known[1]


def method_of(methods: list[Callable], receiver, values: tuple) -> Callable | None:
    """The first of them that has an implementation for these values; it is called with the receiver first."""
    kinds = [_type_of(value) for value in (receiver, *values)]
    return next((made for choose in methods if (made := choose(*kinds)) is not None), None)


def _type_of(value):
    """The numba type of what a kernel holds. Whoever wrote an overload has loaded numba."""
    numba = sys.modules["numba"]
    types, from_dtype = numba.types, numba.from_dtype
    if isinstance(value, Array):
        return types.Array(from_dtype(value.dtype), value.ndim, "A")
    if isinstance(value, tuple):
        return types.Tuple(tuple(map(_type_of, value)))
    if value is None:
        return types.none
    if isinstance(value, str):
        return types.unicode_type
    if kind_has(value, "compiled"):  # a function made inside the kernel
        return types.Opaque("function")
    return from_dtype(np.dtype(number(value).dtype))
