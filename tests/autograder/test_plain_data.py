"""What goes to another process comes back as it was, or not at all."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from autograder.outcome import STATUSES, Cause, Outcome, Speed
from autograder.plain_data import from_json, to_json


@dataclass(frozen=True)
class Inner:
    value: float
    axes: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True)
class Outer:
    name: str
    inner: tuple[Inner, ...] = ()
    one: Inner | None = None
    table: dict[str, dict[str, float]] = field(default_factory=dict)
    rest: dict[str, Any] = field(default_factory=dict)
    flags: list[bool] = field(default_factory=list)


def travelled(value):
    return from_json(type(value), json.loads(json.dumps(to_json(value), allow_nan=False)))


@pytest.mark.parametrize(
    "value",
    [
        Outer("plain"),
        Outer("deep", (Inner(1.5, (1, 2, 3)), Inner(-math.inf)), Inner(2.0), {"a": {"b": 3}}, {"c": [1]}, [True]),
        Cause("race", "missing_barrier", "says", lines=(3, 4), threads=((0, 0, 0), (1, 0, 0))),
        Speed(True, "fast", time_us=1.5, details={"sizes": {"n": 4}}),
    ],
)
def test_data_survives_json_with_its_types(value):
    assert value == travelled(value)


def test_nan_travels_by_name_and_numpy_scalars_as_numbers():
    assert math.isnan(travelled(Inner(math.nan)).value)
    assert {"value": 2.5, "axes": [1, 2, 3]} == to_json(Inner(np.float32(2.5), tuple(np.arange(1, 4))))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"name": 3}, "Outer.name is '3', but must be of type str"),
        ({"name": "a", "inner": [{"value": "1"}]}, "Outer.inner.value is '1', but must be of type float"),
        ({"name": "a", "inner": [{"value": 1.0, "axes": [1, 2]}]}, "has 2 in place of 3 items"),
        ({"name": "a", "one": {"value": True}}, "must be of type float"),
        ({"name": "a", "one": {"value": 1.0, "axes": [True, 0, 0]}}, "must be of type int"),
        ({"name": "a", "sneaky": 1}, "Outer has no sneaky"),
        (["a"], "must be of type dict"),
        ({}, "name"),
    ],
)
def test_what_is_not_of_the_kind_is_refused(document, says):
    with pytest.raises(TypeError, match=says.replace("(", r"\(")):
        from_json(Outer, document)


@pytest.mark.parametrize("status", STATUSES)
def test_every_outcome_comes_back_as_the_class_it_was(status):
    outcome = STATUSES[status]("a.b", 1.0, 2.0, "b", causes=(Cause("race", "missing_barrier", "says"),), notes=("n",))
    again = Outcome.from_json(json.loads(json.dumps(outcome.to_json(), allow_nan=False)))

    assert (STATUSES[status], outcome) == (type(again), again)


def test_an_outcome_of_no_known_status_is_refused():
    with pytest.raises(KeyError, match="Splendid"):
        Outcome.from_json({"status": "Splendid", "misconception": ""})
