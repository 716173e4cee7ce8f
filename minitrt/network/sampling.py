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
from minitrt.graph.ir import Op, Value
from minitrt.network.layer import ILayer, Param, dims_or_none, dynamic
from minitrt.network.only_default import OnlyDefault
from minitrt.network.shaping import SAMPLE, ints

MOST_BOXES = 5000  # that TensorRT looks at in an item of a batch, on all GPUs since sm_62


class IResizeLayer(ILayer):
    """Its input at another size: shape, scales, or input 1 give it."""

    LAYER_TYPE = LayerType.RESIZE
    shape = Param(None, dims_or_none)
    scales = Param(None)
    resize_mode = Param(InterpolationMode.NEAREST)
    coordinate_transformation = Param(ResizeCoordinateTransformation.ASYMMETRIC)
    selector_for_single_pixel = OnlyDefault(
        ResizeSelector.FORMULA, "a single pixel is placed by coordinate_transformation, as any other"
    )
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
        given = any(value is not None for value in ins[1:])
        if not given and attrs.get("sizes") is None and attrs.get("scales") is None:
            attrs["scales"] = [1.0] * len(ins[0].shape)
        if "dynamic" not in attrs:  # an import says itself what its inputs are
            attrs = dynamic(attrs, sizes=(1, ins[1] if len(ins) > 1 else None))
        return [self._op("resize", ins, outs, **attrs)]


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
    """Boxes that do not overlap with better ones: (selected, 3) of (batch, class, box), best first in each item of the
    batch, and how many, INT32.

    Inputs: boxes (N,B,4), or (N,B,classes,4), scores (N,B,classes), most boxes a class, and optionally the largest
    overlap and the least score, both 0 by default.
    """

    LAYER_TYPE = LayerType.NMS
    bounding_box_format = Param(BoundingBoxFormat.CORNER_PAIRS)
    topk_box_limit = Param(MOST_BOXES, int)
    indices_type = Param(DataType.INT64)

    def _ops(self, ins, outs):
        boxes, scores = (value.shape for value in ins[:2])
        if len(scores) != 3 or boxes not in ((*scores[:2], 4), (*scores, 4)):
            raise ValueError(
                f"{self.name}: scores are (batch, boxes, classes), and boxes (batch, boxes, 4) or (batch, boxes,"
                f" classes, 4), but they are {scores} and {boxes}. Transpose scores of (batch, classes, boxes)."
            )
        if not 1 <= self.topk_box_limit <= MOST_BOXES:
            raise ValueError(f"{self.name}: topk_box_limit is 1 to {MOST_BOXES}, and not {self.topk_box_limit}")
        centre = self.bounding_box_format == BoundingBoxFormat.CENTER_SIZES
        rows, ops = self._typed(outs[0], self.indices_type)
        ops.insert(0, self._op("nms", ins, [rows], centre=centre, topk=self.topk_box_limit))
        if len(outs) > 1:
            count, casting = self._typed(outs[1], DataType.INT32)
            shape = count.like(outs[1].name + "/shape", shape=None)
            ops.append(self._op("shape_of", [outs[0]], [shape], start=0, end=1))
            ops += [self._op("shuffle", [shape], [count], shape=[]), *casting]
        return ops

    def _typed(self, out: Value, dtype: DataType) -> tuple[Value, list[Op]]:
        """An INT64 value, and what makes `out`, of another type, of it: nothing where `out` is that value."""
        out.dtype = dtype
        if dtype == DataType.INT64:
            return out, []
        wide = out.like(out.name + "/int64", dtype=DataType.INT64, shape=None)
        return wide, [self._op("pointwise", [wide], [out], program=[["cast", ["x0"], dtype.name]])]
