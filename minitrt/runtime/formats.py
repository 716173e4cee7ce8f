"""How formats are described in words, as TensorRT's inspector does."""

from __future__ import annotations

from minitrt.graph.ir import Value

DESCRIPTIONS = {
    "linear": "Row major linear",
    "nhwc16": "Channel major",
    "hwc": "Channel major, unpadded",
    "blocks16": "Channel major, of 2x2 blocks",
}
TYPE_NAMES = dict(FLOAT="FP32", HALF="FP16", INT8="Int8", INT32="Int32", INT64="Int64", BOOL="Bool", UINT8="UInt8")


def format_description(value: Value) -> str:
    """As TensorRT describes formats: "Row major linear FP32", "Channel major Int8 format where channel % 16 == 0"."""
    kind = TYPE_NAMES[value.dtype.name]
    text = f"{DESCRIPTIONS.get(value.layout, value.layout)} {kind} format"
    return text if value.layout in ("linear", "hwc") else f"{text} where channel % 16 == 0"
