"""ICudaEngine: a loaded plan. It tells names, shapes and types, and makes contexts, which run it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

from minitrt.api import enums as e
from minitrt.api.arguments import checked
from minitrt.api.common import Reporting
from minitrt.api.dims import Dims
from minitrt.api.logger import Reporter
from minitrt.api.sealed import sealed
from minitrt.api.weights import IHostMemory
from minitrt.graph.ir import HWC, NUMPY_TYPES, Value
from minitrt.plan.encoding import encode
from minitrt.plan.plan import Plan
from minitrt.runtime.formats import format_description
from minitrt.runtime.serialization import IRuntimeConfig, ISerializationConfig
from minitrt.runtime.streaming import streamable_bytes


@sealed
@checked
class ICudaEngine(Reporting):
    """An engine. Tensors are known by name; a name that is none is logged and answered with a neutral value."""

    def __init__(self, plan: Plan, report: Reporter):
        self._plan, self._report = plan, report
        graph = plan.profiles[0].graph
        self._inputs = {value.name: value for value in graph.inputs}
        self._outputs = {value.name: value for value in graph.outputs}
        self._tensors: dict[str, Value] = {**self._inputs, **self._outputs}
        self._contexts: weakref.WeakSet = weakref.WeakSet()

    # --- tensors ---

    @property
    def num_io_tensors(self) -> int:
        return len(self._tensors)

    def get_tensor_name(self, index: int) -> str | None:
        if not 0 <= index < len(self._tensors):
            self._report.error(f"the engine has no tensor {index}: it has {len(self._tensors)}")
            return None
        return list(self._tensors)[index]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._tensors))

    def __getitem__(self, index: int) -> str:
        return list(self._tensors)[index]

    def _tensor(self, name: str) -> Value | None:
        if name not in self._tensors:
            self._report.error(
                f"the engine has no tensor {name!r}; it has {list(self._tensors)}", e.ErrorCodeTRT.INVALID_ARGUMENT
            )
        return self._tensors.get(name)

    def get_tensor_mode(self, name: str) -> e.TensorIOMode:
        if self._tensor(name) is None:
            return e.TensorIOMode.NONE
        return e.TensorIOMode.INPUT if name in self._inputs else e.TensorIOMode.OUTPUT

    def get_tensor_shape(self, name: str) -> Dims:
        """Dimensions, -1 where they are dynamic."""
        value = self._tensor(name)
        return Dims(value.shape) if value is not None else Dims.of(None)

    def get_tensor_dtype(self, name: str) -> e.DataType:
        value = self._tensor(name)
        return value.dtype if value is not None else e.DataType.FLOAT

    def get_tensor_location(self, name: str) -> e.TensorLocation:
        """HOST for a shape tensor, whose elements decide shapes."""
        value = self._tensor(name)
        return e.TensorLocation.HOST if value is not None and value.host else e.TensorLocation.DEVICE

    def is_shape_inference_io(self, name: str) -> bool:
        return self.get_tensor_location(name) == e.TensorLocation.HOST

    def get_tensor_format(self, name: str, profile_index: int = 0) -> e.TensorFormat:
        value = self._tensor(name)
        return e.TensorFormat.HWC if value is not None and value.layout == HWC else e.TensorFormat.LINEAR

    def get_tensor_format_desc(self, name: str, profile_index: int = 0) -> str:
        value = self._tensor(name)
        return format_description(value) if value is not None else ""

    def get_tensor_vectorized_dim(self, name: str, profile_index: int = 0) -> int:
        return -1

    def get_tensor_components_per_element(self, name: str, profile_index: int = 0) -> int:
        return -1

    def get_tensor_bytes_per_component(self, name: str, profile_index: int = 0) -> int:
        value = self._tensor(name)
        return NUMPY_TYPES[value.dtype].itemsize if value is not None else -1

    def get_aliased_input_tensor(self, name: str) -> str | None:
        """The input whose memory an output shares (of add_kv_cache_update), or None."""
        graph = self._plan.profiles[0].graph
        makers = [op for op in graph.ops if op.attrs.get("in_place") and op.output.name == name]
        return makers[0].inputs[0].name if makers and makers[0].inputs[0] in graph.inputs else None

    def why_not(self) -> list[str]:
        """Minitrt's own: for each pair of neighbours that could have shared a kernel, what forbade it; for each Q and
        DQ that is left, what it waits for; for each product in a network with INT8, what keeps it floating."""
        return list(self._plan.settings.get("why_not", []))

    # --- profiles ---

    @property
    def num_optimization_profiles(self) -> int:
        return len(self._plan.profiles)

    def get_tensor_profile_shape(self, name: str, profile_index: int) -> list[Dims]:
        """[min, opt, max] of an input in a profile; of unknown rank, and an error, for another tensor or profile."""
        value, unknown = self._tensor(name), [Dims.of(None)] * 3
        if value is None or not self._has_profile(profile_index):
            return unknown
        if self.get_tensor_mode(name) != e.TensorIOMode.INPUT:
            self._report.error(f"{name!r} is an output: profiles are of inputs")
            return unknown
        triple = self._plan.profiles[profile_index].shapes.get(name, (value.shape,) * 3)
        return [Dims(shape) for shape in triple]

    def get_tensor_profile_values(self, profile_index, name: str) -> list[list[int]]:
        """[min, opt, max] of the elements of an input that is a shape tensor. The arguments come in either order.

        Raises: RuntimeError for another tensor, as the bindings do.
        """
        if isinstance(profile_index, str):
            profile_index, name = name, profile_index
        if name not in self._inputs or not self._inputs[name].host:
            raise RuntimeError(f"{name!r} is no input whose elements decide shapes: profiles hold elements of those")
        if not self._has_profile(profile_index):
            return []
        return [list(each) for each in self._plan.profiles[profile_index].elements.get(name, [])]

    def _has_profile(self, index: int) -> bool:
        """Whether there is a profile of this number; it is an error where not."""
        there = 0 <= index < self.num_optimization_profiles
        if not there:
            self._report.error(f"there is no profile {index}; the engine has {self.num_optimization_profiles}")
        return there

    # --- facts ---

    @property
    def name(self) -> str:
        return self._plan.name

    @property
    def num_layers(self) -> int:
        return len(self._plan.profiles[0].choices)

    @property
    def has_implicit_batch_dimension(self) -> bool:
        return False

    @property
    def refittable(self) -> bool:
        return self._plan.original is not None

    @property
    def engine_capability(self) -> e.EngineCapability:
        return e.EngineCapability.STANDARD

    @property
    def tactic_sources(self) -> int:
        return self._plan.tactic_sources

    @property
    def profiling_verbosity(self) -> e.ProfilingVerbosity:
        return e.ProfilingVerbosity[self._plan.verbosity]

    @property
    def hardware_compatibility_level(self) -> e.HardwareCompatibilityLevel:
        return e.HardwareCompatibilityLevel[self._plan.hardware]

    @property
    def num_aux_streams(self) -> int:
        return 0

    @property
    def device_memory_size_v2(self) -> int:
        """Bytes of the arena, enough for every profile."""
        return max(profile.arena_bytes for profile in self._plan.profiles)

    device_memory_size = device_memory_size_v2

    def get_device_memory_size_for_profile_v2(self, profile_index: int) -> int:
        return self._plan.profiles[profile_index].arena_bytes if self._has_profile(profile_index) else 0

    get_device_memory_size_for_profile = get_device_memory_size_for_profile_v2

    @property
    def streamable_weights_size(self) -> int:
        """Bytes of weights that need not lie on the device; 0 without BuilderFlag.WEIGHT_STREAMING."""
        return streamable_bytes(self._plan)

    @property
    def weight_streaming_budget_v2(self) -> int:
        """Bytes of weights that may lie on the device; the rest stays in host memory, and kernels read it there."""
        return self.streamable_weights_size if self._plan.weight_budget is None else self._plan.weight_budget

    @weight_streaming_budget_v2.setter
    def weight_streaming_budget_v2(self, budget: int) -> None:
        if not self.streamable_weights_size:
            self._report.error("build with BuilderFlag.WEIGHT_STREAMING to set a budget", e.ErrorCodeTRT.INVALID_STATE)
        elif len(self._contexts) or budget < 0:
            why = "while contexts exist" if len(self._contexts) else f"to {budget}"
            self._report.error(f"the budget of weights cannot be set {why}", e.ErrorCodeTRT.INVALID_STATE)
        else:
            self._plan.weight_budget = int(budget)

    weight_streaming_budget = weight_streaming_budget_v2
    minimum_weight_streaming_budget = property(lambda self: 0)
    weight_streaming_scratch_memory_size = property(lambda self: 0)

    def get_weight_streaming_automatic_budget(self) -> int:
        """All weights: what does not fit, the user knows best."""
        return self.streamable_weights_size

    def get_engine_stat(self, stat: e.EngineStat) -> int:
        """Bytes of all weights, or of those that were stripped."""
        constants = self._plan.profiles[0].graph.constants()
        if stat == e.EngineStat.STRIPPED_WEIGHTS_SIZE:
            constants = [value for value in constants if value.weights and "STRIP_PLAN" in self._plan.flags]
        return sum(value.size * NUMPY_TYPES[value.dtype].itemsize for value in constants)

    def is_debug_tensor(self, name: str) -> bool:
        return any(value.name == name for value in self._plan.profiles[0].graph.kept)

    # --- what it makes ---

    def serialize(self) -> IHostMemory:
        """The engine's bytes; those of a stripped engine that was refitted hold the weights."""
        return encode(self._plan)

    def create_serialization_config(self) -> ISerializationConfig:
        return ISerializationConfig()

    def serialize_with_config(self, config: ISerializationConfig) -> IHostMemory:
        return encode(self._plan, not config.get_flag(e.SerializationFlag.EXCLUDE_WEIGHTS))

    def create_runtime_config(self) -> IRuntimeConfig:
        return IRuntimeConfig()

    def create_execution_context(self, strategy=e.ExecutionContextAllocationStrategy.STATIC):
        """A context, the state of one run at a time. strategy: who allocates the arena, or an IRuntimeConfig."""
        from minitrt.runtime.context import IExecutionContext

        if isinstance(strategy, IRuntimeConfig):
            strategy = strategy.get_execution_context_allocation_strategy()
        if self._plan.missing:
            message = f"the engine was stripped of {len(self._plan.missing)} weights: refit it before it runs"
            self._report.error(message, e.ErrorCodeTRT.INVALID_STATE)
            return None
        context = IExecutionContext(self, strategy)
        self._contexts.add(context)
        return context

    def _weights_changed(self) -> None:
        """After a refit: what contexts hold on the device is old."""
        self._plan.shared.clear()
        for context in self._contexts:
            context._restart()

    def create_execution_context_without_device_memory(self):
        return self.create_execution_context(e.ExecutionContextAllocationStrategy.USER_MANAGED)

    def create_engine_inspector(self):
        from minitrt.runtime.inspector import EngineInspector

        return EngineInspector(self)
