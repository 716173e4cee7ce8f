"""What a plugin's creator is handed: arrays of the field's type, as code written for TensorRT 10 reads them."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt


def test_fields_keep_type_and_data_through_a_plan():
    from minitrt.plugins.fields import as_plain, from_plain

    fields = [
        trt.PluginField("a", np.array([1, 2], np.int32), trt.PluginFieldType.INT32),
        trt.PluginField("b", "text", trt.PluginFieldType.CHAR),
        trt.PluginField("c", np.float32(0.5), trt.PluginFieldType.FLOAT32),
    ]
    a, b, c = from_plain(as_plain(fields))

    assert (a.data.tolist(), a.type, a.size) == ([1, 2], trt.PluginFieldType.INT32, 2)
    assert (b.data.tobytes(), c.data.tolist()) == (b"text", [0.5])


@pytest.mark.parametrize(
    ("kind", "data", "dtype", "size"),
    [
        ("INT32", np.array([4], np.int32), np.int32, 1),
        ("INT32", (1, 2, 3), np.int32, 3),
        ("INT64", [2**40], np.int64, 1),
        ("FLOAT32", np.array([[0.5, 2]], np.float32), np.float32, 2),
        ("FLOAT64", np.array([0.5]), np.float64, 1),
        ("INT8", b"\x01\xff", np.int8, 2),
        ("CHAR", b"torch", np.int8, 5),
        ("CHAR", "torch", np.int8, 5),
        ("INT32", np.array([]), np.int32, 0),
    ],
)
def test_a_field_s_data_is_a_flat_array_of_its_type_whatever_the_length(kind, data, dtype, size):
    field = trt.PluginField("f", data, getattr(trt.PluginFieldType, kind))

    assert isinstance(field.data, np.ndarray)
    assert ((size,), np.dtype(dtype), size) == (field.data.shape, field.data.dtype, field.size)
    if size == 1:
        assert field.data[0] == int(field.data) or field.data[0] == float(field.data)


def test_text_is_read_as_samples_read_it():
    text = trt.PluginField("backend", b"torch", trt.PluginFieldType.CHAR).data

    assert (text.tobytes().decode(), int(text[-1])) == ("torch", ord("h"))


def test_a_node_s_attribute_gets_the_type_that_the_creator_names():
    from minitrt.onnx_import.plugins import field_of

    wanted = trt.PluginFieldType
    given = ((4, wanted.INT64), ([1, 2], wanted.UNKNOWN), (2, wanted.FLOAT32))
    fields = [field_of("n", value, kind) for value, kind in given]

    assert [(wanted.INT64, [4]), (wanted.INT32, [1, 2]), (wanted.FLOAT32, [2.0])] == [
        (field.type, field.data.tolist()) for field in fields
    ]
