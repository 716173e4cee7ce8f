"""A sequence of launches as one CUDA graph: captured once, replayed with a single call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minitrt.device.driver import Stream, bindings, call


class Graph:
    """What `enqueue(stream)` put on a stream, ready to be replayed."""

    def __init__(self, handle: Any) -> None:
        self._graph = handle
        self._executable = call("cuGraphInstantiate", handle, 0)
        self.nodes = int(call("cuGraphGetNodes", handle, 0)[1])

    def launch(self, stream: int) -> None:
        call("cuGraphLaunch", self._executable, stream)

    def __del__(self) -> None:
        try:
            bindings().cuGraphExecDestroy(self._executable)
            bindings().cuGraphDestroy(self._graph)
        except Exception:  # never built, or the driver is gone when the interpreter ends
            pass


def capture(launches: Iterable[Any]) -> Graph:
    """A graph of bound launches, in order. Kernels must be loaded: capture allocates and loads nothing."""
    stream = Stream()
    call("cuStreamBeginCapture", stream.handle, bindings().CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
    try:
        for launch in launches:
            launch.enqueue(int(stream))
    except BaseException:
        bindings().cuStreamEndCapture(stream.handle)  # leaves the capture mode; the first error is the one that counts
        raise
    return Graph(call("cuStreamEndCapture", stream.handle))
