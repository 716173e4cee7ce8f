"""Which metrics of Nsight Compute stand for which counters of simt, and how its CSV is read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from simt.analyses.counters import add_counters

L1 = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
PASSES = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
EXECUTED = "smsp__inst_executed_op_shared_{}_pred_on_any.sum"

METRICS: Mapping[str, tuple[str, ...]] = {
    "global_load_requests": (L1.format("requests", "ld"),),
    "global_load_sectors": (L1.format("sectors", "ld"),),
    "global_store_requests": (L1.format("requests", "st"),),
    "global_store_sectors": (L1.format("sectors", "st"),),
    "global_atomic_requests": (L1.format("requests", "red"), L1.format("requests", "atom")),
    "global_atomic_sectors": (L1.format("sectors", "red"), L1.format("sectors", "atom")),
    "shared_load_requests": (EXECUTED.format("ld"),),
    "shared_load_wavefronts": (PASSES.format("ld"),),
    "shared_load_bank_conflicts": (CONFLICTS.format("ld"),),
    "shared_store_requests": (EXECUTED.format("st"),),
    "shared_store_wavefronts": (PASSES.format("st"),),
    "shared_store_bank_conflicts": (CONFLICTS.format("st"),),
    "shared_atomic_requests": (EXECUTED.format("atom"),),
    "shared_atomic_wavefronts": (PASSES.format("atom"),),
    "shared_bytes": ("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"),
}
INSTRUCTIONS: Mapping[str, tuple[str, ...]] = {
    "warp_instructions": ("smsp__inst_executed.sum",),
    "thread_instructions": ("smsp__thread_inst_executed.sum",),
}  # simt counts source lines under these names


def wanted() -> tuple[str, ...]:
    """Every metric to ask for."""
    return tuple(metric for metrics in (*METRICS.values(), *INSTRUCTIONS.values()) for metric in metrics)


def rows_of(text: str) -> list[dict[str, str]]:
    """The launches in what `ncu --csv --page raw` wrote, in order; lines before the header and the units go."""
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ValueError('This is no CSV of ncu: no line begins with "ID". It says:\n' + text[-2000:])
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[start:]))))
    return [row for row in rows if row["ID"].isdigit()]


def number(text: str) -> float:
    """1,024 as 1024; an empty cell, "n/a" or "nan" is an error."""
    return float(text.replace(",", ""))


def counters_of(row: Mapping[str, str]) -> dict[str, int]:
    """The metrics of one launch by the names of simt's counters."""
    named = {**METRICS, **INSTRUCTIONS}
    return {name: int(sum(number(row[metric]) for metric in metrics)) for name, metrics in named.items()}


def total(launches: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counters of several launches together: added up, shared bytes by the largest."""
    result: dict[str, int] = {}
    for counters in launches:
        add_counters(result, counters)
    return result
