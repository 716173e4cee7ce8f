"""Profiles as Nsight Compute recorded them, quoted from tests/golden/counters/zoo.json, which a test compares.

The kernels are those of tests/zoo: small launches of one idea each.
"""

from __future__ import annotations

from collections.abc import Mapping

DEVICE, DATE = "NVIDIA H200", "2026-11-21"
MEANINGS: Mapping[str, str] = {
    "load_requests": "loads from global memory, one per warp",
    "load_sectors": "32-byte sectors that they touched",
    "shared_wavefronts": "passes that loads from shared memory took",
    "shared_conflicts": "those of the passes that bank conflicts caused",
    "warp_instructions": "instructions executed, one per warp",
    "thread_instructions": "instructions executed, one per thread",
}
NSIGHT: Mapping[str, str] = {
    "load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
}
OURS: Mapping[str, str] = {
    "load_requests": "global_load_requests",
    "load_sectors": "global_load_sectors",
    "shared_wavefronts": "shared_load_wavefronts",
    "shared_conflicts": "shared_load_bank_conflicts",
    "warp_instructions": "warp_instructions",
    "thread_instructions": "thread_instructions",
}
PROFILES: Mapping[str, tuple[int, ...]] = {  # in the order of MEANINGS
    "load_offset_8": (16, 64, 0, 0, 528, 16896),
    "load_stride_32": (16, 512, 0, 0, 544, 17408),
    "gather_drawn_far": (32, 574, 0, 0, 640, 20480),
    "row_sums": (132, 3300, 0, 0, 3320, 83280),
    "column_sums": (132, 477, 0, 0, 3716, 93180),
    "shared_transpose_tiled": (128, 512, 4096, 3968, 5888, 188416),
    "shared_transpose_padded": (128, 512, 128, 0, 6208, 198656),
    "two_sides": (16, 64, 0, 0, 1184, 24067),
    "collatz": (16, 64, 0, 0, 48372, 422548),
}
