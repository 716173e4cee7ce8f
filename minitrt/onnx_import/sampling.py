"""Operators that sample images: resizing, grids, boxes."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ErrorCode, InterpolationMode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.movement import as_input
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, NodeError, operator
from minitrt.reference.resize import COORDINATES

FRACTIONS = (
    "Resize with align_corners and scales that are fractions is computed by ONNX's definition, which takes scale * size"
    " for the length; ONNX Runtime rounds it first. Give sizes in place of scales, and both agree"
)


@operator("Resize", "Upsample")
def resize(node: Node) -> ITensor:
    """sizes or scales, known or not; what TensorRT's resize layer lacks (regions, antialiasing) travels along."""
    layer = node.network.add_resize(node.x)
    layer.resize_mode = InterpolationMode[node.attr("mode", "nearest").upper().replace("BILINEAR", "LINEAR")]
    old = node.op_type == "Upsample" or node.opset < 11
    rounding = {"round_prefer_floor": "half_down", "round_prefer_ceil": "half_up"}
    how = node.attr("nearest_mode", "by_scale" if old else "round_prefer_floor")
    coordinate = node.attr("coordinate_transformation_mode", "asymmetric" if old else "half_pixel")
    node.need(coordinate in COORDINATES, f"coordinates of mode {coordinate!r} are none of {', '.join(COORDINATES)}")
    more = dict(
        coordinate=coordinate,
        rounding=rounding.get(how, how),
        cubic_a=node.attr("cubic_coeff_a", -0.75),
        exclude_outside=bool(node.attr("exclude_outside", 0)),
        antialias=bool(node.attr("antialias", 0)),
        extrapolation=node.attr("extrapolation_value", 0.0),
        policy=node.attr("keep_aspect_ratio_policy", "stretch"),
    )
    more |= {"axes": node.attr("axes")} if node.attr("axes") is not None else {}
    inputs: list[ITensor] = [node.x]
    if node.op_type == "Upsample" and node.opset < 9:
        more["scales"] = node.attr("scales")
    elif old:
        as_input(node, 1, "scales", more, inputs)
    else:
        for index, name in ((1, "roi"), (2, "scales"), (3, "sizes")):
            if node.has(index) and node.shape(index) != (0,):
                as_input(node, index, name, more, inputs)
    if coordinate == "align_corners" and lengths_are_fractions(node.shape(), more):
        node.importing.note(FRACTIONS)
    for index, tensor in enumerate(inputs[1:], 1):
        layer.set_input(index, tensor)
    layer._params["more"] = more
    node.network._changed(layer)
    return layer.get_output(0)


def lengths_are_fractions(shape: tuple[int, ...], more: dict) -> bool:
    """Whether scale * size may be no whole number along some axis."""
    axes = more.get("axes", range(len(shape)))
    return any(
        scale % 1 and (shape[axis] == -1 or shape[axis] * scale % 1)
        for axis, scale in zip(axes, more.get("scales") or (), strict=False)
    )


@operator("GridSample", domains=(ONNX, RUNTIME))
def grid_sample(node: Node) -> ITensor:
    mode = node.attr("mode", "linear").removeprefix("bi")
    if mode not in ("linear", "nearest", "cubic"):
        raise NodeError(f"GridSample of mode {mode!r}", ErrorCode.UNSUPPORTED_NODE_ATTR)
    padding = {"zeros": "fill", "border": "clamp", "reflection": "reflect"}[node.attr("padding_mode", "zeros")]
    attrs = dict(mode=mode, align_corners=node.attr("align_corners", 0), padding=padding)
    return node.builtin("grid_sample", [node.x, node.tensor(1)], **attrs)


@operator("DeformConv")
def deformable(node: Node) -> ITensor:
    """x, weights, offsets, a bias, and how much each tap counts."""
    weights, space = node.shape(1), node.rank() - 2
    if space != 2:
        raise NodeError(f"DeformConv of {space} axes: it has 2 here", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    attrs = dict(
        stride=node.attr("strides", [1] * space),
        dilations=node.attr("dilations", [1] * space),
        pads_before=node.attr("pads", [0] * 2 * space)[:space],
        groups=node.attr("group", 1),
        offset_groups=node.attr("offset_group", 1),
        kernel=list(weights[2:]),
    )
    inputs = [node.tensor(index) for index in range(5)]
    return node.builtin("deformable", inputs, **attrs)


@operator("RoiAlign")
def roi_align(node: Node) -> ITensor:
    half = "half_pixel" if node.opset >= 16 else "output_half_pixel"
    attrs = dict(
        size=[node.attr("output_height", 1), node.attr("output_width", 1)],
        ratio=node.attr("sampling_ratio", 0),
        scale=node.attr("spatial_scale", 1.0),
        mode=node.attr("mode", "avg"),
        half_pixel=node.attr("coordinate_transformation_mode", half) == "half_pixel",
    )
    return node.builtin("roi_align", node.tensors(), **attrs)


@operator("MaxRoiPool")
def max_roi_pool(node: Node) -> ITensor:
    attrs = dict(size=list(node.attr("pooled_shape")), scale=node.attr("spatial_scale", 1.0))
    return node.builtin("max_roi_pool", node.tensors(), **attrs)


@operator("MaxUnpool")
def max_unpool(node: Node) -> ITensor:
    """Zeros, and the elements at the places of a flat tensor that a max pool took them from."""
    e, rank = Expansion(node), node.rank()
    shape = e.given(2)
    if not shape:
        count = rank - 2
        pads, kernel = node.attr("pads", [0] * 2 * count), node.attr("kernel_shape")
        strides = node.attr("strides", [1] * count)
        more = [k - s - a - b for k, s, a, b in zip(kernel, strides, pads, pads[count:], strict=False)]
        scaled = e.op("Mul", e.op("Shape", e.given(0)), e.constant([1, 1, *strides], np.int64))
        shape = e.op("Add", scaled, e.constant([0, 0, *more], np.int64))
    count = e.reshape(e.op("ReduceProd", shape, keepdims=1), [1])
    flat = e.cast(e.op("ConstantOfShape", count), node.x.dtype)
    places, values = (e.reshape(e.given(index), [-1]) for index in (1, 0))
    return e.result(e.op("Reshape", e.op("ScatterElements", flat, places, values, axis=0), shape))


@operator("NonMaxSuppression")
def non_max_suppression(node: Node) -> ITensor:
    attrs = dict(centre=bool(node.attr("center_point_box", 0)))
    return node.builtin("nms", node.tensors(), types=[DataType.INT64], **attrs)
