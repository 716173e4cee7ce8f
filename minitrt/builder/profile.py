"""Optimisation profiles: the sizes that an engine is built for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitrt.api.dims import Dims
from minitrt.api.sealed import sealed
from minitrt.graph.ir import NUMPY_TYPES, Graph
from minitrt.network.facts import Limits
from minitrt.shapes import specialise

if TYPE_CHECKING:
    from minitrt.builder.config import IBuilderConfig
    from minitrt.network.definition import INetworkDefinition

MINIMUM, OPTIMUM, MAXIMUM = range(3)
NAMES = "minimum", "optimum", "maximum"


@sealed
class IOptimizationProfile:
    """min, opt and max of every dynamic input: tactics are tuned at opt, memory is enough for max."""

    def __init__(self):
        self._shapes: dict[str, list[Dims]] = {}
        self._elements: dict[str, list[list[int]]] = {}
        self._extra_memory_target = 1.0

    def set_shape(self, input: str, min, opt, max) -> None:
        """Sizes of an input. Raises: RuntimeError unless min <= opt <= max in every dimension."""
        triple = [Dims(shape) for shape in (min, opt, max)]
        if len({len(shape) for shape in triple}) != 1 or not ordered(*triple):
            shapes = ", ".join(map(str, triple))
            raise RuntimeError(
                f"profile of {input!r}: min <= opt <= max must hold in every dimension, but got {shapes}"
            )
        self._shapes[input] = triple

    def get_shape(self, input: str) -> list[Dims]:
        """[min, opt, max], or an empty list for an input without."""
        return list(self._shapes.get(input, []))

    def set_shape_input(self, input: str, min, opt, max) -> None:
        """Elements of an input that is a shape tensor; scales of a Resize may be fractions."""
        triple = [[int(n) if n == int(n) else float(n) for n in elements] for elements in (min, opt, max)]
        if len({len(each) for each in triple}) != 1 or not ordered(*triple):
            raise RuntimeError(f"profile of {input!r}: min <= opt <= max must hold for every element, but got {triple}")
        self._elements[input] = triple

    def get_shape_input(self, input: str) -> list[list[int | float]]:
        return [list(each) for each in self._elements.get(input, [])]

    @property
    def extra_memory_target(self) -> float:
        return self._extra_memory_target

    @extra_memory_target.setter
    def extra_memory_target(self, target: float) -> None:
        self._extra_memory_target = float(target)

    def __bool__(self) -> bool:
        return bool(self._shapes or self._elements)

    __nonzero__ = __bool__


class WrongSizes(ValueError):
    """A profile that contradicts the network."""


def check_sizes(index: int, name: str, shape: tuple[int, ...], given: tuple[tuple[int, ...], ...]) -> None:
    """Raises: WrongSizes where min, opt or max of profile `index` are no sizes that an input of this shape can have."""
    if any(len(each) != len(shape) for each in given):
        raise WrongSizes(f"profile {index}: input {name!r} has rank {len(shape)}, not {len(given[0])}")
    if any(n not in (-1, size) for each in given for n, size in zip(shape, each, strict=True)):
        raise WrongSizes(f"profile {index}: input {name!r} is {shape}, and its fixed sizes cannot be those of {given}")


def ordered(low, middle, high) -> bool:
    return all(a <= b <= c for a, b, c in zip(low, middle, high, strict=True))


def concrete_at(graph: Graph, shapes: dict[str, Any], elements: dict[str, Any], which: int) -> Graph:
    """The graph with a profile's sizes put in. which: MINIMUM, OPTIMUM or MAXIMUM.

    Raises: WrongSizes where they do not fit.
    """
    known = {}
    for value in graph.inputs:
        if value.name in elements:
            shape, given = shapes.get(value.name, (value.shape,) * 3)[which], elements[value.name][which]
            if -1 not in shape and math.prod(shape) != len(given):
                raise WrongSizes(
                    f"input {value.name!r} is a shape tensor of {math.prod(shape)} elements {tuple(shape)}, but the"
                    f" profile gives it {len(given)}: {tuple(given)}"
                )
            known[value.name] = np.array(given, NUMPY_TYPES[value.dtype]).reshape(shape)
    try:
        return specialise(graph, {name: triple[which] for name, triple in shapes.items()}, known, tuning=True)
    except ValueError as error:
        sizes = listed(shapes, which)
        where = f". So it is at the profile's {NAMES[which]}: {sizes}" if sizes else ""
        raise WrongSizes(f"{error}{where}") from error


def listed(shapes: dict[str, Any], which: int) -> str:
    """Each input with its shape at a profile's minimum, optimum or maximum."""
    return ", ".join(f"{name} {tuple(triple[which])}" for name, triple in shapes.items())


def limits_of(network: INetworkDefinition, config: IBuilderConfig) -> Limits:
    """The lowest and highest sizes of all profiles together, and of elements of shape tensors."""
    profiles = [*config._profiles, *([config._calibration_profile] if config._calibration_profile else [])]
    found, shaping = Limits({}, {}), network._facts.shape_tensors()
    for tensor in network._inputs if config._profiles else ():
        shapes = [profile.get_shape(tensor.name) for profile in profiles]
        if all(len(triple) == 3 and len(triple[0]) == len(tensor._given_shape) for triple in shapes):
            found.shapes[tensor.name] = hull(shapes)
        elements = [profile.get_shape_input(tensor.name) for profile in profiles]
        if tensor in shaping and all(elements):
            found.elements[tensor.name] = hull(elements)
    return found


def hull(triples: list) -> list[tuple[int, int]]:
    """(lowest, highest) of each place, of several (min, opt, max)."""
    lows, highs = zip(*((low, high) for low, _, high in triples), strict=True)
    return [(min(low), max(high)) for low, high in zip(zip(*lows, strict=True), zip(*highs, strict=True), strict=True)]
