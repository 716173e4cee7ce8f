"""Every counter that differs from the hardware's by more than 1 %, and why. Plain data; tests hold it to both sides."""

from __future__ import annotations

from collections.abc import Mapping

# Why, in the words of the page that shows them: {reason: (title, explanation)}.
REASONS: Mapping[str, tuple[str, str]] = {
    "kept": (
        "Kept in a register",
        "The compiler sees that an element was stored just before, that some lanes hold it already, or that two "
        "addresses never meet, and asks a register. The interpreter does so only where a load repeats another with "
        "nothing between.",
    ),
    "joined": (
        "One instruction for both sides of a branch",
        "Both sides of an `if` load or store alike, so the compiler does it once for all lanes. "
        "The interpreter runs one side after the other.",
    ),
    "merged": (
        "Merged into a wider load",
        "Neighbouring elements of shared memory, at an index known when compiling, become one `LDS.128`: "
        "a quarter of the requests.",
    ),
    "unrolled": (
        "Unrolled",
        "The compiler makes several copies of a loop's body, and a warp whose lanes differ in their numbers of "
        "iterations goes through more than one of them. So a load is requested more often than the loop turns.",
    ),
    "retried": (
        "Retried until nobody interferes",
        "The hardware has no such atomic (floats and 64-bit integers in shared memory, the maximum of floats), so "
        "the compiler writes a loop of compare-and-swap. How often it turns depends on timing: "
        "the H200 itself gives other numbers the second time.",
    ),
    "split": (
        "64-bit atomics on many lines",
        "Where lanes of a warp add 64-bit numbers to eight lines of 128 bytes, the hardware sends a few sectors twice; "
        "how many changes from run to run.",
    ),
    "unsteady": (
        "Not the same twice",
        "One count of passes was too high the first time and equal the second.",
    ),
    "one_cell": (
        "One cell, unknown to the interpreter",
        "The compiler sees that a whole block updates one cell and adds up the warp first. The interpreter sees that "
        "where the index is a literal or `blockIdx`, not where it is an argument.",
    ),
    "waits": (
        "Who comes first",
        "How often a thread looks before what it waits for is there, how often its swap fails, and which block comes "
        "first to a cell that all improve depends on timing. A relaxed load is a load to the hardware, and an atomic "
        "that changes nothing to the interpreter.",
    ),
    "resent": (
        "A sector sent again",
        "Where the lanes of a warp update dozens of sectors, a few of them twice, the hardware sends up to 2 % more "
        "sectors than the hottest address of each asks for.",
    ),
    "arbitration": (
        "Passes that others cost",
        "Now and then a request takes a pass more than its addresses need, because others are at the banks. "
        "How often differs from run to run.",
    ),
    "matrices": (
        "`ldmatrix` is no shared load, `stmatrix` no shared store",
        "Nsight Compute counts the passes of `ldmatrix`, and no request, among shared loads, and those of `stmatrix` "
        "among shared stores.",
    ),
    "paired": (
        "Two stores made one",
        "A thread holds two neighbours of what a warpgroup multiplied, and the compiler stores both with one `STG.64`: "
        "half of the requests, and half of the sectors that they ask for.",
    ),
    "barrier": (
        "A grid barrier is made of an atomic",
        "One thread of each block counts itself in, with an atomic on a cell that no program names. "
        "The interpreter has no such cell.",
    ),
    "unknown": (
        "Unexplained",
        "One to five loads, stores or extra passes, of shared ones another number in the next launch, where the source "
        "has none of them. Which instruction makes them is not known.",
    ),
}

LOADS = ("global_load_requests", "global_load_sectors")
STORES = ("global_store_requests", "global_store_sectors")
SHARED_LOADS = ("shared_load_requests", "shared_load_wavefronts")
SHARED_STORES = ("shared_store_requests", "shared_store_wavefronts")
SHARED_ATOMICS = ("shared_atomic_requests", "shared_atomic_wavefronts")
CONFLICTS = ("shared_load_bank_conflicts",)
ATOMICS = ("global_atomic_requests", "global_atomic_sectors")

# {entry: (reason, counters that differ)}
ZOO: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "write_then_add": ("kept", (*LOADS, *STORES)),
    "shared_two_arrays": ("kept", LOADS),
    "scan_two_sweeps": ("kept", (*SHARED_LOADS, *CONFLICTS)),
    "two_sides": ("joined", LOADS),
    "scan_two_buffers": ("joined", (*SHARED_LOADS, *SHARED_STORES)),
    "sum_shuffled": ("merged", SHARED_LOADS),
    "matmul_tiled": ("merged", SHARED_LOADS),
    "grid_stride": ("unrolled", ("global_load_requests", "global_store_requests")),
    "histogram_shared_even": ("unrolled", ("global_load_requests", *SHARED_ATOMICS)),
    "histogram_shared_hot": ("unrolled", ("global_load_requests", *SHARED_ATOMICS)),
    "matvec_warp": ("unrolled", LOADS),
    "loop_of_unlike_length": ("unrolled", LOADS),
    "atomic_maximum_float32": ("retried", (*LOADS, *ATOMICS)),
    **{
        f"shared_add_{dtype}_{cells}": (
            "retried",
            (*SHARED_LOADS, *(CONFLICTS if cells == "drawn" else ()), *SHARED_ATOMICS),
        )
        for dtype in ("int64", "float32", "float64")
        for cells in ("drawn", "few", "one")
    },
    "atomic_add_int64_own": ("split", ("global_atomic_sectors",)),
    "atomic_add_float64_own": ("split", ("global_atomic_sectors",)),
    "one_shared_cell_place": ("unsteady", ("shared_atomic_wavefronts",)),
    "cell_by_argument_add": ("one_cell", ("global_atomic_sectors",)),
}

