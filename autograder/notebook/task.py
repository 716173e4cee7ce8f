"""The task of an exercise on a few numbers: what goes in, what must come out, and which element needs which.

Nothing of the learner's and nothing of the solution runs: the contract's oracle is asked what changes in the outputs
when one element of an input changes. For functions of numbers, and for arrays too long to draw, there is a table of
calls in place of a picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.contract import Exercise, Sizes, Values
from autograder.notebook.tasks.part import TaskPart
from autograder.words import count_text

SMALL = {"n": 8, "n_rows": 3, "n_cols": 4, "n_z": 2, "n_y": 2, "n_x": 3, "blocks": 2, "margin": 1, "shift": 3}
MOST_ELEMENTS = 96  # of all inputs together; more is no example
DIGITS = (1, 10)  # inputs are whole numbers of one digit
CHANGE = 100  # what an element changes by: more than rounding hides
FINER = 10  # numbers are that much smaller where a curve such as tanh is at its end
APART = 0.001  # between numbers that were equal
MOST_CALLS = 4  # of a table
MOST_LISTED = 16  # elements of an array that a table writes out whole

Element = tuple[str, tuple[int, ...]]  # array and index


@dataclass(frozen=True)
class Task:
    """inputs, outputs: arrays by name, with their values; scalars: the other arguments.

    needs: for each element of an output, the elements of inputs that it depends on, in order.
    parts: of arrays that are shown in part, which: then inputs, outputs and needs are about that part alone.
    """

    sizes: Sizes
    inputs: Mapping[str, np.ndarray]
    outputs: Mapping[str, np.ndarray]
    scalars: Mapping[str, Any]
    needs: Mapping[Element, tuple[Element, ...]]
    parts: Mapping[str, TaskPart] = field(default_factory=dict)


def task_of(exercise: Exercise) -> Task | None:
    """The task on the contract's example sizes, or on small ones; None where it has no arrays, or too many elements, or
    an object stands in for some.

    Arrays that are no output, and that none depends on, are left out: room to work in, such as a queue's counter.
    """
    sizes = {**{name: SMALL.get(name, size) for name, size in exercise.cases[0].sizes.items()}, **exercise.example}
    values = exercise.make(sizes, "exact", np.random.default_rng(2))
    asked = exercise.shown(values) if exercise.shown is not None else {}
    parts = {name: TaskPart(np.shape(values[name]), axes) for name, axes in asked.items() if axes is not None}
    given = [a.name for a in exercise.arguments if a.role in ("in", "inout") and isinstance(values[a.name], np.ndarray)]
    read = [name for name in given if asked.get(name, ()) is not None]
    sizes_shown = [math.prod(parts[name].shape) if name in parts else values[name].size for name in read]
    if not read or exercise.stand_ins or sum(sizes_shown) > MOST_ELEMENTS:
        return None
    _write_digits(values, [name for name in read if name not in exercise.as_made], parts)
    outputs = _asked(exercise, values)
    if _flat(outputs) and not _flat(_asked(exercise, tenths := _divided(values, read))):
        values, outputs = tenths, _asked(exercise, tenths)
    found = _needs(exercise, values, read, parts)
    needs = {target: tuple(dict.fromkeys(sources)) for target, sources in found.items()}
    used = {source[0] for sources in needs.values() for source in sources}
    of_part = {name: part.of for name, part in parts.items()}
    return Task(
        sizes=sizes,
        inputs={
            name: of_part.get(name, np.asarray)(values[name]) for name in read if name in {*used, *outputs} or not used
        },
        outputs={name: of_part.get(name, np.asarray)(one) for name, one in outputs.items()},
        scalars={a.name: values[a.name] for a in exercise.arguments if a.role == "scalar"},
        needs=needs,
        parts=parts,
    )


def _needs(
    exercise: Exercise, values: Values, read: list[str], parts: Mapping[str, TaskPart]
) -> dict[Element, list[Element]]:
    """Output elements, and the input elements that they change with, in order; of what is shown in part, that part.

    Asked twice, the second time with equal numbers a little apart, the first of them largest: of two equal ones either
    may move unnoticed, as under a median.
    """
    apart = {name: np.array(one) if isinstance(one, np.ndarray) else one for name, one in values.items()}
    for name in read:
        if apart[name].dtype.kind == "f":
            apart[name] -= (APART * np.arange(apart[name].size)).reshape(apart[name].shape).astype(apart[name].dtype)
    needs: dict[Element, list[Element]] = {}
    for source in _elements({name: values[name] for name in read}):
        if (here := _seen(source, parts)) is None:
            continue
        for probe in (values, apart):
            for target in _changed(exercise, probe, source, _asked(exercise, probe)):
                if (there := _seen(target, parts)) is not None:
                    needs.setdefault(there, []).append(here)
    return needs


def _seen(element: Element, parts: Mapping[str, TaskPart]) -> Element | None:
    """An element as it stands in what is shown; None where it is not."""
    name, index = element
    place = parts[name].inside(index) if name in parts else index
    return None if place is None else (name, place)


def _write_digits(values: Values, names: list[str], parts: Mapping[str, TaskPart]) -> None:
    """Whole numbers that are easy to add, in arrays that may hold any; one that starts as zeros keeps them. Of one that
    is shown in part the rest is 0."""
    rng = np.random.default_rng(7)
    for name in names:
        if (values[name].dtype.kind == "f" or name in parts) and values[name].any():
            values[name][...] = rng.integers(*DIGITS, values[name].shape)
            values[name] = parts[name].alone(values[name]) if name in parts else values[name]


def _divided(values: Values, names: list[str]) -> Values:
    """The same values with smaller floats."""
    copies = _copies(values)
    for name in names:
        if copies[name].dtype.kind == "f":
            copies[name] /= FINER
    return copies


def _flat(outputs: Mapping[str, np.ndarray]) -> bool:
    """Whether an output's floats look all alike, with three digits after the point: a curve is at its end."""
    return any(one.dtype.kind == "f" and one.size > 1 and np.ptp(one.round(3)) == 0 for one in outputs.values())


