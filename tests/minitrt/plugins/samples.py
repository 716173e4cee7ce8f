"""Plugins for tests, one of each kind. On the reference backend their pointers are host memory."""

from __future__ import annotations

import numpy as np
from numba import cuda

import minitrt as trt
import simt
from minitrt.runtime.host import array_at


@cuda.jit
def scale_kernel(x, factor, y):
    """y = factor * x, element by element; x, y: flat float32."""
    i = cuda.grid(1)
    if i < x.size:
        y[i] = factor * x[i]


def flat(address: int, desc) -> np.ndarray:
    return array_at(address, (trt.volume(desc.dims),), trt.nptype(desc.type))


class Scale(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """A V3 plugin whose kernel is numba.cuda's; the interpreter runs it where there is no GPU."""

    plugin_name, plugin_version, plugin_namespace, num_outputs = "Scale", "1", "", 1
    calls: list[str] = []

    def __init__(self, factor: float):
        super().__init__()
        self.factor, self.tactic = factor, None

    def get_capability_interface(self, type):
        return self

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].desc.type == trt.float32 and in_out[pos].desc.format == trt.TensorFormat.LINEAR

    def get_valid_tactics(self):
        return [7]

    def set_tactic(self, tactic):
        self.tactic = tactic

    def on_shape_change(self, inputs, outputs):
        self.calls.append(f"shape {tuple(inputs[0].dims)}")

    def get_fields_to_serialize(self):
        field = trt.PluginField("factor", np.array([self.factor], np.float32), trt.PluginFieldType.FLOAT32)
        return trt.PluginFieldCollection([field])

    def attach_to_context(self, context):
        return self.clone()

    def clone(self):
        return Scale(self.factor)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.calls.append(f"enqueue with tactic {self.tactic}")
        x, y = flat(inputs[0], input_desc[0]), flat(outputs[0], output_desc[0])
        simt.launch(scale_kernel, -(-x.size // 64), 64, x, np.float32(self.factor), y)


class ScaleCreator(trt.IPluginCreatorV3One):
    name, plugin_version, plugin_namespace = "Scale", "1", ""
    field_names = trt.PluginFieldCollection([trt.PluginField("factor", None, trt.PluginFieldType.FLOAT32)])

    def create_plugin(self, name, field_collection, phase):
        Scale.calls.append(f"create for {phase.name}")
        return Scale(float(field_collection[0].data[0]))


class CircularPad(trt.IPluginV2DynamicExt):
    """A V2-dynamic plugin: pads the last axis circularly by (before, after)."""

    plugin_type, plugin_version, plugin_namespace, num_outputs = "CircularPad", "1", "", 1

    def __init__(self, pads):
        super().__init__()
        self.pads = [int(n) for n in pads]

    def get_output_datatype(self, index, input_types):
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        dims = trt.DimsExprs(inputs[0])
        more = expr_builder.constant(sum(self.pads))
        dims[-1] = expr_builder.operation(trt.DimensionOperation.SUM, dims[-1], more)
        return dims

    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == in_out[0].type

    def serialize(self):
        return np.array(self.pads, np.int32).tobytes()

    def clone(self):
        return CircularPad(self.pads)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        x = array_at(inputs[0], tuple(input_desc[0].dims), trt.nptype(input_desc[0].type))
        y = array_at(outputs[0], tuple(output_desc[0].dims), trt.nptype(output_desc[0].type))
        y[...] = np.pad(x, [(0, 0)] * (x.ndim - 1) + [tuple(self.pads)], mode="wrap")
        return 0


class CircularPadCreator(trt.IPluginCreator):
    name, plugin_version, plugin_namespace = "CircularPad", "1", ""
    field_names = trt.PluginFieldCollection([trt.PluginField("pads", None, trt.PluginFieldType.INT32)])

    def create_plugin(self, name, field_collection):
        return CircularPad(field_collection[0].data)

    def deserialize_plugin(self, name, serialized_plugin):
        return CircularPad(np.frombuffer(serialized_plugin, np.int32))


class Positives(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Keeps the positive elements of a vector: how many there are, only the run tells."""

    plugin_name, plugin_version, plugin_namespace, num_outputs = "Positives", "1", "", 2

    def get_capability_interface(self, type):
        return self

    def get_output_data_types(self, input_types):
        return [trt.float32, trt.int64]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        half = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, inputs[0][0], expr_builder.constant(2))
        count = expr_builder.declare_size_tensor(1, half, inputs[0][0])
        return [trt.DimsExprs([count]), trt.DimsExprs(0)]

    def supports_format_combination(self, pos, in_out, num_inputs):
        return True

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])

    def clone(self):
        return Positives()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        found = flat(inputs[0], input_desc[0])
        found = found[found > 0]
        array_at(outputs[0], found.shape, np.float32)[...] = found
        array_at(outputs[1], (1,), np.int64)[0] = found.size


class PositivesCreator(trt.IPluginCreatorV3One):
    name, plugin_version, plugin_namespace, field_names = "Positives", "1", "", trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return Positives()


CREATORS = (ScaleCreator, CircularPadCreator, PositivesCreator)
