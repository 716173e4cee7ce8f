"""One engine on several GPUs: on each a context, a stream and a CUDA graph of its own; batches are spread over them.

    with EnginePool(data) as pool:                        # all GPUs of this machine
        outputs = pool.run({"input": images})             # one large batch, split along its first axis
        for outputs in pool.map(batches): ...             # many batches, results in their order

Each GPU has a thread, since CUDA's current device belongs to a thread; the driver's calls let the others run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from minitrt.api.logger import ILogger, Logger
from minitrt.runtime.engine import ICudaEngine
from minitrt.runtime.runtime import Runtime
from minitrt.runtime.session import RunError, Session

Feeds = dict[str, np.ndarray]
AHEAD = 2  # batches that wait for each GPU: one runs, one is ready


class Worker:
    """An engine on one GPU, run by a thread of its own. ordinal: CUDA's number of the GPU; None: the reference."""

    def __init__(self, data: bytes, ordinal: int | None, logger: ILogger):
        self.ordinal = ordinal
        self._thread = ThreadPoolExecutor(1, f"minitrt-gpu-{ordinal}")
        self.session: Session = self._thread.submit(self._start, data, logger).result()

    def _start(self, data: bytes, logger: ILogger) -> Session:
        stream = 0
        if self.ordinal is not None:
            from minitrt.device.driver import Stream, use_device

            use_device(self.ordinal)
            self._stream = Stream()
            stream = int(self._stream)
        engine = Runtime(logger).deserialize_cuda_engine(data)
        if engine is None:
            raise RunError(f"the engine cannot be loaded on GPU {self.ordinal}; the logger knows why")
        return Session(engine, logger, stream)

    def submit(self, feeds: Feeds) -> Future[Feeds]:
        return self._thread.submit(self.session.run, feeds)

    def close(self) -> None:
        """Free what lies on the GPU, in the thread that put it there."""
        self._thread.submit(self.__dict__.pop, "session", None).result()
        self._thread.shutdown()


class EnginePool:
    """Engines of one plan on several GPUs.

    data: the plan's bytes; devices: CUDA's numbers of the GPUs, by default all (one worker without a GPU).
    Raises: RunError where the plan cannot be loaded.
    """

    def __init__(self, data: bytes, devices: Sequence[int | None] | None = None, logger: ILogger | None = None):
        logger = logger or Logger()
        self.workers: list[Worker] = []
        for ordinal in every_gpu() if devices is None else devices:
            self.workers.append(Worker(data, ordinal, logger))
        if not self.workers:
            raise RunError("a pool needs at least one device")
        self.least, self.most = batch_sizes(self.workers[0].session.engine)

    def run(self, feeds: Feeds) -> Feeds:
        """Outputs for one batch of any size, computed by all GPUs together.

        Every input and output has the batch as its first axis. Raises: RunError for a batch that cannot be split into
        parts that the engine takes.
        """
        sizes = {len(array) for array in feeds.values()}
        if len(sizes) != 1:
            raise RunError(f"the inputs have batches of {sorted(sizes)}; they must be equal")
        parts = split(sizes.pop(), len(self.workers), self.least, self.most)
        futures, start = [], 0
        for number, size in enumerate(parts):
            part = {name: array[start : start + size] for name, array in feeds.items()}
            futures.append(self.workers[number % len(self.workers)].submit(part))
            start += size
        results = [future.result() for future in futures]
        return {name: np.concatenate([result[name] for result in results]) for name in results[0]}

    def map(self, batches: Iterable[Feeds]) -> Iterator[Feeds]:
        """Outputs for many batches, in their order; each GPU has the next one ready while it computes."""
        waiting: deque[Future[Feeds]] = deque()
        for number, feeds in enumerate(batches):
            waiting.append(self.workers[number % len(self.workers)].submit(feeds))
            if len(waiting) >= AHEAD * len(self.workers):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
        self.workers = []

    def __enter__(self) -> EnginePool:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def every_gpu(count: Callable[[], int] | None = None) -> list[int | None]:
    """Numbers of all GPUs; [None], the reference backend, without one."""
    if count is None:
        from minitrt.device.driver import device_count as count
    return list(range(count())) or [None]


def batch_sizes(engine: ICudaEngine) -> tuple[int, int]:
    """The smallest and the largest batch that every input of an engine takes."""
    profiles = [engine.get_tensor_profile_shape(name, 0) for name in engine._inputs]
    return max(low[0] for low, _, _ in profiles), min(high[0] for _, _, high in profiles)


def split(batch: int, workers: int, least: int, most: int) -> list[int]:
    """Sizes of parts: as few as keep all workers busy and none above `most`, as equal as can be.

    Raises: RunError where parts of `least` to `most` do not add up to the batch.
    """
    count = max(-(-batch // most), min(workers, batch // least))
    if batch < 1 or count * least > batch:
        raise RunError(
            f"a batch of {batch} cannot be split into parts of {least} to {most}, which this engine takes."
            " Fill it up, or build the engine with a profile that takes smaller batches."
        )
    return [batch // count + (number < batch % count) for number in range(count)]
