"""How many images a second a pool of GPUs takes from arrays of this process, with one GPU and with all of them.

Beside what a GPU does alone with images that lie in its memory: the difference is the way there, which the pool pays.
"""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np

from benchmarks.engine.engines import build
from minitrt.runtime.pool import EnginePool, Feeds, every_gpu

SECONDS, WARM_UP_ROUNDS = 5.0, 2
N_ARRAYS = 8  # different batches, so that none stays in a cache of the processor because it was the last


def measured(model: Any, cache: bytes, batch: int, shape: tuple[int, ...], seconds: float = SECONDS) -> dict[str, Any]:
    """Images a second by number of GPUs, for batches of float32 images of this shape. cache: of the engine's times."""
    plan = bytes(build(model, cache).engine.serialize())
    rng = np.random.default_rng(3)
    arrays = [rng.standard_normal((batch, *shape), np.float32) for _ in range(N_ARRAYS)]
    gpus = every_gpu()
    found = {}
    for n_gpus in sorted({1, len(gpus)}):
        with EnginePool(plan, gpus[:n_gpus]) as pool:
            (name,) = pool.workers[0].session.engine._inputs
            feeds = [{name: array} for array in arrays]
            for _ in pool.map(feeds * WARM_UP_ROUNDS):
                pass
            found[str(n_gpus)] = round(batch * rate(pool, feeds, seconds))
    return {"batch": batch, "images_per_s": found, "speedup": round(found[str(len(gpus))] / found["1"], 2)}


def rate(pool: EnginePool, feeds: list[Feeds], seconds: float) -> float:
    """Batches a second, over so many seconds."""
    began, done = time.perf_counter(), 0

    def until_then() -> Any:
        for each in itertools.cycle(feeds):
            if time.perf_counter() - began > seconds:
                return
            yield each

    for _ in pool.map(until_then()):
        done += 1
    return done / (time.perf_counter() - began)
