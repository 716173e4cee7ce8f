"""NVIDIA's plugins that detectors are exported with: EfficientNMS_TRT, BatchedNMS_TRT; others are named as absent."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.builder.target import default_target
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard, model_of, parsed, results_of

rng = np.random.default_rng(0)
CORNERS = np.array([[[0, 0, 2, 2], [0.1, 0, 2, 2], [4, 4, 6, 6], [8, 8, 9, 9]]], np.float32)
SCORES = np.array([[[0.9, 0.1], [0.8, 0.7], [0.3, 0.6], [0.2, 0.05]]], np.float32)
OUTPUTS = ["count", "boxes", "scores", "classes"]


def model(boxes, scores, kind="EfficientNMS_TRT", batch=None, **attrs):
    node = onnx.helper.make_node(kind, ["b", "s"], OUTPUTS, name="nms", domain="TRT", plugin_version="1", **attrs)
    shapes = {"b": (np.float32, [batch or 1, *boxes.shape[1:]]), "s": (np.float32, [batch or 1, *scores.shape[1:]])}
    made = model_of([node], shapes, OUTPUTS)
    made.opset_import.append(onnx.helper.make_opsetid("TRT", 1))
    return made


def run(boxes=CORNERS, scores=SCORES, kind="EfficientNMS_TRT", **attrs):
    return results_of(model(boxes, scores, kind, **attrs), {"b": boxes, "s": scores})


def test_the_best_boxes_of_all_classes_come_first_and_zeros_fill_what_is_left():
    found = run(max_output_boxes=6, score_threshold=0.25, iou_threshold=0.5)

    assert [[4]] == found["count"].tolist() and np.int32 == found["count"].dtype == found["classes"].dtype
    np.testing.assert_allclose(found["scores"], [[0.9, 0.7, 0.6, 0.3, 0, 0]], rtol=1e-6)
    assert [[0, 1, 1, 0, 0, 0]] == found["classes"].tolist()
    np.testing.assert_array_equal(found["boxes"][0], [*CORNERS[0][[0, 1, 2, 2]], [0] * 4, [0] * 4])


def test_centres_and_sizes_come_out_as_corners():
    low, high = CORNERS[..., :2], CORNERS[..., 2:]
    centred = np.concatenate([(low + high) / 2, high - low], axis=-1)
    found, expected = run(centred, box_coding=1, iou_threshold=0.5), run(iou_threshold=0.5)

    for name in OUTPUTS:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize(
    ("attrs", "classes"),
    {
        "of one class": (dict(max_output_boxes_per_class=1), [0, 1]),
        "background": (dict(background_class=0), [1, 1]),
        "of all classes": (dict(class_agnostic=1), [0, 1]),
        "sigmoid": (dict(score_activation=1, score_threshold=0.65), [0, 1]),
        "most": (dict(max_output_boxes=3), [0, 1, 1]),
    }.values(),
)
def test_each_attribute_counts(attrs, classes):
    found = run(**{"score_threshold": 0.25, "iou_threshold": 0.5, **attrs})

    assert classes == found["classes"][0, : found["count"][0, 0]].tolist()


def test_boxes_may_differ_by_class():
    each = np.stack([CORNERS[0], CORNERS[0][::-1]], axis=1)[None]
    found = run(each, iou_threshold=0.5, score_threshold=0.65)

    np.testing.assert_array_equal(found["boxes"][0, :2], [CORNERS[0, 0], CORNERS[0, 2]])


def test_an_open_batch_is_each_image_by_itself():
    boxes = np.sort(rng.uniform(0, 9, (3, 20, 2, 2)), axis=2).reshape(3, 20, 4).astype(np.float32)
    scores = rng.uniform(size=(3, 20, 5)).astype(np.float32)
    together = results_of(model(boxes, scores, batch="n"), {"b": boxes, "s": scores})

    for item in range(3):
        alone = run(boxes[item : item + 1], scores[item : item + 1])
        for name in OUTPUTS:
            np.testing.assert_array_equal(together[name][item], alone[name][0], err_msg=name)


def test_batched_nms_clips_and_gives_its_classes_as_numbers():
    attrs = dict(numClasses=2, topK=3, keepTopK=4, scoreThreshold=0.25, iouThreshold=0.5, shareLocation=1)
    found = run(CORNERS[:, :, None] / 5, kind="BatchedNMSDynamic_TRT", **attrs)

    assert np.float32 == found["classes"].dtype and [[0, 1, 1, 0]] == found["classes"].tolist()
    assert 1 == found["boxes"].max()


def test_the_network_s_methods_take_what_the_registry_s_creator_makes():
    logger = Heard()
    assert trt.init_libnvinfer_plugins(logger, "")
    creator = trt.get_plugin_registry().get_creator("EfficientNMS_TRT", "1", "")
    fields = trt.PluginFieldCollection(
        [trt.PluginField("score_threshold", np.array([0.25], np.float32), trt.PluginFieldType.FLOAT32)]
    )
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    tensors = [network.add_input(name, trt.float32, a.shape) for name, a in (("b", CORNERS), ("s", SCORES))]
    layer = network.add_plugin_v3(tensors, [], creator.create_plugin("nms", fields, trt.TensorRTPhase.BUILD))
    for index, name in enumerate(OUTPUTS):
        layer.get_output(index).name = name
        network.mark_output(layer.get_output(index))
    config.target = None
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    found = Session(engine, logger).run({"b": CORNERS, "s": SCORES})

    assert 4 == found["count"] and (1, 100, 4) == found["boxes"].shape


def test_a_plugin_that_is_not_here_is_named_with_those_that_are():
    logger = Heard()
    with pytest.raises(AssertionError):
        parsed(model(CORNERS, SCORES, kind="EfficientNMS_ONNX_TRT"), logger)

    assert "is a plugin of NVIDIA's" in logger.errors[0] and "EfficientNMS_TRT" in logger.errors[0]


@pytest.mark.gpu
def test_on_a_gpu_they_are_the_reference_s():
    boxes = np.sort(rng.uniform(0, 9, (2, 200, 2, 2)), axis=2).reshape(2, 200, 4).astype(np.float32)
    scores = rng.uniform(size=(2, 200, 8)).astype(np.float32)
    made, feeds, logger = model(boxes, scores, batch=2), {"b": boxes, "s": scores}, Heard()
    builder, network, config = parsed(made, logger)
    config.target = default_target()
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))

    for name, array in results_of(made, feeds).items():
        np.testing.assert_allclose(Session(engine, logger).run(feeds)[name], array, rtol=1e-6, err_msg=name)
