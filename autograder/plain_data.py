"""Frozen data as JSON and back: one reader and one writer for everything that goes to a child, a worker or a file.

What is read back has the types that its class declares, tuples among them; anything else raises TypeError, so that what
another process sent can be trusted to be well formed, if to nothing else.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, Union

T = TypeVar("T")
NOT_FINITE = ("nan", "inf", "-inf")  # JSON has none of them: they travel by name


def to_json(value: Any) -> Any:
    """What `json.dumps(..., allow_nan=False)` accepts: fields become keys, NumPy's scalars Python's, NaN its name."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def from_json(kind: type[T], document: Any) -> T:
    """The dataclass that `to_json` made a document of. Raises TypeError for a document that is none of its kind."""
    return _read(kind, document, kind.__name__)


def _read(kind: Any, value: Any, where: str) -> Any:
    """A value as its declared type. where: what is read, for the message."""
    if kind is Any:
        return value
    if dataclasses.is_dataclass(kind):
        return _read_fields(kind, value, where)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _read(next(part for part in parts if part is not type(None)), value, where)
    if origin in (tuple, list):
        return _read_items(origin, parts, _expect(value, list, where), where)
    if origin in (dict, Mapping):
        items = _expect(value, dict, where).items()
        return {_read(parts[0], key, where): _read(parts[1], item, f"{where}[{key!r}]") for key, item in items}
    return _read_plain(kind, value, where)


def _read_fields(kind: Any, value: Any, where: str) -> Any:
    declared = _fields(kind)
    document = _expect(value, dict, where)
    if unknown := document.keys() - declared.keys():
        raise TypeError(f"{where} has no {', '.join(sorted(unknown))}.")
    return kind(**{name: _read(declared[name], item, f"{where}.{name}") for name, item in document.items()})


def _read_items(origin: Callable, parts: tuple, items: list, where: str) -> Any:
    """The items of a list or a tuple; a tuple of several types has as many items."""
    if origin is list or parts[1:] == (...,):
        return origin(_read(parts[0], item, where) for item in items)
    if len(parts) != len(items):
        raise TypeError(f"{where} has {len(items)} in place of {len(parts)} items.")
    return tuple(_read(part, item, where) for part, item in zip(parts, items, strict=True))


def _read_plain(kind: Any, value: Any, where: str) -> Any:
    """A number, a text or a truth value; an int may stand for a float, True for neither."""
    if kind is float:
        if value in NOT_FINITE:
            return float(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    if kind is int and isinstance(value, bool):
        raise TypeError(f"{where} is {value!r}, but must be of type int.")
    return _expect(value, kind, where)


def _expect(value: Any, kind: Any, where: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{where} is {str(value)[:60]!r}, but must be of type {kind.__name__}.")
    return value


@cache
def _fields(kind: Any) -> dict[str, Any]:
    """The declared types of a dataclass's fields, by name."""
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}
