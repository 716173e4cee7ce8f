"""Arguments of the wrong class are a TypeError at the call, as in the bindings, and not a surprise in a build.

``checked`` reads a class's annotations: a parameter that is annotated as an enumeration of ``enums`` (or whose default
is a member of one) takes members of that one alone, and one that is annotated as one of OBJECTS takes those.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from minitrt.api import enums
from minitrt.api.enums import PyEnum

OBJECTS = "ITensor INetworkDefinition IBuilderConfig IOptimizationProfile ITimingCache ISerializationConfig".split()
OBJECTS += ["IPluginCreatorInterface", "IPluginResource"]


def checked(owner: type) -> type:
    """The class, with public methods that look at their arguments before they run."""
    for name, function in list(vars(owner).items()):
        if inspect.isfunction(function) and not name.startswith("_"):
            tests = tests_of(function)
            if tests:
                setattr(owner, name, guarded(function, tests, owner.__name__))
    return owner


def tests_of(function: Callable) -> dict[str, Callable[[Any], str]]:
    """Parameter -> what says why a value is wrong, or "" for a right one."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        words = str(parameter.annotation).removeprefix("e.")
        kind = getattr(enums, words, type(parameter.default))
        if isinstance(kind, type) and issubclass(kind, PyEnum):
            found[name] = functools.partial(why_no_member, kind)
        elif words == "Sequence[ITensor]":
            found[name] = why_no_tensors
        elif words in OBJECTS:
            found[name] = functools.partial(why_no, words)
    return found


def guarded(function: Callable, tests: dict[str, Callable[[Any], str]], owner: str) -> Callable:
    """The function behind its tests."""
    names = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def guard(*args: Any, **kwargs: Any) -> Any:
        for name, value in [*zip(names, args, strict=False), *kwargs.items()]:
            if name in tests and (why := tests[name](value)):
                raise TypeError(f"{owner}.{function.__name__}: {name} {why}")
        return function(*args, **kwargs)

    return guard


def why_no_member(kind: type[PyEnum], value: Any) -> str:
    return "" if isinstance(value, kind) else f"must be a member of {kind.__name__}, but is {value!r}"


def why_no(kind: str, value: Any) -> str:
    if kind in (each.__name__ for each in type(value).__mro__):
        return ""
    more = ": take its get_output(0)" if kind == "ITensor" and hasattr(value, "get_output") else ""
    return f"must be an {kind}, but is {value!r}{more}"


why_no_tensor = functools.partial(why_no, "ITensor")


def why_no_tensors(value: Any) -> str:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return f"must be a list of ITensor, but is {value!r}"
    return next((f"[{i}] {why}" for i, each in enumerate(value) if (why := why_no_tensor(each))), "")
