"""The launcher's own kernels, written in PTX so that it needs no compiler: wait for the host, empty the L2 cache."""

from __future__ import annotations

from functools import cached_property
from typing import Any

FLUSH_BYTES_AT_LEAST = 128 << 20
L2_SIZES = 4  # how many times the cache is written and read
TURNS = 20_000  # of 0.2 microseconds or more: after them whoever waits goes on by itself
BLOCKS, THREADS = 1024, 256

PTX = """\
.version 6.4
.target sm_70
.address_size 64

.visible .entry hold(.param .u64 flag, .param .u32 turns)
{
    .reg .pred %p<3>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [flag];
    ld.param.u32 %r1, [turns];
$again:
    ld.volatile.u32 %r2, [%rd1];
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra $done;
    sub.u32 %r1, %r1, 1;
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra $done;
    nanosleep.u32 200;
    bra $again;
$done:
    ret;
}

.visible .entry read_all(.param .u64 buffer, .param .u64 words, .param .u64 sink)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [buffer];
    ld.param.u64 %rd2, [words];
    ld.param.u64 %rd3, [sink];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mad.lo.u32 %r5, %r1, %r2, %r3;
    cvt.u64.u32 %rd4, %r5;
    mul.wide.u32 %rd5, %r2, %r4;
    mov.u32 %r6, 0;
$again:
    setp.ge.u64 %p1, %rd4, %rd2;
    @%p1 bra $done;
    shl.b64 %rd6, %rd4, 2;
    add.u64 %rd6, %rd1, %rd6;
    ld.global.u32 %r7, [%rd6];
    xor.b32 %r6, %r6, %r7;
    add.u64 %rd4, %rd4, %rd5;
    bra $again;
$done:
    setp.ne.u32 %p2, %r6, 1;
    @%p2 bra $end;
    st.global.u32 [%rd3], %r6;
$end:
    ret;
}
"""


class OwnKernels:
    """Of one device. gpu: what `driver.Gpu` offers. Loaded when they are first needed: not every answer is timed."""

    def __init__(self, gpu: Any):
        self.gpu = gpu
        self._flush = self._sink = self._flush_bytes = 0

    @cached_property
    def _module(self) -> Any:
        return self.gpu.load(PTX.encode())

    @cached_property
    def _read(self) -> Any:
        return self.gpu.function(self._module, "read_all")

    @cached_property
    def _hold(self) -> Any:
        return self.gpu.function(self._module, "hold")

    @cached_property
    def _word(self) -> tuple[Any, int]:
        return self.gpu.mapped_word()

    @property
    def flag(self) -> Any:
        """(1,) uint32: the device waits until it is not 0."""
        return self._word[0]

    def hold(self) -> None:
        """Enqueue a wait for `release`, so that what is enqueued next starts together."""
        self.flag[0] = 0
        parameters = [self._word[1].to_bytes(8, "little"), TURNS.to_bytes(4, "little")]
        self.gpu.launch(self._hold, (1, 1, 1), (1, 1, 1), 0, parameters)

    def release(self) -> None:
        self.flag[0] = 1

    def flush(self, turn: int) -> None:
        """Enqueue what leaves nothing of earlier work in the L2 cache: write several times its size, then read it."""
        if not self._flush:
            self._flush_bytes = max(FLUSH_BYTES_AT_LEAST, L2_SIZES * self.gpu.facts()["l2_bytes"])
            self._flush, self._sink = self.gpu.allocate(self._flush_bytes), self.gpu.allocate(4)
        self.gpu.fill(self._flush, turn % 251, self._flush_bytes)
        parameters = [number.to_bytes(8, "little") for number in (self._flush, self._flush_bytes // 4, self._sink)]
        self.gpu.launch(self._read, (BLOCKS, 1, 1), (THREADS, 1, 1), 0, parameters)

    def canary(self) -> bool:
        """Whether the device carries out a launch and a copy; returns when they are done."""
        import numpy as np

        address, host = self.gpu.allocate(1024), np.zeros(256, np.uint32)
        self.gpu.fill(address, 0x5A, 1024)
        parameters = [number.to_bytes(8, "little") for number in (address, 256, address)]
        self.gpu.launch(self._read, (1, 1, 1), (THREADS, 1, 1), 0, parameters)
        self.gpu.get(host, address)
        self.gpu.free(address)
        return bool((host == 0x5A5A5A5A).all())
