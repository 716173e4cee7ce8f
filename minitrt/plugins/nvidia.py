"""NVIDIA's own plugins: those that are here, as operations, and the names of those that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minitrt.api.enums import DataType, PluginFieldType
from minitrt.plugins.fields import PluginField, PluginFieldCollection
from minitrt.plugins.interfaces import IPluginCreatorInterface

ABSENT = """BatchTilePlugin_TRT Clip_TRT CoordConvAC CropAndResize CropAndResizeDynamic CustomEmbLayerNormPluginDynamic
CustomFCPluginDynamic CustomGeluPluginDynamic CustomQKVToContextPluginDynamic CustomSkipLayerNormPluginDynamic
DecodeBbox3DPlugin DetectionLayer_TRT DisentangledAttention_TRT EfficientNMS_Explicit_TF_TRT
EfficientNMS_Implicit_TF_TRT EfficientNMS_ONNX_TRT FlattenConcat_TRT GenerateDetection_TRT GridAnchorRect_TRT
GridAnchor_TRT InstanceNormalization_TRT LReLU_TRT ModulatedDeformConv2d MultilevelCropAndResize_TRT
MultilevelProposeROI_TRT MultiscaleDeformableAttnPlugin_TRT NMSDynamic_TRT NMS_TRT Normalize_TRT PillarScatterPlugin
PriorBox_TRT Proposal ProposalDynamic ProposalLayer_TRT PyramidROIAlign_TRT RPROI_TRT Region_TRT Reorg_TRT
ROIAlign_TRT ResizeNearest_TRT SpecialSlice_TRT VoxelGeneratorPlugin""".split()
MOST_CANDIDATES = 4096  # that EfficientNMS_TRT looks at in an image
INTEGER, FLOATING = PluginFieldType.INT32, PluginFieldType.FLOAT32
# attribute: the plugin's default, whose type is the attribute's
EFFICIENT = dict(
    score_threshold=0.25, iou_threshold=0.5, max_output_boxes=100, max_output_boxes_per_class=-1, background_class=-1,
    score_activation=0, class_agnostic=0, box_coding=0,
)  # fmt: skip
BATCHED = dict(
    shareLocation=1, backgroundLabelId=-1, numClasses=0, topK=4096, keepTopK=100, scoreThreshold=0.0, iouThreshold=0.5,
    isNormalized=1, clipBoxes=1, scoreBits=16, caffeSemantics=1,
)  # fmt: skip


class NvidiaPlugin:
    """One of NVIDIA's plugins with its attributes. kind, operation, types: the operation that it is, with the types of
    its outputs (None: of the boxes)."""

    def __init__(self, name: str, version: str, given: Mapping[str, Any]):
        self.plugin_type, self.plugin_version = name, version
        defaults, self.operation, self.types = KNOWN[name]
        self.attributes = {**defaults, **{key: value for key, value in given.items() if key in defaults}}
        self.kind, self.num_outputs = "detections", len(self.types)

    def operation_attributes(self) -> dict[str, Any]:
        return self.operation(self.attributes)


def efficient(a: Mapping[str, Any]) -> dict[str, Any]:
    return dict(
        keep=int(a["max_output_boxes"]),
        score_threshold=float(a["score_threshold"]),
        iou_threshold=float(a["iou_threshold"]),
        per_class=int(a["max_output_boxes_per_class"]),
        background=int(a["background_class"]),
        sigmoid=bool(a["score_activation"]),
        agnostic=bool(a["class_agnostic"]),
        centre=bool(a["box_coding"]),
        candidates=MOST_CANDIDATES,
    )


def batched(a: Mapping[str, Any]) -> dict[str, Any]:
    return dict(
        keep=int(a["keepTopK"]),
        score_threshold=float(a["scoreThreshold"]),
        iou_threshold=float(a["iouThreshold"]),
        background=int(a["backgroundLabelId"]),
        candidates_per_class=int(a["topK"]),
        clip=bool(a["clipBoxes"]),
    )


KNOWN: dict[str, tuple[dict[str, Any], Callable[[Mapping[str, Any]], dict[str, Any]], list[DataType | None]]] = {
    "EfficientNMS_TRT": (EFFICIENT, efficient, [DataType.INT32, None, None, DataType.INT32]),
    "BatchedNMS_TRT": (BATCHED, batched, [DataType.INT32, None, None, None]),
    "BatchedNMSDynamic_TRT": (BATCHED, batched, [DataType.INT32, None, None, None]),
}


class NvidiaCreator(IPluginCreatorInterface):
    """Makes one of them, for `add_plugin_v2` and `add_plugin_v3`."""

    def __init__(self, name: str):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = name, "1", ""
        kinds = {int: INTEGER, float: FLOATING}
        fields = [PluginField(key, np.array([v]), kinds[type(v)]) for key, v in KNOWN[name][0].items()]
        self.field_names = PluginFieldCollection(fields)

    def create_plugin(self, name: str, field_collection: PluginFieldCollection, phase=None) -> NvidiaPlugin:
        given = {field.name: field.data[0] for field in field_collection if field.data is not None}
        return NvidiaPlugin(self.name, self.plugin_version, given)


def why_absent(operator: str) -> str:
    """What to say of an operator that is one of NVIDIA's plugins and not here; "" for any other."""
    if operator not in ABSENT:
        return ""
    return (
        f"{operator!r} is a plugin of NVIDIA's, and not among those that minitrt has ({', '.join(KNOWN)}). Export with"
        " ONNX's operators (NonMaxSuppression, RoiAlign, InstanceNormalization, ...), or register a plugin of that name"
    )
