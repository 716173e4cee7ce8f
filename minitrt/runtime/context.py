"""IExecutionContext: addresses and shapes of one run at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.api import enums as e
from minitrt.api.dims import Dims
from minitrt.api.interfaces import IProfiler
from minitrt.api.sealed import sealed
from minitrt.graph.ir import HWC, NUMPY_TYPES, Value
from minitrt.plan.plan import Profile
from minitrt.runtime.choosing import make_execution
from minitrt.runtime.execution import Execution
from minitrt.runtime.host import array_at
from minitrt.runtime.watching import Debugging
from minitrt.shapes import specialise


@sealed
class IExecutionContext(Debugging):
    """The state of a run: profile, shapes, addresses. Use one context a thread; contexts of one engine share
    weights."""

    def __init__(self, engine, strategy: e.ExecutionContextAllocationStrategy):
        super().__init__(engine._report)
        self._engine, self._plan = engine, engine._plan
        self._strategy = strategy
        self._profile_index = 0
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._addresses: dict[str, int] = {}
        self._allocators: dict[str, Any] = {}
        self._concrete = None
        self._execution: Execution = make_execution(self._plan, self._report)
        self._device_memory = 0
        self._input_consumed_event = 0
        self._report_due = False
        self.name = ""
        self.debug_sync = False
        self.nvtx_verbosity = e.ProfilingVerbosity.LAYER_NAMES_ONLY
        self.persistent_cache_limit = 0
        self.temporary_allocator = None
        self.enqueue_emits_profile = True
        self.profiler: IProfiler | None = None

    def _restart(self) -> None:
        """Forget what was prepared: the engine's weights are new."""
        self._execution, self._concrete = make_execution(self._plan, self._report), None

    @property
    def engine(self):
        return self._engine

    @property
    def _profile(self) -> Profile:
        return self._plan.profiles[self._profile_index]

    # --- profiles and shapes ---

    @property
    def active_optimization_profile(self) -> int:
        return self._profile_index

    def set_optimization_profile_async(self, profile_index: int, stream_handle: int) -> bool:
        """Select a profile; shapes must be set again."""
        if not 0 <= profile_index < len(self._plan.profiles):
            return self._refuse(f"there is no profile {profile_index}; the engine has {len(self._plan.profiles)}")
        if profile_index != self._profile_index:
            self._profile_index, self._concrete = profile_index, None
            self._shapes = {}
        return True

    def set_input_shape(self, name: str, shape) -> bool:
        """The shape of an input for the next run. False when it lies outside the profile."""
        value = self._input(name)
        if value is None:
            return False
        shape = tuple(int(n) for n in shape)
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
        return self._shapes.get(value.name, value.shape)

    def infer_shapes(self) -> list[str]:
        """Names of inputs whose shape, or whose elements where they decide shapes, are still missing."""
        missing = [value.name for value in self._profile.graph.inputs if -1 in self._shape_of(value)]
        missing += [
            value.name
            for value in self._profile.graph.inputs
            if value.host and value.name not in self._addresses and value.name not in missing
        ]
        return missing

    def get_tensor_shape(self, name: str) -> Dims:
        """The shape as set, or as it follows from what is set; -1 where that is not enough."""
        if name in self._engine._inputs:
            return Dims(self._shape_of(self._input(name)))
        value = self._engine._tensor(name)
        if value is None:
            return Dims()
        if self.infer_shapes():
            return Dims(value.shape)
        try:
            graph = self._specialised(tolerant=True)
        except ValueError as error:
            self._refuse(str(error))
            return Dims()
        return Dims(next(out.shape for out in graph.outputs if out.name == name))

    def get_tensor_strides(self, name: str) -> Dims:
        """Elements from one index to the next, per dimension; -1 where shapes are unknown."""
        shape = list(self.get_tensor_shape(name))
        if -1 in shape:
            return Dims([-1] * len(shape))
        order = list(range(len(shape)))  # axes as they lie in memory
        if self._engine._tensor(name).layout == HWC:
            order = [*order[:-3], order[-2], order[-1], order[-3]]
        steps = {axis: int(np.prod([shape[a] for a in order[place + 1 :]])) for place, axis in enumerate(order)}
        return Dims([steps[axis] for axis in range(len(shape))])

    def _specialised(self, tolerant: bool = False):
        """The profile's graph with the shapes of now."""
        if self._concrete is None or any(value.host for value in self._profile.graph.inputs):
            shapes = {value.name: self._shape_of(value) for value in self._profile.graph.inputs}
            self._concrete = specialise(self._profile.graph, shapes, self._elements(), tolerant)
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

    # --- addresses ---

    def set_tensor_address(self, name: str, memory: int) -> bool:
        """Where a tensor lies: device memory (host memory for the reference backend, and for shape tensors)."""
        if name not in self._engine._tensors:
            return self._refuse(f"the engine has no tensor {name!r}")
        self._addresses[name] = int(memory)
        return True

    def get_tensor_address(self, name: str) -> int:
        return self._addresses.get(name, 0)

    def set_output_allocator(self, name: str, output_allocator) -> bool:
        """Who gives memory for an output once its size is known; None takes it back."""
        if name not in self._engine._outputs:
            return self._refuse(f"{name!r} is no output of the engine")
        self._allocators[name] = output_allocator
        return True

    def get_output_allocator(self, name: str):
        return self._allocators.get(name)

    def get_max_output_size(self, name: str) -> int:
        """Bytes that an output can take at most, with the shapes of now where they are set, else the profile's
        maxima."""
        graph = self._profile.graph
        maxima = {v.name: self._profile.shapes.get(v.name, (v.shape,) * 3)[2] for v in graph.inputs}
        maxima |= self._shapes
        try:
            elements = {n: np.array(t[2]) for n, t in self._profile.elements.items()}
            concrete = specialise(graph, maxima, elements | self._elements(), tolerant=True)
        except ValueError:
            return -1
        value = next((out for out in concrete.outputs if out.name == name), None)
        return value.nbytes if value is not None and -1 not in value.shape else -1

    def set_input_consumed_event(self, event: int) -> bool:
        self._input_consumed_event = int(event)
        return True

    def get_input_consumed_event(self) -> int:
        return self._input_consumed_event

    # --- memory ---

    @property
    def device_memory(self) -> int:
        return self._device_memory

    @device_memory.setter
    def device_memory(self, address: int) -> None:
        self.set_device_memory(address, self._engine.device_memory_size_v2)

    def set_device_memory(self, memory: int, size: int) -> None:
        """Give the arena of a USER_MANAGED context."""
        if size < self._profile.arena_bytes:
            self._refuse(f"the arena needs {self._profile.arena_bytes} bytes, but {size} were given")
            return
        self._device_memory = int(memory)
        self._execution.use_arena(self._device_memory)

    def update_device_memory_size_for_shapes(self) -> int:
        """Bytes of arena that the shapes of now need."""
        return self._execution.arena_bytes(self._specialised(), self._profile)

    # --- running ---

    def execute_async_v3(self, stream_handle) -> bool:
        """Enqueue a run on a stream. False, and an error, when something is missing or fails."""
        missing = [name for name in self._engine._inputs if not self._addresses.get(name)]
        outputs = self._engine._outputs
        missing += [name for name in outputs if not self._addresses.get(name) and not self._allocators.get(name)]
        shapeless = self.infer_shapes()
        if missing or shapeless:
            what = f"addresses of {missing}" if missing else f"shapes or elements of {shapeless}"
            return self._refuse(f"execute_async_v3: {what} are not set", e.ErrorCodeTRT.INVALID_STATE)
        if self._strategy == e.ExecutionContextAllocationStrategy.USER_MANAGED and self._needs_arena():
            return self._refuse("execute_async_v3: this context needs set_device_memory first")
        try:
            if self._profile.elements:
                self._elements()  # refuses those outside the profile before anything is written
            self._execution.run(self, int(stream_handle))
        except Exception as error:  # nothing is thrown: who enqueued asks for False, as with TensorRT
            return self._refuse(f"the run failed: {error}", e.ErrorCodeTRT.FAILED_EXECUTION)
        return True

    def _needs_arena(self) -> bool:
        return self._profile.arena_bytes > 0 and not self._device_memory and self._plan.device is not None

    def execute_v2(self, bindings: list[int]) -> bool:
        """Run and wait. bindings: addresses in the order of the engine's tensors."""
        for name, address in zip(self._engine, bindings, strict=False):
            self._addresses[name] = int(address)
        done = self.execute_async_v3(0)
        self._execution.wait(0)
        return done

    def set_aux_streams(self, aux_streams: list[int]) -> None:
        """Streams for branches that run side by side; this runtime uses one."""

    def set_communicator(self, communicator) -> bool:
        return self._refuse("an engine runs on one GPU; use a pool of engines for several")

    def get_runtime_config(self):
        return self._engine.create_runtime_config()

    def report_to_profiler(self) -> bool:
        """Give the last run's layer times to the profiler (with enqueue_emits_profile False)."""
        if self.profiler is None:
            return False
        self._execution.report_to(self.profiler)
        return True

    @property
    def error_recorder(self):
        return self._report.recorder

    @error_recorder.setter
    def error_recorder(self, recorder) -> None:
        self._report.recorder = recorder

    def _refuse(self, message: str, code: e.ErrorCodeTRT = e.ErrorCodeTRT.INVALID_ARGUMENT) -> bool:
        self._report.error(message, code)
        return False

    def __enter__(self) -> IExecutionContext:
        return self

    def __exit__(self, *_) -> None:
        pass
