"""Answers to engine_runtime.threshold_plugin."""

import numpy as np

import minitrt as trt
from autograder.exercises.catalogue import right, wrong


@right("sizes_kept_for_each_shape")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            x, dst = host.array(inputs[0], self.shape), host.array(outputs[0], self.shape)
            host.launch(self.grid, (32, 8), x, self.thresholds, dst)

        def on_shape_change(self, inputs, outputs):
            images, channels, *pixels = inputs[0].dims
            self.shape = images * channels, int(np.prod(pixels))
            self.grid = -(-self.shape[1] // 32), -(-self.shape[0] // 8)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@right("fields_by_name")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return [trt.DataType.FLOAT]

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 256), int(shape[0])), (256, 1), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            given = {field.name: field.data for field in field_collection}
            return SoftThreshold(given["thresholds"])

    return host.tries(Creator())


@right("shapes_copied_size_by_size")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            shape = trt.DimsExprs(len(inputs[0]))
            for axis in range(len(inputs[0])):
                shape[axis] = inputs[0][axis]
            return [shape]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            if desc.format != trt.TensorFormat.LINEAR:
                return False
            return desc.type == (trt.float32 if pos == 0 else in_out[0].desc.type)

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@right("a_view_of_four_dimensions")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            other = SoftThreshold([])
            other.thresholds = self.thresholds.copy()
            return other

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = tuple(input_desc[0].dims)
            rows = dims[0] * dims[1]
            x = host.array(inputs[0], dims).reshape(rows, -1)
            dst = host.array(outputs[0], dims).reshape(rows, -1)
            host.launch((x.shape[1] // 32 + 1, rows // 8 + 1), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@right("one_type_and_one_layout_in_a_pair")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return [trt.float32]

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            wanted = (trt.float32, trt.TensorFormat.LINEAR)
            return all((each.desc.type, each.desc.format) == wanted for each in (in_out[0], in_out[pos]))

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            sizes = list(input_desc[0].dims)
            rows, columns = sizes[0] * sizes[1], trt.volume(sizes[2:])
            grid = (columns + 31) // 32, (rows + 7) // 8
            x, dst = (host.array(address, (rows, columns)) for address in (*inputs, *outputs))
            host.launch(grid, (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("version_1", misconception="not_found", says="under the file's name, version and namespace")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "1", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("names_no_fields", misconception="no_field_names", says="the parser hands none of the node's numbers over")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("plugin_of_another_version", misconception="other_key", says="the plan keeps the plugin's")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "1", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("result_in_half", misconception="other_type", says="a list of one type, float32")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return [trt.float16]

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("sizes_of_the_example", misconception="other_shape", says="pass the input's expressions on")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs([2, 3, 4, 4])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("any_type", misconception="takes_any_type", says="the kernel reads float32 alone")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("same_type_as_the_input", misconception="takes_any_type", says="the kernel reads float32 alone")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == in_out[0].desc.type and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("any_layout", misconception="takes_any_layout", says="the kernel reads row after row")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("the_input_alone", misconception="takes_nothing", says="so no engine can be built")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return pos == 0 and desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("whole_numbers", misconception="loses_fields", says="with the numbers that the creator was given")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.INT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("no_fields_kept", misconception="loses_fields", says="with the numbers that the creator was given")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection([])

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong(
    "thresholds_of_the_class", misconception="shares_numbers", says="a second plugin changed the first one's thresholds"
)
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            SoftThreshold.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("clone_is_itself", misconception="no_clone", says="each context gets one of its own")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return self

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("one_block_of_pixels", misconception="leaves_out", says="the grid covers all pixels")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((1, -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("rows_of_one_image", misconception="leaves_out", says="images times channels")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("first_shape_kept", misconception="first_shape_alone", says="from input_desc")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)
            self.dims = None

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            if self.dims is None:
                self.dims = tuple(input_desc[0].dims)
            dims = self.dims
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("all_sizes_as_pixels", misconception="beyond", says="larger than the tensor at its address")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0] * dims[1], trt.volume(dims)
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())


@wrong("a_row_per_image", misconception="wrong_result", says="rows are images times channels")
def threshold_plugin(host):
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection(
                [trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)]
            )

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims
            shape = dims[0], trt.volume(dims[1:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    return host.tries(Creator())
