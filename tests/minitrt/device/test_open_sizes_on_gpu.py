"""Engines with open sizes on the GPU, of operators that only strangers' files have: at every size as the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.drawn_graphs import drawn
from tests.minitrt.engines import Heard, expected_of, is_dynamic, model_of, parsed
from tests.minitrt.onnx_import.test_learned import SIMPLE, made, stumps
from tests.minitrt.onnx_import.test_narrow_types import COMPARED, U, bits
from tests.minitrt.test_drawn_opened import REFUSED, SCALES, expected_or_none, opened

pytestmark = pytest.mark.gpu
NODE, F = onnx.helper.make_node, np.float32
GRAPHS = 60  # drawn ones; about a third runs at other sizes
Feeds = dict[str, np.ndarray]


def session(model: onnx.ModelProto, runs: list[Feeds], on_gpu: bool) -> Session:
    """An engine of the model for the sizes of all runs, tuned for those of the first."""
    logger = Heard()
    builder, network, config = parsed(model, logger)
    config.target = builder._target if on_gpu else None
    profile = builder.create_optimization_profile()
    for name in runs[0]:
        if is_dynamic(model, name):
            shapes = [feeds[name].shape for feeds in runs]
            low, high = (tuple(which(sizes) for sizes in zip(*shapes, strict=True)) for which in (min, max))
            profile.set_shape(name, low, shapes[0], high)
    config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    assert engine is not None, logger.errors
    return Session(engine, logger)


def differences(model: onnx.ModelProto, runs: list[Feeds], on_gpu: bool = True) -> Iterator[str]:
    """What an engine on the GPU gives otherwise than the reference; each size twice, before and as a CUDA graph."""
    wanted, found = session(model, runs, False), session(model, runs, on_gpu)
    for feeds in [*runs, *runs]:
        try:
            expected = wanted.run(feeds)
        except Exception as error:
            if any(re.search(each, str(error)) for each in REFUSED):
                continue
            raise
        for name, array in found.run(feeds).items():
            if not same(array, expected[name]):
                yield f"{name} of {[x.shape for x in feeds.values()]}"


def same(found: np.ndarray, wanted: np.ndarray) -> bool:
    if (found.shape, found.dtype) != (wanted.shape, wanted.dtype):
        return False
    if wanted.dtype.kind != "f":
        return bool(np.array_equal(found, wanted))
    finite = np.isfinite(wanted)
    error = 1e-5 + 1e-3 * np.abs(wanted[finite]).max(initial=0)
    return bool((np.isfinite(found) == finite).all() and np.allclose(found[finite], wanted[finite], rtol=0, atol=error))


def numbers(*shapes: tuple[int, ...]) -> list[Feeds]:
    rng = np.random.default_rng(3)
    return [{"x": rng.standard_normal(shape).astype(F)} for shape in shapes]


def one(kind: str, declared: tuple, shapes: list[tuple[int, ...]], weights: Feeds | None = None, opset=20, **attrs):
    """(model, runs) of one operator over x, whose results all come out."""
    count = {"MaxPool": 2, "TopK": 2}.get(kind, 1)
    outputs = [f"y{place}" for place in range(count)]
    nodes = [NODE(kind, ["x", *(weights or {})], outputs, **attrs)]
    return model_of(nodes, {"x": (F, declared)}, outputs, weights or {}, opset=opset), numbers(*shapes)


IMAGE = ("n", 3, "h", "w")
IMAGES = [(2, 3, 9, 12), (1, 3, 7, 7), (3, 3, 16, 21)]
WINDOW = dict(kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
CASES = {
    **{
        f"DFT {parts} {attrs}": one(
            "DFT", ("n", "t", 8, parts), [(s, t, 8, parts) for s, t in ((2, 12), (1, 5), (3, 20))],
            opset=17, axis=2, **attrs,
        )
        for parts, attrs in ((1, dict(onesided=1)), (1, {}), (2, {}), (2, dict(inverse=1)))
    },
    "STFT": one(
        "STFT", ("n", "t", 1), [(2, 96, 1), (1, 40, 1), (3, 160, 1)],
        {"step": np.int64(4), "window": np.hanning(8).astype(F)},
    ),
    **{
        f"{kind} {attrs}": one(kind, IMAGE, IMAGES, **(WINDOW | attrs))
        for kind, attrs in (
            ("MaxPool", {}), ("MaxPool", dict(ceil_mode=1)), ("MaxPool", dict(dilations=[2, 2])),
            ("MaxPool", dict(storage_order=1)), ("AveragePool", {}), ("AveragePool", dict(ceil_mode=1)),
            ("AveragePool", dict(count_include_pad=1)), ("AveragePool", dict(dilations=[2, 3])), ("LpPool", dict(p=3)),
            ("LpPool", dict(ceil_mode=1)),
        )
    },
    "MaxPool same": one("MaxPool", IMAGE, IMAGES, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER"),
    "MaxPool of a line": one("MaxPool", ("n", 4, "t"), [(2, 4, 9), (1, 4, 3), (2, 4, 30)], kernel_shape=[3]),
    "AveragePool of a volume": one(
        "AveragePool", ("n", 2, "d", "h", "w"), [(1, 2, 5, 6, 7), (1, 2, 3, 3, 3), (2, 2, 8, 9, 10)],
        kernel_shape=[2, 3, 3], strides=[1, 2, 1],
    ),
    "GlobalMaxPool": one("GlobalMaxPool", IMAGE, IMAGES), "GlobalAveragePool": one("GlobalAveragePool", IMAGE, IMAGES),
    "TopK": one("TopK", ("n", "w"), [(4, 9), (1, 5), (6, 300)], {"k": np.array([4])}),
    **{
        f"Resize {mode} {how}": one(
            "Resize", IMAGE, IMAGES, {"roi": np.zeros(0, F), "scales": np.array([1, 1, 1.5, 0.75], F)}, mode=mode,
            coordinate_transformation_mode=how,
        )
        for mode in ("nearest", "linear", "cubic") for how in ("half_pixel", "asymmetric", "align_corners")
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_operator_of_open_sizes_is_as_the_reference(name):
    assert [] == list(differences(*CASES[name]))


def test_uint64_of_an_open_length_is_as_the_reference():
    nodes = [NODE(name, ["x", "y"], [name]) for name in COMPARED]
    nodes += [NODE("BitShift", ["x", "y"], [way], direction=way) for way in ("LEFT", "RIGHT")]
    nodes += [NODE("Cast", ["x"], ["float"], to=1), NODE("ReduceMax", ["x", "axes"], ["most"])]
    outputs = [each.output[0] for each in nodes]
    model = model_of(nodes, {each: (np.uint64, ["n"]) for each in "xy"}, outputs, {"axes": np.array([0])}, opset=20)
    x, y = (each.ravel() for each in np.meshgrid(U, U[1:]))

    runs = [{"x": bits(x[:n]), "y": bits(y[:n])} for n in (40, 1, x.size)]

    assert [] == list(differences(model, runs))


@pytest.mark.parametrize("name", SIMPLE)
def test_an_operator_of_learning_is_as_the_reference(name):
    kind, x, outputs, attrs = SIMPLE[name]

    assert [] == list(differences(made(kind, outputs, x, **attrs), [{"x": x[:3]}, {"x": x[:1]}, {"x": x}]))


def test_a_forest_is_as_the_reference():
    rng = np.random.default_rng(1)
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"]
    attrs = stumps(modes, "target", [0, 1], rng.standard_normal((4, 2, 2)))
    model = made("TreeEnsembleRegressor", "y", n_targets=2, **attrs)

    assert [] == list(differences(model, numbers((5, 2), (1, 2), (400, 2))))


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_what_passes_make_of_a_drawn_graph_with_open_sizes_is_as_the_reference(seed):
    model, inputs = drawn(seed)
    rng = np.random.default_rng(seed)
    some, runs = opened(model, rng), []
    for scale in SCALES:
        sizes = {
            name: [max(1, int(n * scale)) if (name, axis) in some else n for axis, n in enumerate(x.shape)]
            for name, x in inputs.items()
        }
        feeds = {name: rng.standard_normal(shape).astype(F) for name, shape in sizes.items()}
        if (expected := expected_or_none(model, feeds)) is not None and not any(
            array.size == 0 for array in expected.values()
        ):
            runs.append(feeds)
    if not runs:
        pytest.skip("ONNX Runtime runs it at no size")
    try:
        session(model, runs, False)
    except AssertionError as error:
        if re.search(REFUSED[1], str(error)):
            pytest.skip("an engine refuses it when it is built, on a GPU as without one")
        assert re.search(REFUSED[0], str(error)), error
        runs = runs[:1]  # the smallest sizes of all runs together are too small

    assert [] == list(differences(model, runs))


def test_what_these_tests_compare_with_is_what_onnx_runtime_gives():
    model, runs = CASES["STFT"]

    for name, expected in expected_of(model, runs[0]).items():
        assert same(session(model, runs, False).run(runs[0])[name], expected)
