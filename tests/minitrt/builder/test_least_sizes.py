"""What does not fit at a profile's smallest sizes is said when an engine is built, with sizes that fit."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import Heard, model_of, parsed

node = onnx.helper.make_node
IMAGE = {"x": (np.float32, ["n", 2, "h", "w"])}
WEIGHTS = np.ones((4, 2, 3, 3), np.float32)


def heard(model: onnx.ModelProto, **shapes) -> tuple[bool, Heard]:
    """Whether an engine came about with these (min, opt, max), and what was said."""
    logger = Heard()
    builder, network, config = parsed(model, logger)
    profile = builder.create_optimization_profile()
    for name, triple in shapes.items():
        profile.set_shape(name, *triple)
    config.add_optimization_profile(profile)
    return builder.build_serialized_network(network, config) is not None, logger


def images(*sizes: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    return tuple((1 + place, 2, *size) for place, size in enumerate(sizes))


CASES = {
    "pool": (node("MaxPool", ["x"], ["y"], kernel_shape=[5, 3]), (5, 3)),
    "mean": (node("AveragePool", ["x"], ["y"], kernel_shape=[4, 4], pads=[1, 0, 1, 0]), (2, 4)),
    "steps": (node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], dilations=[3, 4], strides=[2, 2]), (4, 5)),
    "norm": (node("LpPool", ["x"], ["y"], kernel_shape=[6, 1]), (6, 1)),
    "convolution": (node("Conv", ["x", "w"], ["y"]), (3, 3)),
    "index": (node("Gather", ["x", "seventh"], ["y"], axis=3), (1, 7)),
    "largest": (node("TopK", ["x", "four"], ["y", "i"], axis=2), (4, 1)),
}


@pytest.mark.parametrize("which", CASES)
def test_what_is_larger_than_the_smallest_image_is_refused_with_a_size_that_fits(which):
    last, (height, width) = CASES[which]
    constants = {"w": WEIGHTS, "seventh": np.array([6]), "four": np.array([4])}
    model = model_of([last], IMAGE, ["y"], {k: v for k, v in constants.items() if k in last.input})

    built, logger = heard(model, x=images((1, 1), (20, 20), (40, 30)))
    assert not built
    assert logger.errors[-1].endswith(
        f"So it is at the profile's minimum: x (1, 2, 1, 1). Give it a minimum of x (1, 2, {height}, {width}) or more"
    )

    built, logger = heard(model, x=images((height, width), (20, 20), (40, 30)))
    assert built, logger.errors


def test_dimensions_of_one_name_are_raised_together():
    nodes = [node("Concat", ["x", "z"], ["both"], axis=1), node("MaxPool", ["both"], ["y"], kernel_shape=[5, 5])]
    model = model_of(nodes, IMAGE | {"z": (np.float32, ["n", 3, "h", "w"])}, ["y"])

    sizes = dict(
        x=images((2, 2), (9, 9), (9, 9)), z=tuple((n, 3, h, w) for n, _, h, w in images((2, 2), (9, 9), (9, 9)))
    )
    built, logger = heard(model, **sizes)

    assert not built and logger.errors[-1].endswith("Give it a minimum of x (1, 2, 5, 5), z (1, 3, 5, 5) or more")


def test_a_branch_that_the_smallest_size_does_not_take_asks_nothing_of_it():
    nodes = [
        node("Shape", ["x"], ["s"], start=2, end=3),
        node("Squeeze", ["s"], ["h"]),
        node("Greater", ["h", "eight"], ["large"]),
    ]
    branches = {
        "then_branch": node("MaxPool", ["x"], ["t"], kernel_shape=[7, 7], strides=[7, 7]),
        "else_branch": node("Identity", ["x"], ["e"]),
    }
    graphs = {
        name: onnx.helper.make_graph([each], name, [], [onnx.helper.make_empty_tensor_value_info(each.output[0])])
        for name, each in branches.items()
    }
    model = model_of([*nodes, node("If", ["large"], ["y"], **graphs)], IMAGE, ["y"], {"eight": np.int64(8)})

    built, logger = heard(model, x=images((2, 7), (12, 12), (20, 20)))

    assert built, logger.errors


def test_what_only_some_sizes_fit_is_a_warning():
    model = model_of([node("Reshape", ["x", "rows"], ["y"])], {"x": (np.float32, ["n"])}, ["y"], {"rows": [-1, 4]})

    built, logger = heard(model, x=((1,), (8,), (12,)))

    assert built
    (warning,) = logger.of(trt.ILogger.WARNING)
    assert "at the profile's minimum: x (1,): a run with these sizes will be refused" in warning
