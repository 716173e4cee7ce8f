"""What lies between two kernels in a layout is packed and unpacked on the host where no kernel does it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

from minitrt import tactics
from minitrt.api.enums import DataType
from minitrt.graph.ir import HWC, LINEAR, NHWC16, Value
from minitrt.runtime.session import Session
from minitrt.tactics.own.on_host import seen, stored
from tests.minitrt.engines import engine_of, expected_of, layers_of
from tests.minitrt.tactics.own import tactics as own

SHAPE = (2, 3, 4, 5)
X = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)


@pytest.fixture(autouse=True)
def rows_of_eight_are_known():
    with tactics.using(own.Add()):
        yield


@pytest.mark.parametrize("layout", [LINEAR, HWC, NHWC16, own.ROWS])
def test_an_array_comes_back_from_each_layout_and_takes_the_memory_that_the_engine_plans(layout):
    memory = stored(X, layout)
    assert Value("x", DataType.FLOAT, SHAPE, layout=layout).stored_shape == memory.shape
    np.testing.assert_array_equal(X, seen(memory, layout, SHAPE))


def test_a_layout_that_only_kernels_write_is_refused_by_name():
    with pytest.raises(ValueError, match="no layout 'spirals' on the host"):
        stored(X, "spirals")


@pytest.mark.gpu
def test_sums_in_a_layout_that_no_kernel_converts_to_are_right_on_a_gpu():
    feeds = {"x": X[0, 0], "w": X[0, 1]}
    with tactics.using(own.Add(), only=True):
        engine = engine_of(model := own.two_sums((4, 5)))
        ran = [layer["TacticName"].partition("@")[0] for layer in layers_of(engine)]
        results = Session(engine).run(feeds)
    assert (2, True) == (ran.count("my_add"), "reference" in ran), ran
    for name, expected in expected_of(model, feeds).items():
        np.testing.assert_array_equal(expected, results[name])
