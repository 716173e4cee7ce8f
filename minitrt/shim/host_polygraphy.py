"""CUDA for Polygraphy where there is no GPU: memory is the host's, streams mean nothing.

Polygraphy loads libcudart and asks it for memory, which ends in error 35 without a driver; engines of the reference
backend read and write host memory, so that this stand-in is all that is needed. `import tensorrt` of this folder puts
it there for Polygraphy.
"""

from __future__ import annotations

import ctypes


class HostCuda:
    """The methods of Polygraphy's wrapper of libcudart."""

    def __init__(self):
        self.blocks: dict[int, ctypes.Array] = {}

    def malloc(self, nbytes: int) -> int:
        block = ctypes.create_string_buffer(max(int(nbytes), 1))
        self.blocks[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, ptr: int) -> None:
        self.blocks.pop(int(ptr), None)

    def memcpy(self, dst: int, src: int, nbytes: int, kind, stream_ptr=None) -> None:
        ctypes.memmove(int(dst), int(src), int(nbytes))

    def create_stream(self) -> int:
        return 1

    def stream_synchronize(self, ptr) -> None:
        pass

    def destroy_stream(self, ptr) -> None:
        pass

    def check(self, status) -> None:
        pass


def install() -> None:
    """Put it in place of libcudart."""
    from polygraphy.cuda import cuda

    cuda.G_CUDA = HostCuda()
    cuda.wrapper = lambda: cuda.G_CUDA