def _asked(exercise: Exercise, values: Values) -> dict[str, np.ndarray]:
    """What the oracle makes of some values."""
    with np.errstate(all="ignore"):
        return {name: np.atleast_1d(result) for name, result in exercise.expected_of(_copies(values)).items()}


def _elements(arrays: Mapping[str, np.ndarray]) -> Iterator[Element]:
    for name, array in arrays.items():
        yield from ((name, tuple(map(int, index))) for index in np.ndindex(array.shape))


def _changed(exercise: Exercise, values: Values, source: Element, outputs: Mapping[str, np.ndarray]) -> list[Element]:
    """The output elements that change with one element of an input."""
    name, index = source
    array = values[name]
    before = array[index]
    changed: dict[Element, None] = {}
    for others in _others(before, name in outputs):
        for other in others:
            array[index] = other
            try:
                changed |= dict.fromkeys(_differing(_asked(exercise, values), outputs))
            except IndexError:  # it names a place, and there are not so many
                continue
            break
    array[index] = before
    return list(changed)


def _others(value: Any, comes_out: bool) -> tuple[tuple, ...]:
    """Values to put in place of one: above it, and below: the largest of all may rise unnoticed, the smallest may fall.

    value: a NumPy number. Of each tuple the first will do that the oracle takes: a whole number may name a place, and
    its neighbour another.
    comes_out: the array is an output, too, so that its whole numbers are data, such as keys to sort, and no places.
    """
    if value.dtype.kind == "b":
        return ((not value,),)
    change = np.asarray(CHANGE).astype(value.dtype)
    if value.dtype.kind == "f":
        return (value + change,), (value - change,)
    with np.errstate(over="ignore"):
        above = value + change, value + value.dtype.type(1), value - value.dtype.type(1)
    return (above, (value.dtype.type(0),)) if comes_out else (above,)


def _differing(after: Mapping[str, np.ndarray], outputs: Mapping[str, np.ndarray]) -> list[Element]:
    return [
        (output, tuple(map(int, place)))
        for output, known in outputs.items()
        for place in np.argwhere(~((after[output] == known) | (np.isnan(after[output]) & np.isnan(known))))
    ]


def table_of(exercise: Exercise) -> tuple[list[str], list[list[str]]]:
    """A header and a row for each argument and result, with a column for each call."""
    calls = _calls(exercise)
    results = [exercise.expected_of(_copies(values)) for values in calls]
    given = [one.name for one in exercise.arguments if one.role != "out" and one.name not in exercise.stand_ins]
    rows = [[name, *(_told(name, values[name]) for values in calls)] for name in given]
    rows += [[f"→ {name}", *(_told(name, result[name]) for result in results)] for name in results[0]]
    return ["", *(f"call {number}" for number in range(1, len(calls) + 1))], rows


def _calls(exercise: Exercise) -> list[Values]:
    """The contract's example where it names one; otherwise some of its cases, from the first to the last."""
    places = dict.fromkeys(np.linspace(0, len(exercise.cases) - 1, MOST_CALLS).round().astype(int).tolist())
    sizes = [{**exercise.cases[0].sizes, **exercise.example}] if exercise.example else []
    sizes = sizes or [exercise.cases[place].sizes for place in places]
    return [exercise.make(one, "exact", np.random.default_rng(2)) for one in sizes]


def _copies(values: Values) -> Values:
    return {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}


def _told(name: str, value: Any) -> str:
    """A number, a short array, or the elements of a long one that are not zero."""
    if np.ndim(value) == 0:
        return f"{value:,}" if isinstance(value, int | np.integer) else f"{float(value):,.4g}"
    if value.size <= MOST_LISTED:
        return str(value.tolist())
    places = [tuple(map(int, place)) for place in np.argwhere(value)]
    if not places:
        return count_text(value.size, "zero")
    told = ", ".join(f"{name}[{', '.join(map(str, place))}] = {value[place]}" for place in places[:MOST_LISTED])
    return f"{told}, all others 0" if len(places) <= MOST_LISTED else count_text(value.size, "element")
