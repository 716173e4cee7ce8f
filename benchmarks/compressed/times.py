"""Times on this GPU: the engine's of a whole network, and those of its products in the tile of unit 20's rung 5."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

import numpy as np
from numba import cuda

import minitrt as trt
from autograder.exercises.u20_compression.sparse_values import a_block_per_tile
from benchmarks.compressed.network import LAYERS, as_rows
from benchmarks.compressed.on_kernels import solution
from benchmarks.compressed.ways import packed
from benchmarks.compression_kernels import dense_products
from minitrt.runtime.session import Session
from minitrt.samples import digits
from minitrt.samples.define import define

RUNS, ROUNDS, TILE = 50, 7, 128


class Profile(trt.IProfiler):
    """The layers of a run with their times in microseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.layers_us: list[tuple[str, float]] = []

    def report_layer_time(self, layer_name: str, ms: float) -> None:
        """A layer's time; a name that was heard already begins another run."""
        if any(layer_name == name for name, _ in self.layers_us):
            self.layers_us = []
        self.layers_us.append((layer_name, round(1e3 * ms, 1)))


class Engines:
    """Builds engines for this GPU and times them. Timings of tactics are kept from build to build."""

    def __init__(self) -> None:
        self.cache = b""

    def session(self, plain: digits.Arrays, batch: int, scales: Mapping[str, np.float32] | None = None) -> Session:
        """An engine in FP16; with scales, in INT8 wherever a product or a sum reads."""
        logger = trt.Logger(trt.Logger.ERROR)
        builder = trt.Builder(logger)
        network, config = builder.create_network(), builder.create_builder_config()
        config.set_flag(trt.BuilderFlag.FP16)
        define(network, plain, batch, scales)
        config.set_timing_cache(config.create_timing_cache(self.cache), False)
        plan = builder.build_serialized_network(network, config)
        self.cache = bytes(config.get_timing_cache().serialize())
        return Session(trt.Runtime(logger).deserialize_cuda_engine(plan))

    def measured(self, plain: digits.Arrays, scales: Mapping[str, np.float32] | None = None) -> dict[str, Any]:
        """Microseconds for all digits that were held out, in one batch, how many are wrong, and the three slowest
        layers, each timed alone."""
        from minitrt.device.driver import Event

        images, labels = digits.held_out()
        session, profile = self.session(plain, len(images), scales), Profile()
        wrong, times = digits.wrong(session.run({"image": images})["logits"], labels), []
        for _ in range(3):
            session.execute()
        for _ in range(ROUNDS):
            begin = Event().record(0)
            for _ in range(RUNS):
                session.context.execute_async_v3(0)
            times.append(Event().record(0).us_since(begin) / RUNS)
        session.context.profiler = profile
        for _ in range(2):  # the last run's times are kept
            session.execute()
        slowest = sorted(profile.layers_us, key=lambda layer: -layer[1])[:3]
        return {"us": median(times), "wrong": wrong, "layers": session.engine.num_layers, "slowest": slowest}


def products_us(plain: digits.Arrays, images: int) -> dict[str, float]:
    """Microseconds of all products of a forward pass whose rows 2:4 can pack: dense, and two of every four.

    One tile, 128 x 128, for both; rows are filled up to it with zeros, and so the smaller layers waste most of it.
    """
    total = {"dense": 0.0, "2:4": 0.0}
    sparse, rng = solution("compression.sparse_products"), np.random.default_rng(0)
    for name in LAYERS:
        rows = as_rows(plain[f"{name}.weights"])
        if rows.shape[1] % 32:
            continue
        whole = np.zeros((TILE, rows.shape[1]), np.float16)
        whole[: len(rows)] = rows
        columns = -(-images * _places(name) // TILE) * TILE
        b = np.tile(rng.normal(size=(rows.shape[1], TILE)).astype(np.float16), columns // TILE)
        out = cuda.device_array((TILE, columns), np.float32)
        launch = a_block_per_tile({"c": out})
        values, places = (cuda.to_device(array) for array in packed(whole))
        d_whole, d_b = cuda.to_device(whole), cuda.to_device(b)
        total["dense"] += _us(lambda at=launch, args=(d_whole, d_b, out): dense_products[at](*args))
        total["2:4"] += _us(lambda at=launch, args=(values, places, d_b, out): sparse[at](*args))
    return total


def _places(name: str) -> int:
    """Outputs of a layer per channel and image."""
    if name == "classifier":
        return 1
    return {"stem": 256, "block1": 256, "block2": 64, "block3": 16}[name.split(".")[0]]


def _us(call: Callable[[], None]) -> float:
    """The median time of a call, of several that are queued."""
    times = []
    call()
    cuda.synchronize()
    for _ in range(ROUNDS):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        for _ in range(10):
            call()
        end.record()
        end.synchronize()
        times.append(100 * cuda.event_elapsed_time(begin, end))
    return median(times)
