"""Layers of images and boxes: another size, samples at given places, boxes that do not overlap with better ones."""

from __future__ import annotations

from minitrt.api.enums import (
    BoundingBoxFormat,
    DataType,
    InterpolationMode,
    LayerType,
    ResizeCoordinateTransformation,
    ResizeRoundMode,
    ResizeSelector,
    SampleMode,
)
from minitrt.network.layer import ILayer, Param, dims_or_none, dynamic
from minitrt.network.shaping import SAMPLE, ints


class IResizeLayer(ILayer):
    """Its input at another size: shape, scales, or input 1 give it."""

    LAYER_TYPE = LayerType.RESIZE
    shape = Param(None, dims_or_none)
    scales = Param(None)
    resize_mode = Param(InterpolationMode.NEAREST)
    coordinate_transformation = Param(ResizeCoordinateTransformation.ASYMMETRIC)
    selector_for_single_pixel = Param(ResizeSelector.FORMULA)
    nearest_rounding = Param(ResizeRoundMode.FLOOR)
    exclude_outside = Param(0, int)
    cubic_coeff = Param(-0.75, float)

    def _ops(self, ins, outs):
        attrs = dict(
            mode=self.resize_mode.name.lower(),
            coordinate=self.coordinate_transformation.name.lower(),
            rounding=self.nearest_rounding.name.lower(),
            exclude_outside=bool(self.exclude_outside),
            cubic_a=self.cubic_coeff,
        )
        if self.shape is not None:
            attrs["sizes"] = ints(self.shape)
        if self.scales is not None:
            attrs["scales"] = [float(s) for s in self.scales]
        attrs |= self._params.get("more", {})
        return [self._op("resize", ins, outs, **dynamic(attrs, sizes=(1, ins[1] if len(ins) > 1 else None)))]


class IGridSampleLayer(ILayer):
    """Input 0 sampled at the places of input 1."""

    LAYER_TYPE = LayerType.GRID_SAMPLE
    interpolation_mode = Param(InterpolationMode.LINEAR)
    align_corners = Param(False, bool)
    sample_mode = Param(SampleMode.FILL)

    def _ops(self, ins, outs):
        mode, padding = self.interpolation_mode.name.lower(), SAMPLE[self.sample_mode.name]
        attrs = dict(mode=mode, align_corners=int(self.align_corners), padding=padding)
        return [self._op("grid_sample", ins, outs, **attrs)]


class INMSLayer(ILayer):
    """Boxes that do not overlap with better ones: (selected, 3), and how many."""

    LAYER_TYPE = LayerType.NMS
    bounding_box_format = Param(BoundingBoxFormat.CORNER_PAIRS)
    topk_box_limit = Param(2000, int)
    indices_type = Param(DataType.INT64)

    def _ops(self, ins, outs):
        centre = self.bounding_box_format == BoundingBoxFormat.CENTER_SIZES
        outs[0].dtype = DataType.INT64
        ops = [self._op("nms", ins, outs[:1], centre=centre)]
        if len(outs) > 1:
            outs[1].dtype = DataType.INT64
            shape = outs[1].like(outs[1].name + "/shape")
            ops.append(self._op("shape_of", outs[:1], [shape], start=0, end=1))
            ops.append(self._op("shuffle", [shape], outs[1:], shape=[]))
        return ops
