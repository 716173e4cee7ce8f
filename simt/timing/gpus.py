"""GPUs that a time bound can be worked out for: what their makers publish about them, as data.

Clocks are the highest that the maker names, so that a time worked out from them is too short rather than too long.
What one multiprocessor has (lanes, room for warps, registers, shared memory) follows from the compute capability: it is
in `simt/hardware.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from simt.hardware import limits_of

MIB, GIB = 1 << 20, 1 << 30
GHZ = 1e9
GB_PER_S = 1e9
FLOPS_OF_AN_FMA = 2  # a fused multiply-add is a multiplication and an addition


@dataclass(frozen=True)
class Gpu:
    """One GPU."""

    key: str  # what people type
    name: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    clock_hz: float
    memory_bytes: int
    memory_bytes_per_s: float
    l2_bytes: int
    source: str

    def flops_per_s(self, dtype: str, multiprocessors: int | None = None) -> float:
        """Peak rate of "float16", "float32", "float64" or "tensor", of all multiprocessors or of some."""
        used = self.multiprocessors if multiprocessors is None else multiprocessors
        lanes = getattr(limits_of(self.compute_capability), f"{dtype}_lanes")
        return FLOPS_OF_AN_FMA * lanes * used * self.clock_hz

    def ridge(self, dtype: str) -> float:
        """Flops per byte at which arithmetic takes as long as memory; below, memory is what a kernel waits for."""
        return self.flops_per_s(dtype) / self.memory_bytes_per_s

    @property
    def architecture(self) -> str:
        """As the compiler calls it: "sm_90"."""
        return "sm_{}{}".format(*self.compute_capability)


class UnknownGpuError(ValueError):
    """A GPU that is not in the table. `known` lists the keys that are."""

    def __init__(self, key: str):
        self.key, self.known = key, tuple(GPUS)
        super().__init__(f"no figures on record for a GPU called {key!r}. Known are {', '.join(GPUS)}.")


_TURING = "NVIDIA T4 datasheet; Turing architecture whitepaper"
_AMPERE = "NVIDIA A100 datasheet; A100 architecture whitepaper"
_HOPPER = "datasheet; H100 architecture whitepaper"
_ADA = "Ada architecture whitepaper"
_BLACKWELL = "NVIDIA HGX B200 datasheet; Blackwell architecture brief"
_RTX_BLACKWELL = "NVIDIA GeForce specifications; RTX Blackwell architecture whitepaper"

GPUS: dict[str, Gpu] = {
    gpu.key: gpu
    for gpu in (
        Gpu("t4", "T4", (7, 5), 40, 1.59 * GHZ, 16 * GIB, 320 * GB_PER_S,
            4 * MIB, _TURING),
        Gpu("a100-40", "A100 40 GB SXM", (8, 0), 108, 1.41 * GHZ, 40 * GIB, 1555 * GB_PER_S,
            40 * MIB, _AMPERE),
        Gpu("a100-80", "A100 80 GB SXM", (8, 0), 108, 1.41 * GHZ, 80 * GIB, 2039 * GB_PER_S,
            40 * MIB, _AMPERE),
        Gpu("h100", "H100 SXM", (9, 0), 132, 1.98 * GHZ, 80 * GIB, 3350 * GB_PER_S,
            50 * MIB, f"NVIDIA H100 {_HOPPER}"),
        Gpu("h200", "H200 SXM", (9, 0), 132, 1.98 * GHZ, 141 * GIB, 4800 * GB_PER_S,
            50 * MIB, f"NVIDIA H200 {_HOPPER}"),
        Gpu("l4", "L4", (8, 9), 58, 2.04 * GHZ, 24 * GIB, 300 * GB_PER_S,
            48 * MIB, f"NVIDIA L4 datasheet; {_ADA}"),
        Gpu("rtx4060-laptop", "RTX 4060 Laptop", (8, 9), 24, 2.37 * GHZ, 8 * GIB, 256 * GB_PER_S,
            32 * MIB, f"NVIDIA GeForce laptop specifications; {_ADA}"),
        Gpu("rtx4090", "RTX 4090", (8, 9), 128, 2.52 * GHZ, 24 * GIB, 1008 * GB_PER_S,
            72 * MIB, f"NVIDIA GeForce specifications; {_ADA}"),
        Gpu("b200", "B200 SXM", (10, 0), 148, 1.965 * GHZ, 180 * GIB, 8000 * GB_PER_S,
            126 * MIB, _BLACKWELL),
        Gpu("rtx5090", "RTX 5090", (12, 0), 170, 2.407 * GHZ, 32 * GIB, 1792 * GB_PER_S,
            96 * MIB, _RTX_BLACKWELL),
    )
}  # fmt: skip


def find_gpu(key: str) -> Gpu:
    """The GPU that people call `key`, as in "h200", "H200" or "a100" (of 80 GB). Raises: UnknownGpuError."""
    wanted = key.strip().lower().replace(" ", "").replace("_", "-")
    wanted = {"a100": "a100-80", "rtx4060": "rtx4060-laptop", "4090": "rtx4090", "5090": "rtx5090"}.get(wanted, wanted)
    if wanted not in GPUS:
        raise UnknownGpuError(key)
    return GPUS[wanted]
