"""INMSLayer: TensorRT's layout, order, types and limits, which are not those of ONNX's operator."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard

APART = np.array([[[0, 0, 1, 1], [2, 2, 3, 3], [4, 4, 5, 5]]], np.float32)
SCORES = np.array([[[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]]], np.float32)  # box by class


def layer_of(boxes, scores, limit=20, extra=()):
    """A network with one NMS layer, its outputs marked; extra: overlap and threshold, where given."""
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(0)
    tensors = [network.add_input(name, trt.float32, a.shape) for name, a in (("boxes", boxes), ("scores", scores))]
    most = network.add_constant((), np.array(limit, np.int32)).get_output(0)
    layer = network.add_nms(*tensors, most)
    for place, number in enumerate(extra, 3):
        layer.set_input(place, network.add_constant((), np.array(number, np.float32)).get_output(0))
    for index, name in enumerate(("rows", "count")):
        layer.get_output(index).name = name
        network.mark_output(layer.get_output(index))
    return logger, builder, network, layer


def run(parts, boxes, scores) -> dict[str, np.ndarray]:
    logger, builder, network, _ = parts
    config = builder.create_builder_config()
    config.target = None
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    session = Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger)
    return session.run({"boxes": boxes, "scores": scores})


def test_scores_are_box_by_class_and_an_item_s_rows_come_best_first():
    found = run(layer_of(APART, SCORES), APART, SCORES)

    assert [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 2], [0, 1, 1], [0, 1, 0]] == found["rows"].tolist()
    assert 6 == found["count"]


@pytest.mark.parametrize("kind", [trt.int32, trt.int64])
def test_rows_are_of_the_asked_type_and_the_count_is_int32(kind):
    parts = layer_of(APART, SCORES)
    parts[3].indices_type = kind
    found = run(parts, APART, SCORES)

    assert (trt.nptype(kind), np.int32) == (found["rows"].dtype, found["count"].dtype)
    assert ((-1, 3), ()) == tuple(parts[3].get_output(i).shape for i in range(2))
    assert 6 == found["count"] == len(found["rows"])


def test_the_default_threshold_is_zero_and_the_default_overlap_too():
    close = np.array([[[0, 0, 2, 2], [1, 1, 3, 3], [8, 8, 9, 9]]], np.float32)
    scores = np.array([[[0.9], [0.8], [-0.1]]], np.float32)

    assert [[0, 0, 0]] == run(layer_of(close, scores), close, scores)["rows"].tolist()
    both = run(layer_of(close, scores, extra=(0.5, -1.0)), close, scores)["rows"].tolist()
    assert [[0, 0, 0], [0, 0, 1], [0, 0, 2]] == both


def test_the_limit_of_topk_counts_boxes_of_all_classes_of_an_item():
    parts = layer_of(APART, SCORES)
    assert 5000 == parts[3].topk_box_limit
    parts[3].topk_box_limit = 4

    assert [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 2]] == run(parts, APART, SCORES)["rows"].tolist()


@pytest.mark.parametrize("limit", [0, 5001])
def test_a_limit_of_topk_that_tensorrt_refuses_is_refused(limit):
    logger, builder, network, layer = layer_of(APART, SCORES)
    layer.topk_box_limit = limit

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "topk_box_limit" in logger.errors[-1]


def test_boxes_may_differ_by_class():
    per_class = np.stack([APART[0], APART[0][[0, 0, 0]]], axis=1)[None]  # of class 1 all boxes are one

    rows = run(layer_of(per_class, SCORES), per_class, SCORES)["rows"].tolist()
    assert [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 2]] == rows


def test_scores_by_class_and_box_are_refused_with_what_to_do():
    logger, builder, network, _ = layer_of(APART, SCORES.transpose(0, 2, 1))

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "Transpose scores" in logger.errors[0]
