"""What users derive plugins from: V3 (three capabilities) and V2-dynamic; and their creators.

Pointers that `enqueue` gets lie where the engine runs: on the device, or in host memory with the reference backend.
"""

from __future__ import annotations

from typing import Any

from minitrt.api.dims import Dims
from minitrt.api.enums import DataType, PluginCapabilityType, TensorFormat, TensorRTPhase
from minitrt.api.interfaces import IVersionedInterface


class PluginTensorDesc:
    """A tensor as a plugin sees it: dims, type, format, and the scale of an INT8 one."""

    def __init__(self, dims=(), type=DataType.FLOAT, format=TensorFormat.LINEAR, scale: float = 1.0):
        self.dims, self.type, self.format, self.scale = Dims(dims), type, format, scale


class DynamicPluginTensorDesc:
    """A tensor whose dims may hold -1, with the profile's smallest, likeliest and largest."""

    def __init__(self, desc: PluginTensorDesc | None = None, min=(), opt=(), max=()):
        self.desc = desc or PluginTensorDesc()
        self.min, self.opt, self.max = Dims(min), Dims(opt), Dims(max)


# --- V3 ------------------------------------------------------------------------------------------------------------


class IPluginCapability(IVersionedInterface):
    """One of a V3 plugin's sides: core, build, runtime."""


class IPluginV3(IVersionedInterface):
    """A plugin. One object often is all three capabilities."""

    def get_capability_interface(self, type: PluginCapabilityType) -> Any:
        raise NotImplementedError

    def clone(self) -> IPluginV3:
        raise NotImplementedError

    def destroy(self) -> None:
        pass


class IPluginV3OneCore(IPluginCapability):
    """Who the plugin is: plugin_name, plugin_version, plugin_namespace."""

    plugin_name, plugin_version, plugin_namespace = "", "1", ""


class IPluginV3OneBuild(IPluginCapability):
    """What the builder asks."""

    DEFAULT_FORMAT_COMBINATION_LIMIT = 100
    num_outputs = 1
    format_combination_limit = DEFAULT_FORMAT_COMBINATION_LIMIT
    metadata_string = None
    timing_cache_id = None

    def get_output_data_types(self, input_types: list[DataType]) -> list[DataType]:
        raise NotImplementedError

    def get_output_shapes(self, inputs, shape_inputs, expr_builder) -> list:
        raise NotImplementedError

    def supports_format_combination(self, pos: int, in_out: list[DynamicPluginTensorDesc], num_inputs: int) -> bool:
        raise NotImplementedError

    def configure_plugin(self, inputs: list[DynamicPluginTensorDesc], outputs: list[DynamicPluginTensorDesc]) -> None:
        pass

    def get_workspace_size(self, inputs, outputs) -> int:
        return 0

    def get_valid_tactics(self) -> list[int]:
        return []


class IPluginV3OneBuildV2(IPluginV3OneBuild):
    """A builder's side whose outputs may share memory with inputs."""

    def get_aliased_input(self, output_index: int) -> int:
        return -1


class IPluginV3OneRuntime(IPluginCapability):
    """What the runtime asks."""

    def set_tactic(self, tactic: int) -> None:
        pass

    def on_shape_change(self, inputs: list[PluginTensorDesc], outputs: list[PluginTensorDesc]) -> None:
        pass

    def enqueue(self, input_desc, output_desc, inputs: list[int], outputs: list[int], workspace: int, stream: int):
        raise NotImplementedError

    def attach_to_context(self, context: IPluginResourceContext) -> IPluginV3:
        return self.clone()

    def get_fields_to_serialize(self):
        raise NotImplementedError


class IPluginResourceContext:
    """What a context lends a plugin."""

    gpu_allocator = None
    error_recorder = None


class IPluginResource(IVersionedInterface):
    """Something plugins share: cloned when it is first acquired, released when nobody holds it."""

    def release(self) -> None:
        pass

    def clone(self) -> IPluginResource:
        raise NotImplementedError


# --- V2 ------------------------------------------------------------------------------------------------------------


class IPluginV2(IVersionedInterface):
    """The oldest kind; V2-dynamic is the one that engines take."""

    num_outputs, tensorrt_version = 1, 101600
    plugin_type, plugin_version, plugin_namespace = "", "1", ""
    serialization_size = 0

    def initialize(self) -> int:
        return 0

    def terminate(self) -> None:
        pass

    def destroy(self) -> None:
        pass

    def serialize(self) -> bytes | str:
        return b""

    def clone(self) -> IPluginV2:
        raise NotImplementedError

    def get_output_shape(self, index: int, inputs: list) -> Dims:
        raise NotImplementedError

    def supports_format(self, dtype: DataType, format: TensorFormat) -> bool:
        return format == TensorFormat.LINEAR

    def configure_with_format(self, *_) -> None:
        pass

    def get_workspace_size(self, *_) -> int:
        return 0

    def execute_async(self, batch_size: int, inputs, outputs, workspace: int, stream_handle: int) -> int:
        raise NotImplementedError


class IPluginV2Ext(IPluginV2):
    """V2 with types of outputs."""

    def get_output_data_type(self, index: int, input_types: list[DataType]) -> DataType:
        return input_types[0]

    def configure_plugin(self, *_) -> None:
        pass

    def attach_to_context(self, *_) -> None:
        pass

    def detach_from_context(self) -> None:
        pass


class IPluginV2DynamicExtBase(IPluginV2):
    """What V2-dynamic plugins have in common."""


class IPluginV2DynamicExt(IPluginV2DynamicExtBase):
    """A plugin with dynamic shapes."""

    FORMAT_COMBINATION_LIMIT = 100

    def get_output_datatype(self, index: int, input_types: list[DataType]) -> DataType:
        return input_types[0]

    def get_output_dimensions(self, output_index: int, inputs: list, expr_builder):
        raise NotImplementedError

    def supports_format_combination(self, pos: int, in_out: list[PluginTensorDesc], num_inputs: int) -> bool:
        raise NotImplementedError

    def configure_plugin(self, inputs: list[DynamicPluginTensorDesc], outputs: list[DynamicPluginTensorDesc]) -> None:
        pass

    def get_serialization_size(self) -> int:
        return len(self.serialize())

    def enqueue(self, input_desc, output_desc, inputs: list[int], outputs: list[int], workspace: int, stream: int):
        raise NotImplementedError


# --- creators ------------------------------------------------------------------------------------------------------


class IPluginCreatorInterface(IVersionedInterface):
    """What the registry holds."""

    name, plugin_version, plugin_namespace = "", "1", ""
    field_names: Any = ()


class IPluginCreator(IPluginCreatorInterface):
    """Makes V2 plugins, from fields or from their serialised bytes."""

    def create_plugin(self, name: str, field_collection) -> IPluginV2:
        raise NotImplementedError

    def deserialize_plugin(self, name: str, serialized_plugin: bytes) -> IPluginV2:
        raise NotImplementedError


class IPluginCreatorV3One(IPluginCreatorInterface):
    """Makes V3 plugins from fields, when an engine is built and when it is loaded."""

    def create_plugin(self, name: str, field_collection, phase: TensorRTPhase) -> IPluginV3:
        raise NotImplementedError
