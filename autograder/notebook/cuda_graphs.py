"""CUDA graphs of numba launches: capture once, replay with one call.

    with capture(stream) as graph:
        first[blocks, threads, stream](x, y)
        second[blocks, threads, stream](y, z)
    graph.replay(stream)

numba has no call for it, so this asks the driver (`cuStreamBeginCapture` and its kin, CUDA Driver API, "Graph
Management"). A kernel that was never launched is compiled and loaded during the capture, which goes well on an H200,
whatever the mode; the driver refuses new memory, waiting, and launches in the default stream there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autograder import backend
from simt.cuda_api import graphs as interpreted

CaptureError = interpreted.CaptureError


@contextlib.contextmanager
def capture(stream: Any) -> Iterator[Any]:
    """Keep what the block launches in `stream`; nothing runs until `replay`.

    stream: one made by `cuda.stream()`; the default stream cannot be captured.
    Yields: an object with `replay(stream)` and `len()`, the number of launches; it is complete after the block.
    Raises: CaptureError for whatever a capture cannot keep: waiting, copies, new memory, the default stream.
    """
    if not backend.gpu_available():
        backend.prepare()
        with interpreted.capture(stream) as graph:
            yield graph
        return
    on_device = DriverGraph(stream)
    try:
        yield on_device
    finally:
        on_device.end()


class DriverGraph:
    """A graph that the driver holds."""

    def __init__(self, stream: Any) -> None:
        from cuda.bindings import driver

        self._driver, self._stream, self._executable, self._nodes = driver, stream, None, 0
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._call("cuStreamBeginCapture", handle_of(stream), mode)

    def __len__(self) -> int:
        return self._nodes

    def end(self) -> None:
        """The capture is over: make what can be launched."""
        (graph,) = self._call("cuStreamEndCapture", handle_of(self._stream))
        _, self._nodes = self._call("cuGraphGetNodes", graph, 0)
        (self._executable,) = self._call("cuGraphInstantiate", graph, 0)
        self._call("cuGraphDestroy", graph)

    def replay(self, stream: Any = None) -> None:
        """Launch the whole graph with one call. stream: default, the one that was captured."""
        self._call("cuGraphLaunch", self._executable, handle_of(self._stream if stream is None else stream))

    def _call(self, name: str, *arguments: Any) -> tuple:
        """A driver call's results. Raises CaptureError with the driver's own word for what went wrong."""
        status, *results = getattr(self._driver, name)(*arguments)
        if status != self._driver.CUresult.CUDA_SUCCESS:
            raise CaptureError(
                f"{name}: {status.name}. Captured work must not wait, make memory or use the default stream."
            )
        return tuple(results)


def handle_of(stream: Any) -> int:
    """The driver's handle of a numba stream."""
    handle = getattr(stream, "handle", stream)
    return int(getattr(handle, "value", handle) or 0)
