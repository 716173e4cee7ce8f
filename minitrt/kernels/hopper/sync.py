"""Barriers by number, clusters of blocks, and launches that start before their predecessor ended.

Source: PTX ISA, "bar", "barrier.cluster", "mapa", "griddepcontrol".
"""

from __future__ import annotations

from minitrt.kernels.ptx import ptx, u32

WARPGROUP, TWO_WARPGROUPS = 128, 256  # threads

warpgroup_barrier = ptx(f"bar.sync $0, {WARPGROUP};", None, u32)  # one number a warpgroup
turn_wait = ptx(
    f"bar.sync $0, {TWO_WARPGROUPS};", None, u32
)  # ping-pong: wait until the other warpgroup passes the turn
turn_pass = ptx(f"bar.arrive $0, {TWO_WARPGROUPS};", None, u32)

cluster_rank = ptx("mov.u32 $0, %cluster_ctarank;", u32)
# its own writes need not be seen by the others: barriers are set up behind a fence
cluster_arrive = ptx("barrier.cluster.arrive.relaxed;", None)
cluster_wait = ptx("barrier.cluster.wait.acquire;", None)
cluster_address = ptx(
    "mapa.shared::cluster.u32 $0, $1, $2;", u32, u32, u32
)  # (own shared address, rank) -> that block's

# programmatic dependent launch: the kernel runs under its predecessor's tail, and waits here before it reads its output
wait_for_predecessor = ptx("griddepcontrol.wait;", None)
let_successor_start = ptx("griddepcontrol.launch_dependents;", None)
