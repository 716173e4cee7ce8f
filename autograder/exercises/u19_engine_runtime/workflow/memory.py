"""Device memory, a stream and a logger as unit 19's run_network meets them, and what engines do meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import numpy as np

from autograder.exercises.u19_engine_runtime.workflow.files import ParserWithoutOnnx, has_onnx

STREAM = 19
BEHIND = 4096  # numbers of memory behind each room, so that a result that is longer destroys nothing


class Watched:
    """What was built, loaded and begun, and the memory. Results are there once their stream is waited for."""

    def __init__(self) -> None:
        self.builds, self.contexts, self.heard = 0, 0, list[str]()
        self.streams: list[int] = []  # of all runs
        self.began: list[bool] = []  # whether each run was begun
        self.early = False  # whether something was taken while a run was under way
        self._pending: set[int] = set()
        self._arrays: dict[int, np.ndarray] = {}  # address -> what lies there
        self._behind: dict[int, np.ndarray] = {}  # address of a room -> what nobody asked for behind it

    def upload(self, x: np.ndarray) -> int:
        """The address of a copy."""
        return self._kept(np.array(x, np.float32, order="C"))

    def room(self, shape: Any) -> int:
        """The address of room for float32 numbers. Raises: ValueError for sizes that are not known."""
        sizes = tuple(int(n) for n in shape)
        if min(sizes, default=1) < 0:
            raise ValueError(
                f"there is no room of shape {sizes}: a size of -1 is not known before the input's shape is set"
            )
        n = int(np.prod(sizes))
        memory = np.full(n + BEHIND, np.nan, np.float32)
        self._behind[memory.ctypes.data] = memory[n:]
        return self._kept(memory[:n].reshape(sizes))

    def _kept(self, array: np.ndarray) -> int:
        self._arrays[array.ctypes.data] = array
        return array.ctypes.data

    def wait(self, stream: int) -> None:
        """Until all that was begun in this stream is done."""
        self._pending.discard(int(stream))

    def download(self, address: int, shape: Any) -> np.ndarray:
        """The numbers at an address, NaN while runs are under way. Raises: ValueError where nothing lies."""
        self.early |= bool(self._pending)
        if address not in self._arrays:
            raise ValueError(f"no array begins at address {address}: ask host.room for one")
        there, sizes = self._arrays[address], tuple(int(n) for n in shape)
        if not np.isnan(self._behind.get(address, np.nan)).all():
            raise ValueError(f"the result is longer than the room of shape {there.shape} that was asked for")
        if there.size < np.prod(sizes):
            raise ValueError(f"{sizes} are more numbers than lie at that address: it is room for {there.shape}")
        return (
            np.full(sizes, np.nan, np.float32)
            if self._pending
            else there.ravel()[: np.prod(sizes)].reshape(sizes).copy()
        )

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While it lasts, engines are built for no GPU and tell what they do."""
        import minitrt as trt

        def told(of: Any, name: str, tells: Callable[[Any, tuple], None]) -> Any:
            original = getattr(of, name)

            def watched(self: Any, *arguments: Any, **named: Any) -> Any:
                result = original(self, *arguments, **named)
                tells(result, (*arguments, *named.values()))
                return result

            return mock.patch.object(of, name, watched)

        def began(result: Any, arguments: tuple) -> None:
            self.streams.append(int(arguments[0]))
            self.began.append(bool(result))
            if result:
                self._pending.add(int(arguments[0]))

        def built(result: Any, arguments: tuple) -> None:
            self.builds += 1

        def made(result: Any, arguments: tuple) -> None:
            self.contexts += 1

        with ExitStack() as stack:
            stack.enter_context(told(trt.Builder, "build_serialized_network", built))
            stack.enter_context(
                told(trt.Builder, "create_builder_config", lambda config, _: setattr(config, "target", None))
            )
            stack.enter_context(told(trt.ICudaEngine, "create_execution_context", made))
            stack.enter_context(told(trt.IExecutionContext, "execute_async_v3", began))
            if not has_onnx():
                stack.enter_context(mock.patch.object(trt, "OnnxParser", ParserWithoutOnnx, create=True))
            yield

    def logger(self) -> Any:
        """An ILogger that keeps what it is told."""
        import minitrt as trt

        heard = self.heard

        class Keeps(trt.ILogger):
            """What went wrong, in its own list."""

            def log(self, severity: Any, said: str) -> None:
                if severity <= trt.ILogger.Severity.ERROR:
                    heard.append(said)

        return Keeps()
