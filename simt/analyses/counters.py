"""The names of all counters, what each means, and the table that analyses fill line by line.

Names follow Nsight Compute where it has the same number, so a learner can compare them on a GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

COUNTERS: Mapping[str, str] = {
    "global_load_requests": "loads from global memory, one per warp (two of complex numbers)",
    "global_load_sectors": "32-byte sectors those loads touch",
    "global_load_sectors_ideal": "sectors the same elements would fill if they were neighbours",
    "global_load_bytes": "bytes the threads asked for: active lanes times the size of an element",
    "global_store_requests": "stores to global memory, one per warp",
    "global_store_sectors": "32-byte sectors those stores touch",
    "global_store_sectors_ideal": "sectors the same elements would fill if they were neighbours",
    "global_store_bytes": "bytes the threads stored: active lanes times the size of an element",
    "global_atomic_requests": "atomics on global memory, one per warp",
    "global_atomic_sectors": "sectors those atomics send: each as often as its hottest address occurs; "
    "one where the compiler adds up a warp first",
    "global_atomic_bytes": "bytes the atomics carry each way: active lanes times the size of an element",
    "shared_load_requests": "loads from shared memory, one per warp",
    "shared_load_wavefronts": "passes over the 32 banks that those loads take",
    "shared_load_bank_conflicts": "passes beyond the fewest possible: lanes wanted different words of one bank",
    "shared_store_requests": "stores to shared memory, one per warp",
    "shared_store_wavefronts": "passes over the 32 banks that those stores take",
    "shared_store_bank_conflicts": "passes beyond the fewest possible: lanes wanted different words of one bank",
    "shared_atomic_requests": "atomics on shared memory, one per warp",
    "shared_atomic_wavefronts": "passes over the 32 banks that those atomics take; lanes on one address queue, "
    "unless the compiler adds up a warp first",
    "async_copy_requests": "copies from global to shared memory beside the threads that begin, per warp and element",
    "async_copies_ahead": "those during which threads read shared memory, counted the same way: they cost no waiting",
    "constant_load_requests": "loads from constant memory, one per warp",
    "constant_load_passes": "passes those loads take: one for each address that a lane of the warp wants",
    "constant_load_extra_passes": "passes beyond the first of each request: lanes wanted different addresses",
    "shared_bytes": "bytes of shared memory that a block takes, static and dynamic",
    "atomic_operations": "atomic operations, one per thread",
    "atomic_max_contention": "most lanes of one warp that hit the same address at once",
    "atomic_hottest_cell": "most atomic operations that any one element received in one launch",
    "barriers": "times a block passed syncthreads",
    "warp_syncs": "times a warp passed syncwarp, a shuffle, a vote or a match",
    "warp_instructions": "source lines executed, counted once per warp",
    "thread_instructions": "source lines executed, counted once per thread",
    "float16_flops": "additions, subtractions and multiplications of float16, one per thread",
    "float32_flops": "additions, subtractions and multiplications of float32, one per thread",
    "float64_flops": "additions, subtractions and multiplications of float64, one per thread",
    "tensor_flops": "multiplications and additions of floats by tensor cores",
    "float_divisions": "divisions and remainders of floating-point numbers, one per thread",
    "special_functions": "roots, powers, exponentials, logarithms and angles, one per thread",
    "integer_operations": "operations on integers that the source writes out, one per thread",
    "branches": "conditions evaluated, counted once per warp",
    "divergent_branches": "those where lanes of the warp went both ways",
}

MAXIMA = frozenset(
    {"atomic_max_contention", "atomic_hottest_cell", "shared_bytes"}
)  # combined by max; all others add up


def zero_counters() -> dict[str, int]:
    """Every counter, at zero."""
    return dict.fromkeys(COUNTERS, 0)


def add_counters(total: dict[str, int], more: Mapping[str, int]) -> None:
    """Add `more` to `total` in place; maxima are combined by max."""
    for name, value in more.items():
        total[name] = max(total.get(name, 0), value) if name in MAXIMA else total.get(name, 0) + value


@dataclass(order=True, frozen=True)
class SourcePlace:
    """Where in the learner's source a number belongs. column and text are empty for whole statements."""

    function: str
    line: int
    column: int = -1
    text: str = ""


@dataclass
class Tally:
    """Counters by place. Several accesses of one line keep rows of their own; `Trace.by_line` joins them."""

    rows: dict[SourcePlace, dict[str, int]] = field(default_factory=dict)
    _places: dict[int, dict[str, int]] = field(default_factory=dict)  # by site id, to find a row without hashing text

    def at(self, site) -> dict[str, int]:
        """The row of a site, made when first asked for."""
        row = self._places.get(site.id)
        if row is None:
            row = self.rows.setdefault(SourcePlace(site.function, site.line, site.column, site.text), {})
            self._places[site.id] = row
        return row

    def add(self, site, **counts: int) -> None:
        """Add counts to the row of a site."""
        add_counters(self.at(site), counts)
