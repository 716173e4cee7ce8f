"""One engine on several devices: parts in their order, a device for each thread, and batches that cannot be split."""

from __future__ import annotations

import threading

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.pool import EnginePool, every_gpu, split
from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import Heard, model_of, parsed

NODES = [
    onnx.helper.make_node("MatMul", ["x", "w"], ["h"], "fc"),
    onnx.helper.make_node("Relu", ["h"], ["y"], "relu"),
]
rng = np.random.default_rng(3)
WEIGHTS = rng.standard_normal((5, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def plan() -> bytes:
    model = model_of(NODES, {"x": (np.float32, ("batch", 5))}, ["y"], {"w": WEIGHTS})
    builder, network, config = parsed(model, Heard())
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (2, 5), (4, 5), (8, 5))
    config.add_optimization_profile(profile)
    return bytes(builder.build_serialized_network(network, config))


def test_a_batch_of_any_size_comes_back_whole_and_in_order(plan):
    with EnginePool(plan, [None, None, None]) as pool:
        for batch in (2, 3, 8, 13, 50):
            x = rng.standard_normal((batch, 5)).astype(np.float32)
            found = pool.run({"x": x})

            np.testing.assert_allclose(found["y"], np.maximum(x @ WEIGHTS, 0), rtol=1e-5, atol=1e-6)


def test_many_batches_come_back_in_the_order_in_which_they_went(plan):
    batches = [np.full((2 + n % 5, 5), n, np.float32) for n in range(11)]
    with EnginePool(plan, [None, None]) as pool:
        found = list(pool.map({"x": x} for x in batches))

    assert [x.shape[0] for x in batches] == [len(out["y"]) for out in found]
    for x, out in zip(batches, found, strict=True):
        np.testing.assert_allclose(out["y"], np.maximum(x @ WEIGHTS, 0), rtol=1e-5)


def test_each_gpu_has_a_thread_a_stream_and_an_engine_of_its_own(plan, monkeypatch):
    chosen, used = [], []

    class Stream:
        def __init__(self):
            self.number = 100 + chosen[-1][1]

        def __int__(self):
            return self.number

    monkeypatch.setattr(
        "minitrt.device.driver.use_device", lambda ordinal: chosen.append((threading.current_thread().name, ordinal))
    )
    monkeypatch.setattr("minitrt.device.driver.Stream", Stream)
    real = Session.execute
    monkeypatch.setattr(
        Session,
        "execute",
        lambda self: (used.append((threading.current_thread().name, self.stream)), real(self))[1],
    )
    with EnginePool(plan, [0, 1]) as pool:
        engines = {id(worker.session.engine) for worker in pool.workers}
        pool.run({"x": np.ones((8, 5), np.float32)})

    assert [0, 1] == [ordinal for _, ordinal in chosen] and 2 == len({name for name, _ in chosen}) == len(engines)
    assert sorted(used) == sorted((name, 100 + ordinal) for name, ordinal in chosen)


def test_all_gpus_are_taken_and_without_one_the_reference():
    assert [0, 1, 2] == every_gpu(lambda: 3)
    assert [None] == every_gpu(lambda: 0)


@pytest.mark.parametrize(
    ("batch", "workers", "least", "most", "parts"),
    [
        (8, 2, 1, 8, [4, 4]),
        (9, 2, 1, 8, [5, 4]),
        (3, 4, 2, 8, [3]),
        (17, 2, 1, 4, [4, 4, 3, 3, 3]),
        (8, 4, 4, 4, [4, 4]),
    ],
)
def test_a_batch_is_split_into_equal_parts_that_the_engine_takes(batch, workers, least, most, parts):
    assert parts == split(batch, workers, least, most)


@pytest.mark.parametrize(("batch", "least", "most"), [(1, 2, 8), (0, 1, 8), (9, 4, 4)])
def test_a_batch_that_does_not_go_into_parts_is_refused_with_what_to_do(batch, least, most):
    with pytest.raises(RunError, match="Fill it up"):
        split(batch, 3, least, most)


def test_an_error_on_one_gpu_reaches_the_caller(plan):
    with EnginePool(plan, [None, None]) as pool, pytest.raises(RunError):
        pool.run({"x": np.ones((8, 6), np.float32)})


def test_inputs_of_different_batches_are_refused(plan):
    with EnginePool(plan, [None]) as pool, pytest.raises(RunError, match="must be equal"):
        pool.run({"x": np.ones((8, 5), np.float32), "z": np.ones((4, 5), np.float32)})


def test_a_plan_that_cannot_be_loaded_makes_no_pool():
    with pytest.raises(RunError, match="cannot be loaded"):
        EnginePool(b"no plan", [None], trt.Logger(trt.Logger.INTERNAL_ERROR))
