"""A device for the launcher where there is no GPU: memory is an array, and machine code names a behaviour below.

    python -I -B stand_in.py PROJECT [BEHAVIOUR] < socket

BEHAVIOUR is what a student's vector_add does. Everything else is the launcher as it is. A behaviour gets the memory
and the parameters as a kernel would, so it can do what kernels do: write where it should, or where it should not, hang,
or lose the device.
"""

from __future__ import annotations

import os
import socket
import sys
import time

ROOM = 64 << 20
FIRST = 1 << 20  # the lowest address
FACTS = {
    "name": "stand-in", "uuid": "00", "memory": 1 << 30, "driver": 0, "multiprocessors": 2, "l2_bytes": 1 << 10,
    "threads_a_block": 1024, "block_x": 1024, "block_y": 1024, "block_z": 64, "grid_x": 2**31 - 1, "grid_y": 65535,
    "grid_z": 65535, "shared_bytes": 49152, "major": 9, "minor": 0, "clock_khz": 1,
}  # fmt: skip


class StandIn:
    """What `driver.Gpu` offers, over host memory."""

    def __init__(self):
        import numpy as np

        from autograder.classroom.sealed import own_kernels

        self.np, self.memory = np, np.zeros(ROOM, np.uint8)
        self.ends = {}  # of allocations, by address
        own_kernels.FLUSH_BYTES_AT_LEAST = 1 << 10
        self.own = own_kernels.OwnKernels(self)

    def facts(self):
        return FACTS

    def load(self, code):
        if code == b"slow to load":
            time.sleep(3)
        return {"state": {}, "names": code.decode("latin-1")}

    def unload(self, module):
        module.clear()

    def function(self, module, name):
        return module, name

    def allocate(self, n_bytes):
        at = max(self.ends.values(), default=FIRST)
        self.ends[at] = at + -(-n_bytes // 512) * 512
        if self.ends[at] - FIRST > ROOM:
            raise _device_error("CUDA_ERROR_OUT_OF_MEMORY")
        return at

    def free(self, address):
        del self.ends[address]

    def mapped_word(self):
        return self.np.zeros(1, self.np.uint32), 0

    def at(self, address, n_bytes):
        if not FIRST <= address <= address + n_bytes <= FIRST + ROOM:
            raise _device_error("CUDA_ERROR_ILLEGAL_ADDRESS")
        return self.memory[address - FIRST : address - FIRST + n_bytes]

    def fill(self, address, byte, n_bytes):
        self.at(address, n_bytes)[...] = byte

    def put(self, address, host):
        self.at(address, host.nbytes)[...] = host.reshape(-1).view(self.np.uint8)

    def get(self, host, address):
        host.reshape(-1).view(self.np.uint8)[...] = self.at(address, host.nbytes)

    def copy(self, to, source, n_bytes):
        self.at(to, n_bytes)[...] = self.at(source, n_bytes)

    def launch(self, function, grid, block, shared, parameters, cooperative=False):
        module, name = function
        words = [int.from_bytes(parameter, "little") for parameter in parameters]
        behaviour = BEHAVIOURS.get(name) or next((BEHAVIOURS[what] for part, what in KNOWN if part in name), None)
        if behaviour is not None:
            behaviour(self, module, words)

    def begin(self):
        self.began = self.free_at = time.perf_counter()

    def end(self):
        self.free_at = max(self.free_at, time.perf_counter())

    def ended(self):
        return time.perf_counter() >= self.free_at

    def mark(self, _place):
        """Nothing waits in a queue here."""

    def passed(self, _place):
        return True

    def elapsed_us(self):
        return 1e6 * (self.free_at - self.began)

    def finish(self):
        pass

    def floats(self, words, which):
        """Argument `which` of a kernel that takes three arrays of float32 in one dimension."""
        n_elements, address = words[7 * which + 2], words[7 * which + 4]
        return self.at(address, 4 * n_elements).view(self.np.float32)


def adds(gpu, _module, words):
    a, b, out = (gpu.floats(words, which) for which in range(3))
    out[...] = a + b


def nothing(_gpu, _module, _words):
    """Leaves its output as it was."""


def writes_beside(gpu, module, words):
    adds(gpu, module, words)
    gpu.at(words[7 * 2 + 4] + 4 * words[7 * 2 + 2], 4)[...] = 0


def copies_behind_the_end(gpu, module, words):
    """What a blend of two arrays without a guard does, where the same lies behind all of them."""
    adds(gpu, module, words)
    (behind_a, behind_out) = (words[7 * which + 4] + 4 * words[7 * which + 2] for which in (0, 2))
    gpu.at(behind_out, 64)[...] = gpu.at(behind_a, 64)


def writes_to_its_input(gpu, module, words):
    adds(gpu, module, words)
    gpu.floats(words, 0)[:1] = 77


def hangs(gpu, _module, _words):
    gpu.free_at = float("inf")


def takes_a_second(gpu, module, words):
    adds(gpu, module, words)
    gpu.free_at = time.perf_counter() + 1.1


def stops_its_launcher(_gpu, _module, _words):
    """No kernel can; a machine may."""
    time.sleep(600)


def traps(_gpu, _module, _words):
    raise _device_error("CUDA_ERROR_ILLEGAL_INSTRUCTION")


def finds_no_memory(_gpu, _module, _words):
    raise _device_error("CUDA_ERROR_OUT_OF_MEMORY")


def leaves(_gpu, _module, _words):
    os._exit(3)


def stashes(gpu, module, words):
    """Computes once, and gives the same out again as long as its own module keeps it."""
    out = gpu.floats(words, 2)
    if "sum" not in module["state"]:
        adds(gpu, module, words)
        module["state"]["sum"] = out.copy()
    out[...] = module["state"]["sum"]


def aims_at_the_answer(gpu, module, words):
    """Looks through all memory of the device for the sum, as a kernel with an index of its choice could."""
    a, b, out = (gpu.floats(words, which) for which in range(3))
    wanted, everything = (a + b).tobytes(), gpu.memory[: max(gpu.ends.values()) - FIRST].tobytes()
    at = everything.find(wanted)
    if at >= 0:
        out[...] = gpu.np.frombuffer(everything, gpu.np.float32, out.size, at)


BEHAVIOURS = {
    function.__name__: function
    for function in (
        adds,
        nothing,
        writes_beside,
        copies_behind_the_end,
        writes_to_its_input,
        hangs,
        takes_a_second,
        stops_its_launcher,
        traps,
        finds_no_memory,
        leaves,
        stashes,
        aims_at_the_answer,
    )  # fmt: skip
}


KNOWN = [("vector_add_naive", "adds"), ("vector_add", sys.argv[2] if len(sys.argv) > 2 else "adds")]


def _device_error(name):
    from autograder.classroom.sealed.driver import DeviceError

    return DeviceError(name)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    from autograder.classroom.sealed.launcher import Launcher

    Launcher(StandIn()).serve(socket.socket(fileno=os.dup(0)), {"confined": False})
