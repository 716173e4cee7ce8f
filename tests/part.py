"""Which of many cases of one kind a commit tries: a part of them; a release tries all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest


def a_part(things: Iterable, every: int, named: Callable = str, costly: Iterable[str] = ()) -> list:
    """Parameters of a test: every so-manieth for a commit, the others for a release. costly: names for a release."""
    return [
        pytest.param(
            thing, id=named(thing), marks=pytest.mark.release if number % every or named(thing) in costly else ()
        )
        for number, thing in enumerate(things)
    ]
