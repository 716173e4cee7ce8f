"""What an object is and holds, found out without asking it: nothing that a program's own classes define runs.

`getattr`, `hasattr`, `isinstance`, `==`, `bool` and `len` may all run code of the object's class (`__getattr__`, a
property `__class__`, `__eq__`): of a client that is not connected, a proxy, lazy settings. What is read here is what
CPython itself keeps: the type of an object, the dictionaries of its classes, its own dictionary, and slots of C.
"""

from __future__ import annotations

from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

import numpy as np

_classes_of = type.__dict__["__mro__"].__get__  # of a class: itself and its bases, whatever its metaclass says
_contents_of = type.__dict__["__dict__"].__get__
_C_SLOTS = (GetSetDescriptorType, MemberDescriptorType)
_MISSING = object()


def is_a(value: Any, *classes: type) -> bool:
    """Whether an object's type is one of these classes, or below one. No `__class__` that says otherwise is asked."""
    return issubclass(type(value), classes)


def classes_of(value: Any) -> tuple[type, ...]:
    """The class of an object and all above it."""
    return _classes_of(type(value))


def kind_has(value: Any, name: str) -> bool:
    """Whether the type of an object defines an attribute."""
    return any(name in _contents_of(one) for one in _classes_of(type(value)))


def held_by_kind(value: Any, name: str) -> Any:
    """What the type of an object defines under a name, as it stands there; None where it defines nothing."""
    return next((_contents_of(one)[name] for one in _classes_of(type(value)) if name in _contents_of(one)), None)


def held(value: Any, name: str, default: Any = None) -> Any:
    """An attribute that an object simply holds; `default` for what would have to be worked out by code of its class."""
    owners = (*_classes_of(value), *_classes_of(type(value))) if is_a(value, type) else _classes_of(type(value))
    found = _MISSING
    for one in owners:
        found = _contents_of(one).get(name, _MISSING)
        if found is not _MISSING:
            break
    if type(found) in _C_SLOTS:
        return _in_slot(found, value, default)
    own = _own_dictionary(value)
    return own.get(name, default if found is _MISSING or kind_has(found, "__get__") else found)


def _in_slot(slot: Any, value: Any, default: Any) -> Any:
    try:
        return slot.__get__(value)
    except (AttributeError, TypeError):  # empty, or of another kind of object
        return default


def _own_dictionary(value: Any) -> dict:
    if is_a(value, type):
        return {}
    for one in _classes_of(type(value)):
        slot = _contents_of(one).get("__dict__")
        if slot is not None:
            own = _in_slot(slot, value, None) if type(slot) in _C_SLOTS else None
            return own if type(own) is dict else {}
    return {}


def text_held(value: Any, name: str) -> str:
    """A text that an object holds, as its `__name__` or `__module__`; "" where that is none."""
    found = held(value, name)
    return found if type(found) is str else ""


def module_of_type(value: Any) -> str:
    """The module that the type of an object comes from; "" where it hides that."""
    return text_held(type(value), "__module__")


def is_function(value: Any) -> bool:
    """Whether an object is a function of Python's, and nothing that only says so."""
    return type(value) is FunctionType


def memory_on_device(value: Any) -> np.ndarray | None:
    """The memory of a device array of the interpreter's; None for anything else."""
    if not kind_has(value, "simt_host_array"):
        return None
    memory = value.simt_host_array
    return memory if is_a(memory, np.ndarray) else None