# The same for kernels of the course, where one may have several reasons: {entry: ((reason, counters), ...)}.
COURSE: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "scan.scan_blelloch": (("kept", (*SHARED_LOADS, *CONFLICTS)),),
    "scan.scan_device": (("merged", SHARED_LOADS),),
    "scan.scan_lookback": (("waits", ("global_load_requests", *ATOMICS)), ("merged", SHARED_LOADS)),
    "scan.scan_lookback (naive)": (("waits", ATOMICS),),
    "scan.compact": (("waits", ATOMICS), ("merged", SHARED_LOADS)),
    "scan.compact (naive)": (("waits", ATOMICS), ("merged", SHARED_LOADS)),
    "scan.radix_sort": (
        ("merged", SHARED_LOADS),
        ("kept", SHARED_LOADS),
        ("arbitration", ("shared_store_wavefronts", "shared_store_bank_conflicts")),
    ),
    "atomics.histogram_global": (("resent", ("global_atomic_sectors",)),),
    "atomics.histogram_copies": (
        ("unrolled", ("global_load_requests", *SHARED_ATOMICS)),
        ("arbitration", ("shared_load_wavefronts", *CONFLICTS)),
    ),
    "atomics.histogram_copies (naive)": (("unrolled", ("global_load_requests", *ATOMICS)),),
    "atomics.max_by_cas": (("waits", ATOMICS),),
    "atomics.shares_of_sum": (("barrier", ATOMICS), ("kept", SHARED_LOADS)),
    "atomics.shares_of_sum (naive)": (("kept", SHARED_LOADS),),
    "atomics.best_under_lock": (("waits", (*STORES, *ATOMICS)), ("kept", SHARED_LOADS)),
    "atomics.best_packed": (("kept", SHARED_LOADS),),
    "atomics.count_keys": (("waits", (*LOADS, *ATOMICS)),),
    "atomics.work_queue": (("unrolled", ("global_load_sectors",)),),
    "atomics.work_queue (naive)": (("unrolled", ("global_load_sectors",)),),
    "atomics.last_block_sum": (("kept", SHARED_LOADS),),
    "memory_kinds.look_up": (("unrolled", ("global_load_sectors",)),),
    "attention.bias_gelu_residual": (("unrolled", ("global_load_sectors", "global_store_sectors")),),
    "attention.softmax_safe": (("merged", SHARED_LOADS),),
    "attention.attention_flash": (("merged", SHARED_LOADS),),
    "attention.attention_causal": (("merged", SHARED_LOADS),),
    "attention.attention_tensor": (("matrices", ("shared_load_requests",)), ("unknown", ("shared_store_requests",))),
    "irregular.spmv_rows": (("unrolled", LOADS),),
    "irregular.spmv_warps (naive)": (("unrolled", LOADS),),
    "irregular.random_numbers": (("unrolled", ("global_store_requests",)),),
    "irregular.count_draws": (("kept", SHARED_LOADS),),
    "irregular.n_body": (("joined", SHARED_STORES),),
    "matmul.matmul_tiled": (("merged", SHARED_LOADS),),
    "matmul.matmul_tensor": (("matrices", ("shared_load_requests",)),),
    "matmul.matmul_int8": (("matrices", ("shared_load_requests",)),),
    "matmul.matmul_warpgroup": (("paired", STORES), ("unknown", ("shared_load_requests",))),
    "engine_kernels.conv_tile": (("matrices", ("shared_load_requests",)),),
    "engine_kernels.conv_ring": (
        ("matrices", ("shared_load_requests",)),
        ("unknown", ("shared_store_requests", *CONFLICTS)),
    ),
    "engine_kernels.conv_layer": (
        ("matrices", ("shared_load_requests",)),
        ("unknown", ("shared_store_requests", *CONFLICTS)),
    ),
    "engine_kernels.conv_warpgroup": (
        ("matrices", ("shared_load_requests", "shared_store_requests")),
        ("unknown", ("global_load_requests",)),
    ),
    "engine_kernels.conv_split": (("matrices", ("shared_load_requests",)), ("unknown", CONFLICTS)),
    "compression.sparse_products": (("matrices", ("shared_load_requests",)),),
    "language_models.rms_norm": (("unrolled", ("global_load_requests",)), ("merged", SHARED_LOADS)),
    "language_models.half_product": (("unrolled", ("global_load_requests",)), ("merged", SHARED_LOADS)),
}


def of(reason: str) -> dict[str, tuple[str, ...]]:
    """The entries that a reason explains, each with its counters."""
    zoo = {entry: counters for entry, (why, counters) in ZOO.items() if why == reason}
    pairs = ((entry, why, counters) for entry, reasons in COURSE.items() for why, counters in reasons)
    return zoo | {entry: counters for entry, why, counters in pairs if why == reason}
