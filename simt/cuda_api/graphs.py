"""CUDA graphs over the interpreter: launches that are kept while a stream is captured, and run when it is replayed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from simt.cuda_api import dispatcher, host_events
from simt.cuda_api.host_events import HostListener


class CaptureError(RuntimeError):
    """Something that a capture cannot keep, as waiting for the stream that is captured."""


class Graph:
    """The launches of a capture, in order."""

    def __init__(self) -> None:
        self._launches: list[tuple] = []

    def __len__(self) -> int:
        return len(self._launches)

    def replay(self, stream=0) -> None:
        """Run every launch again, on the arrays it was captured with."""
        host_events.tell("replays", True)
        try:
            for kernel, grid, block, arguments, shared in self._launches:
                dispatcher.configure(kernel, grid, block, stream, shared)(*arguments)
        finally:
            host_events.tell("replays", False)


class _Refuse(HostListener):
    """What a GPU refuses while a stream is captured."""

    def synchronizes(self, stream) -> None:
        raise CaptureError("A stream cannot be waited for while it is captured: wait after the replay.")

    def allocates(self, array) -> None:
        raise CaptureError("A capture cannot make memory on the device: make the array, and copy before it.")

    def launches(self, kernel, grid, block, args, stream) -> None:
        if stream in (0, None):
            raise CaptureError(
                "A launch that names no stream waits for all others, which a capture cannot: name the captured stream."
            )

    def copies(self, direction, device, host, stream) -> None:
        if direction != "across" and stream in (0, None):
            raise CaptureError("A copy that names no stream waits, which a capture cannot: pass stream=.")
        raise CaptureError("This capture keeps launches only: copy before it, or after the replay.")


@contextlib.contextmanager
def capture(stream) -> Iterator[Graph]:
    """Keep the launches in `stream` that the block makes, instead of running them.

    A launch in another stream runs. Raises: CaptureError for what an H200 refuses meanwhile: copies, new memory on the
    device, waiting, and launches in the default stream.
    """
    graph = Graph()

    def keep(kernel, grid, block, *arguments, dynamic_shared_bytes: int = 0, **_options) -> None:
        graph._launches.append((kernel, grid, block, arguments, dynamic_shared_bytes))

    with dispatcher.capturing(stream, keep), host_events.listening(_Refuse()):
        yield graph
    host_events.tell("captured", len(graph))
