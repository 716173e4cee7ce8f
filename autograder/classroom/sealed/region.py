"""Memory that judge and launcher share for arrays: made by the judge, sent as a descriptor, mapped by both."""

from __future__ import annotations

import mmap
import os
import socket

import numpy as np

LARGEST = 16 << 30
ALIGNED = 256


class Region:
    """Shared bytes. Use `part` for a view; `descriptor` is -1 where it came from the other side."""

    ACCESS = mmap.ACCESS_WRITE

    def __init__(self, n_bytes: int, descriptor: int = -1):
        if not 0 < n_bytes <= LARGEST:
            raise ValueError(f"a region of {n_bytes} bytes; up to {LARGEST} are possible")
        self.n_bytes, self.descriptor = n_bytes, -1
        if descriptor < 0:
            descriptor = self.descriptor = os.memfd_create("warpbook-sealed", os.MFD_CLOEXEC)
            os.ftruncate(descriptor, n_bytes)
        self.map = mmap.mmap(descriptor, n_bytes, access=self.ACCESS)
        self.bytes = np.frombuffer(self.map, np.uint8)

    def part(self, at: int, n_bytes: int) -> np.ndarray:
        """(n_bytes,) uint8, no copy. Raises ValueError for what lies outside."""
        if at < 0 or n_bytes < 0 or at + n_bytes > self.n_bytes:
            raise ValueError(f"bytes {at} to {at + n_bytes} of a region of {self.n_bytes}")
        return self.bytes[at : at + n_bytes]

    def send(self, channel: socket.socket) -> None:
        """Give the other side this memory, behind a message that announces it."""
        socket.send_fds(channel, [b"r"], [self.descriptor])

    @classmethod
    def receive(cls, channel: socket.socket, n_bytes: int) -> Region:
        """The region that `send` sent."""
        channel.settimeout(None)
        _, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        try:
            return cls(n_bytes, descriptors[0])
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def close(self) -> None:
        """Let go of it; views that are still in use keep the memory until they go."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class Unchanging(Region):
    """Bytes that this process reads and does not change, nor can."""

    ACCESS = mmap.ACCESS_READ


def places(sizes: dict[str, int], start: int = 0) -> tuple[dict[str, int], int]:
    """Where parts of these sizes in bytes lie one after the other, aligned, and where the last one ends."""
    found, at = {}, start
    for name, n_bytes in sizes.items():
        found[name] = at
        at += -(-n_bytes // ALIGNED) * ALIGNED
    return found, at
