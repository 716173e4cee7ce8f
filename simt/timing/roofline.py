"""The least time a launch can take on a GPU: a bound, not a guess and not a measurement.

Each part of a GPU has a highest rate. What a launch asks of that part, over that rate, is a time that the launch cannot
beat, and the longest of these times is the bound. Latency, waiting and the launch itself come on top, so a real kernel
is slower; how much slower, this module does not say.

The bound of memory holds whatever the compiler does: the data begin in device memory, and what the kernel reads must be
brought from there once. The others hold for the work as the source writes it out. A compiler may do less of that: it
keeps values in registers, merges loads, and works out once what a loop repeats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simt.launching.geometry import volume
from simt.timing.bound_tables import LABEL, one
from simt.timing.gpus import Gpu, find_gpu

FLOAT_TYPES = ("float64", "float32", "float16")
TENSOR = "tensor"  # in place of a type: products of float16 that tensor cores add up
ARITHMETIC = (*FLOAT_TYPES, TENSOR)
SECTORS_PER_CLOCK = 4  # 128 bytes a clock, the most that the L1 cache of one multiprocessor delivers
BY_MEMORY = "no kernel that moves these bytes can be faster on this GPU; yours may be slower"
AS_WRITTEN = (
    "executed as it is written, the source cannot be faster on this GPU; a compiler that leaves some of it out may be, "
    "and yours may be slower"
)


@dataclass(frozen=True)
class Work:
    """What launches ask for, by the part of a GPU that has to do it.

    read_bytes, write_bytes: the fewest that can move, see `simt.analyses.costs.traffic`. flops: by type, as "float32",
    or TENSOR. shared_wavefronts: passes over the banks. requests, sectors: global loads and stores. blocks: of the
    largest launch; 0 where it is unknown, which counts as enough for every multiprocessor. launches: how many.
    """

    read_bytes: int
    write_bytes: int
    flops: Mapping[str, int] = field(default_factory=dict)
    shared_wavefronts: int = 0
    requests: int = 0
    sectors: int = 0
    blocks: int = 0
    launches: int = 1

    @property
    def dtype(self) -> str:
        """The type that most of the arithmetic is done in, or TENSOR."""
        return max(ARITHMETIC, key=lambda dtype: (self.flops.get(dtype, 0), dtype == "float32"))

    @property
    def total_flops(self) -> int:
        return sum(self.flops.values())

    @property
    def intensity(self) -> float:
        """Flops of every type for each byte that has to move."""
        n_bytes = self.read_bytes + self.write_bytes
        return self.total_flops / n_bytes if n_bytes else 0.0


@dataclass(frozen=True)
class Term:
    """What one part of the GPU takes at least. certain: holds whatever the compiler makes of the source."""

    name: str
    amount: float
    unit: str
    per_s: float
    certain: bool = False

    @property
    def time_us(self) -> float:
        return 1e6 * self.amount / self.per_s


@dataclass(frozen=True)
class Bound:
    """The least time of some work on one GPU. terms: those that ask for anything, slowest first."""

    gpu: Gpu
    work: Work
    terms: tuple[Term, ...]

    @property
    def limit(self) -> Term | None:
        """The term that takes longest; None where there is no work."""
        return self.terms[0] if self.terms else None

    @property
    def time_us(self) -> float:
        return self.limit.time_us if self.limit else 0.0

    @property
    def certain_us(self) -> float:
        """The part of the bound that no compiler can undercut."""
        return max((term.time_us for term in self.terms if term.certain), default=0.0)

    @property
    def moved_bytes(self) -> int:
        """What memory moves before the last launch ends: all but what L2 can hold back."""
        return int(sum(term.amount for term in self.terms if term.name == "memory"))

    @property
    def side(self) -> str:
        """On which side of the ridge the work lies: "memory" or "arithmetic"."""
        return "arithmetic" if self.work.intensity > self.gpu.ridge(self.work.dtype) else "memory"

    @property
    def says(self) -> str:
        """One sentence that may stand beside the time anywhere."""
        return f"{LABEL}: {BY_MEMORY if self.limit is None or self.limit.certain else AS_WRITTEN}"

    @property
    def fits_l2(self) -> bool:
        """Whether all that moves may stay in the L2 cache, and a second launch start from there."""
        return 0 < self.work.read_bytes + self.work.write_bytes <= self.gpu.l2_bytes

    def __str__(self) -> str:
        return one(self)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        terms = [
            {"limit": term.name, "time_us": term.time_us, "amount": term.amount, "unit": term.unit,
             "per_second": term.per_s, "certain": term.certain}
            for term in self.terms
        ]  # fmt: skip
        return {
            "gpu": self.gpu.key, "name": self.gpu.name, "time_us": self.time_us, "certain_us": self.certain_us,
            "limit": self.limit.name if self.limit else None, "says": self.says, "terms": terms,
            "flops_per_byte": self.work.intensity, "ridge_flops_per_byte": self.gpu.ridge(self.work.dtype),
            "side": self.side, "fits_l2": self.fits_l2,
        }  # fmt: skip


def name_of(dtype: str) -> str:
    """What does the arithmetic: "float32 arithmetic", "tensor cores"."""
    return "tensor cores" if dtype == TENSOR else f"{dtype} arithmetic"


def bound(gpu: Gpu, work: Work) -> Bound:
    """The least time that `work` takes on `gpu`.

    Memory: bytes that must be read, and bytes written beyond what L2 can hold back; of several launches, each but the
    first may find as much as fits in L2. The others: what the multiprocessors that get a block can do at the highest
    clock.
    """
    used = min(gpu.multiprocessors, work.blocks) if work.blocks else gpu.multiprocessors
    clocks_per_s = used * gpu.clock_hz
    found_in_l2 = (work.launches - 1) * gpu.l2_bytes
    must_move = max(0, work.read_bytes - found_in_l2) + max(0, work.write_bytes - gpu.l2_bytes)
    terms = [Term("memory", must_move, "bytes", gpu.memory_bytes_per_s, certain=True)]
    terms += [
        Term(name_of(dtype), work.flops.get(dtype, 0), "flops", gpu.flops_per_s(dtype, used)) for dtype in ARITHMETIC
    ]
    terms += [
        Term("shared memory", work.shared_wavefronts, "passes", clocks_per_s),
        Term("L1 cache", max(work.requests, work.sectors / SECTORS_PER_CLOCK), "passes", clocks_per_s),
    ]
    terms = sorted((term for term in terms if term.amount), key=lambda term: -term.time_us)
    return Bound(gpu, work, tuple(terms))


def bound_of(trace, gpu: Gpu | str) -> Bound:
    """The least time that what was traced takes on a GPU: `print(bound_of(simt.trace(...), "h200"))`.

    Raises: simt.gpus.UnknownGpuError.
    """
    return bound(find_gpu(gpu) if isinstance(gpu, str) else gpu, work_of(trace))


def work_of(trace) -> Work:
    """What a trace counted, as `Work`. trace: a `simt.Trace` that listened to every block."""
    counters, arrays = trace.counters, trace.bytes_by_array().values()
    return Work(
        read_bytes=sum(array.least_read_bytes for array in arrays),
        write_bytes=sum(array.least_write_bytes for array in arrays),
        flops={dtype: counters[f"{dtype}_flops"] for dtype in ARITHMETIC},
        shared_wavefronts=sum(counters[f"shared_{kind}_wavefronts"] for kind in ("load", "store", "atomic")),
        requests=sum(counters[f"global_{kind}_requests"] for kind in ("load", "store")),
        sectors=sum(counters[f"global_{kind}_sectors"] for kind in ("load", "store")),
        blocks=max((volume(launch.grid) for launch in trace.launches), default=0),
        launches=max(1, len(trace.launches)),
    )
