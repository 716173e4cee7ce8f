"""Memory for a tensor, on the host or on the device, that NumPy arrays go into and come out of."""

from __future__ import annotations

import numpy as np


class Buffer:
    """Host memory. address: where; nbytes: how much."""

    def __init__(self, nbytes: int):
        self._array = np.zeros(max(int(nbytes), 1), np.uint8)
        self.address, self.nbytes = self._array.ctypes.data, int(nbytes)

    def write(self, array: np.ndarray) -> None:
        self._array[: array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)

    def read(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        nbytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        return self._array[:nbytes].copy().view(dtype).reshape(shape)


class DeviceBuffer:
    """The same on the GPU."""

    def __init__(self, nbytes: int):
        from minitrt.device.driver import Memory

        self._memory = Memory(nbytes)
        self.address, self.nbytes = self._memory.address, int(nbytes)

    def write(self, array: np.ndarray) -> None:
        from minitrt.device.driver import upload

        if array.nbytes:
            upload(self.address, array)

    def read(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        from minitrt.device.driver import download

        result = np.empty(shape, dtype)
        return download(self.address, result) if result.nbytes else result


def make_buffer(nbytes: int, on_gpu: bool) -> Buffer | DeviceBuffer:
    return DeviceBuffer(nbytes) if on_gpu else Buffer(nbytes)
