"""Resize in every mode, of every opset that wrote it otherwise, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of, model_of, parsed, results_of

X = np.random.default_rng(0).standard_normal((1, 2, 7, 10)).astype(np.float32)
NOTHING = np.zeros(0, np.float32)
COORDINATES = ("half_pixel", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn")
NEAREST = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
MODES = [("linear", "floor"), ("cubic", "floor"), *(("nearest", rounding) for rounding in NEAREST)]


def resizing(opset: int, scales: tuple[float, float], **attrs: str):
    """A model: the last two axes times these scales."""
    arrays = {"scales": np.array([1, 1, *scales], np.float32)}
    if opset >= 11:
        arrays = {"roi": NOTHING, **arrays}
    node = helper.make_node("Upsample" if opset < 10 else "Resize", ["x", *arrays], ["y"], **attrs)
    return model_of([node], {"x": (np.float32, X.shape)}, ["y"], arrays, opset)


def check(model) -> None:
    (expected,), (found,) = expected_of(model, {"x": X}).values(), results_of(model, {"x": X}).values()
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("coordinate", COORDINATES)
@pytest.mark.parametrize("mode, rounding", MODES)
@pytest.mark.parametrize("scales", [(1.3, 0.7), (0.3, 2.0)])
def test_every_mode_gives_what_onnx_runtime_gives(scales, mode, rounding, coordinate):
    opset = 12 if coordinate == "tf_half_pixel_for_nn" else 19  # the only opsets that have it
    attrs = {"mode": mode, "coordinate_transformation_mode": coordinate}
    check(resizing(opset, scales, **attrs, **({"nearest_mode": rounding} if mode == "nearest" else {})))


@pytest.mark.parametrize("opset", [9, 10])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("scales", [(1.5, 1.7), (0.5, 0.6), (2.3, 0.7)])
def test_operators_before_opset_11_round_by_their_scale(scales, mode, opset):
    if opset == 10 or min(scales) >= 1:  # Upsample only enlarges
        check(resizing(opset, scales, mode=mode))


def test_two_elements_equally_far_are_chosen_between_in_single_precision():
    """1.5 / 0.6 - 0.5 is 2 in float32 and a little less in float64."""
    check(resizing(19, (1.0, 0.6), mode="nearest", nearest_mode="floor"))


def test_corners_aligned_over_a_length_that_is_no_whole_number_are_said():
    heard, whole = Heard(), Heard()
    attrs = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}

    engine_of(resizing(19, (1.7, 2.0), **attrs), heard)
    engine_of(resizing(19, (2.0, 0.5), **attrs), whole)

    assert any("align_corners" in text for text in heard.of(heard.WARNING))
    assert not any("align_corners" in text for text in whole.of(whole.WARNING))


def test_coordinates_that_nobody_knows_are_refused():
    logger = Heard()
    with pytest.raises(AssertionError):
        engine_of(resizing(19, (2.0, 2.0), coordinate_transformation_mode="sideways"), logger)

    assert "'sideways' are none of half_pixel, align_corners" in logger.errors[0]


def test_scales_of_a_run_are_scales_and_lie_in_a_profile_of_fractions():
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear")
    made = model_of([node], {"x": (np.float32, ("b", 3, "h", "w")), "s": (np.float32, (4,))}, ["y"], opset=18)
    logger = Heard()
    builder, network, config = parsed(made, logger)
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 3, 2, 2), (1, 3, 6, 5), (2, 3, 9, 9))
    assert network.get_input(1).is_shape_tensor
    profile.set_shape_input("s", (1, 1, 0.5, 0.5), (1, 1, 2, 1.6), (1, 1, 3, 3))
    config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    session = Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger)
    for shape, scales in [((1, 3, 6, 5), (1, 1, 2, 1.6)), ((2, 3, 9, 4), (1, 1, 0.7, 2.5))]:
        feeds = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
        feeds["s"] = np.array(scales, np.float32)
        np.testing.assert_allclose(session.run(feeds)["y"], expected_of(made, feeds)["y"], atol=1e-5)
