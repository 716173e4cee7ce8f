"""Which listeners hear what: the methods of `events.Listener` that their classes have of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simt import events
from simt.compiling.counting import Told


def hears(listener, name: str) -> bool:
    """Whether a listener, or one that it listens for, overrides a method of `events.Listener`."""
    return name in _overridden(type(listener)) or any(hears(one, name) for one in behind(listener))


def ears(listener, name: str) -> tuple[Any, ...]:
    """What to call of a listener itself: the method, if it overrides that of `events.Listener`."""
    return (getattr(listener, name),) if name in _overridden(type(listener)) else ()


_known: dict[type, frozenset[str]] = {}


def _overridden(kind: type) -> frozenset[str]:
    """The methods of `events.Listener` that a class has of its own."""
    if kind not in _known:
        own = ((name, getattr(kind, name, None)) for name in events.CALLBACKS)
        _known[kind] = frozenset(name for name, one in own if one not in (None, getattr(events.Listener, name)))
    return _known[kind]


def how_much_is_told(listeners) -> Told:
    """What a launch has to be compiled for, so that these listeners hear what they ask for."""
    if any(hears(listener, "arithmetic") for listener in listeners):
        return Told.ARITHMETIC
    return Told.EVENTS if listeners else Told.NOTHING


def behind(listener) -> Iterable:
    """Those for whom it listens in the batch that has just begun, as `sampling.FirstBlocks` does."""
    return getattr(listener, "listens_for", ())


def all_ears(listeners: Iterable) -> dict[str, tuple[Any, ...]]:
    """What to call for each event, in the order of the listeners."""
    heard: dict[str, tuple[Any, ...]] = dict.fromkeys(events.CALLBACKS, ())
    for listener in listeners:
        for name in _overridden(type(listener)):
            heard[name] += (getattr(listener, name),)
    return heard


def ears_of(listeners: Iterable, name: str) -> tuple[Any, ...]:
    return tuple(call for listener in listeners for call in ears(listener, name))
