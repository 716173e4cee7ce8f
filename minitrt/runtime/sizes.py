"""Sizes of a context's tensors: which profile, which shapes are set, and what follows from them."""

from __future__ import annotations

import operator

import numpy as np

from minitrt.api import enums as e
from minitrt.api.dims import Dims
from minitrt.graph.ir import HWC, NUMPY_TYPES, Graph, Value
from minitrt.plan.plan import Plan, Profile
from minitrt.runtime.host import array_at
from minitrt.shapes import specialise


class Sizes:
    """Mixed into IExecutionContext, which has its engine, the addresses, and `_refuse`.

    Errors as in the bindings: the logger hears of them and False, -1 or unknown dimensions answer, but for a profile
    that is not there and for dimensions that contradict each other, which raise.
    Source: TensorRT 10.16, python/src/infer/pyCore.cpp and NvInferRuntime.h.
    """

    _plan: Plan
    _addresses: dict[str, int]

    def __init__(self) -> None:
        self._profile_index = 0
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._concrete: Graph | None = None
        self._concrete_for: dict[str, tuple] = {}  # elements of shape inputs that it was made for

    @property
    def _profile(self) -> Profile:
        return self._plan.profiles[self._profile_index]

    @property
    def active_optimization_profile(self) -> int:
        return self._profile_index

    def set_optimization_profile_async(self, profile_index: int, stream_handle: int) -> bool:
        """Select a profile; shapes must be set again. Raises: RuntimeError, as the bindings do."""
        if not 0 <= profile_index < len(self._plan.profiles):
            why = f"there is no profile {profile_index}; the engine has {len(self._plan.profiles)}"
            self._refuse(why)
            raise RuntimeError(f"Error in set optimization profile async: {why}.")
        if profile_index != self._profile_index:
            self._profile_index, self._concrete = profile_index, None
            self._shapes = {}
        return True

    def set_input_shape(self, name: str, shape) -> bool:
        """The shape of an input for the next run. False when it lies outside the profile.

        Raises: RuntimeError for more than 8 dimensions; TypeError for a dimension that is no integer.
        """
        value, shape = self._input(name), tuple(operator.index(n) for n in shape)
        if len(shape) > Dims.MAX_DIMS:
            raise RuntimeError(f"shape {shape} of {name!r} has {len(shape)} dimensions; {Dims.MAX_DIMS} is the most")
        if value is None:
            return False
        if len(shape) != len(value.shape):
            return self._refuse(
                f"{name} has {len(value.shape)} dimensions, but the given shape {shape} has {len(shape)}"
            )
        low, _, high = self._profile.shapes.get(name, (value.shape,) * 3)
        if not all(a <= n <= b for a, n, b in zip(low, shape, high, strict=True)):
            return self._refuse(f"shape {shape} of {name} lies outside the profile's {tuple(low)} to {tuple(high)}")
        if self._shapes.get(name) != shape:
            self._shapes[name], self._concrete = shape, None
        return True

    def _input(self, name: str) -> Value | None:
        if name not in self._engine._inputs:
            self._refuse(f"{name!r} is no input of the engine; inputs are {list(self._engine._inputs)}")
        return next((value for value in self._profile.graph.inputs if value.name == name), None)

    def _shape_of(self, value: Value) -> tuple[int, ...]:
        """As set; a dimension for which the profile has one size alone need not be set."""
        if value.name in self._shapes:
            return self._shapes[value.name]
        low, _, high = self._profile.shapes.get(value.name, (value.shape,) * 3)
        return tuple(a if a == b else n for n, a, b in zip(value.shape, low, high, strict=True))

    def _missing(self) -> list[str]:
        """Names of inputs whose shape, or whose elements where they decide shapes, are not set yet."""
        inputs = self._profile.graph.inputs
        shapeless = [value.name for value in inputs if -1 in self._shape_of(value)]
        unread = [value.name for value in inputs if value.host and value.name not in self._addresses]
        return shapeless + [name for name in unread if name not in shapeless]

    def infer_shapes(self) -> list[str]:
        """Names of inputs whose shape, or whose elements where they decide shapes, are still missing.

        Raises: RuntimeError where what is set contradicts itself, as the bindings do for the code -1.
        """
        missing = self._missing()
        if not missing:
            try:
                self._specialised()
            except ValueError as error:
                self._refuse(str(error))
                raise RuntimeError(f"infer_shapes error code: -1: {error}") from None
        return missing

    def get_tensor_shape(self, name: str) -> Dims:
        """The shape as set, or as it follows from what is set; -1 where that is not enough."""
        if name in self._engine._inputs:
            return Dims(self._shape_of(self._input(name)))
        value = self._engine._tensor(name)
        if value is None:
            return Dims.of(None)
        if self._missing():
            return Dims(value.shape)
        try:
            graph = self._specialised()
        except ValueError as error:
            self._refuse(str(error))
            return Dims.of(None)
        return Dims(next(out.shape for out in graph.outputs if out.name == name))

    def get_tensor_strides(self, name: str) -> Dims:
        """Elements from one index to the next, per dimension; of unknown rank where shapes are not known yet."""
        shape = list(self.get_tensor_shape(name))
        if -1 in shape or self._engine._tensor(name) is None:
            return Dims.of(None)
        order = list(range(len(shape)))  # axes as they lie in memory
        if self._engine._tensor(name).layout == HWC:
            order = [*order[:-3], order[-2], order[-1], order[-3]]
        steps = {axis: int(np.prod([shape[a] for a in order[place + 1 :]])) for place, axis in enumerate(order)}
        return Dims([steps[axis] for axis in range(len(shape))])

    def _specialised(self) -> Graph:
        """The profile's graph with the shapes of now, -1 where only running tells. Raises: ValueError."""
        elements = self._elements()
        key = {name: (array.shape, array.tobytes()) for name, array in elements.items()}
        if self._concrete is None or key != self._concrete_for:
            shapes = {value.name: self._shape_of(value) for value in self._profile.graph.inputs}
            self._concrete, self._concrete_for = specialise(self._profile.graph, shapes, elements), key
        return self._concrete

    def _elements(self) -> dict[str, np.ndarray]:
        """Elements of inputs that decide shapes, read from their addresses in host memory.

        Raises: ValueError for elements outside the profile: memory is not enough for them.
        """
        found = {
            value.name: array_at(self._addresses[value.name], self._shape_of(value), NUMPY_TYPES[value.dtype]).copy()
            for value in self._profile.graph.inputs
            if value.host and value.name in self._addresses
        }
        for name, elements in found.items():
            flat = elements.reshape(-1)
            low, _, high = self._profile.elements.get(name, [flat] * 3)
            if len(low) == len(flat) and not (np.all(low <= flat) and np.all(flat <= high)):
                raise ValueError(f"elements {elements.tolist()} of {name} lie outside the profile's {low} to {high}")
        return found

    @property
    def all_binding_shapes_specified(self) -> bool:
        return not any(-1 in self._shape_of(value) for value in self._profile.graph.inputs)

    @property
    def all_shape_inputs_specified(self) -> bool:
        return all(value.name in self._addresses for value in self._profile.graph.inputs if value.host)

    def get_max_output_size(self, name: str) -> int:
        """Bytes that an output can take at most with the shapes of now and any elements of the profile; -1 where a
        shape is not set, or the name is no output's."""
        if name not in self._engine._outputs or not self.all_binding_shapes_specified:
            return -1
        graph = self._profile.graph
        try:
            elements = {n: np.array(t[2]) for n, t in self._profile.elements.items()} | self._elements()
            shapes = {value.name: self._shape_of(value) for value in graph.inputs}
            concrete = specialise(graph, shapes, elements)
        except ValueError:
            return -1
        value = next(out for out in concrete.outputs if out.name == name)
        return value.nbytes if -1 not in value.shape else -1

    def update_device_memory_size_for_shapes(self) -> int:
        """Bytes of arena that the shapes of now need; 0, and an error, where they are not set."""
        missing = self._missing()
        if missing:
            self._refuse(f"shapes or elements of {missing} are not set", e.ErrorCodeTRT.INVALID_STATE)
            return 0
        try:
            return self._execution.arena_bytes(self._specialised(), self._profile)
        except ValueError as error:
            self._refuse(str(error))
            return 0
