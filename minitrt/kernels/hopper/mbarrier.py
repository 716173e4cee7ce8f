"""Barriers in shared memory that count arrivals and bytes: how threads wait for the copy engine, and it for them.

A barrier has a phase of one bit. `wait(barrier, parity)` returns once the phase of that parity is over; a producer that
has waited for nothing yet starts with parity 1, which is over from the start.
Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
"""

from __future__ import annotations

from minitrt.kernels.ptx import if_zero, ptx, u32

TRIES = 1_000_000  # of try_wait, each of which sleeps a while: a deadlock becomes a fault instead of a hung machine

init = ptx("mbarrier.init.shared::cta.b64 [$0], $1;", None, u32, u32)  # (barrier, arrivals per phase)
fence_init = ptx("fence.mbarrier_init.release.cluster;", None)  # the copy engine sees barriers set up before it
expect_bytes = ptx(
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", None, u32, u32
)  # arrive, then wait for bytes
arrive_if_zero = ptx(
    if_zero("$1", "@p mbarrier.arrive.shared::cta.b64 _, [$0];"), None, u32, u32
)  # (barrier, arrive if 0)
_WAIT = (
    "{{ .reg .pred p; .reg .u32 n; mov.u32 n, 0;\n"
    "WAIT: mbarrier.try_wait.parity{}.shared::cta.b64 p, [$0], $1;\n"
    f"@p bra DONE; add.u32 n, n, 1; setp.gt.u32 p, n, {TRIES}; @p trap; bra WAIT;\n"
    "DONE: }}"
)
wait = ptx(_WAIT.format(""), None, u32, u32)  # (barrier, parity)
wait_for_cluster = ptx(_WAIT.format(".acquire.cluster"), None, u32, u32)  # and see what other blocks wrote
