"""The table of GPUs against what their makers publish, which was written down from other figures than the table's."""

import pytest

from simt.hardware import LIMITS
from simt.timing.gpus import GPUS, MIB, Gpu, UnknownGpuError, find_gpu
from tools.parts.units import ROOT

# (key, cores for float32, Tflop/s of float32, of float64, of float16 without tensor cores) as datasheets round them
PUBLISHED = [
    ("t4", 2560, 8.1, 0.254, 16.3),
    ("a100-40", 6912, 19.5, 9.7, 78),
    ("a100-80", 6912, 19.5, 9.7, 78),
    ("h100", 16896, 67, 34, 134),
    ("h200", 16896, 67, 34, 134),
    ("l4", 7424, 30.3, 0.473, 30.3),
    ("rtx4060-laptop", 3072, 14.6, 0.228, 14.6),
    ("rtx4090", 16384, 82.6, 1.29, 82.6),
    ("b200", 18944, 75, 37, 150),
    ("rtx5090", 21760, 104.8, 1.637, 104.8),
]


@pytest.mark.parametrize(("key", "cores", "float32", "float64", "float16"), PUBLISHED)
def test_cores_and_clock_give_the_published_peak(key, cores, float32, float64, float16):
    gpu = GPUS[key]

    assert cores == gpu.multiprocessors * LIMITS[gpu.compute_capability].float32_lanes
    for dtype, published in (("float32", float32), ("float64", float64), ("float16", float16)):
        assert published == pytest.approx(gpu.flops_per_s(dtype) / 1e12, rel=0.02)


def test_every_gpu_is_listed_with_its_source_and_a_compute_capability_whose_limits_are_known():
    assert {key for key, *_ in PUBLISHED} == set(GPUS)
    for gpu in GPUS.values():
        assert gpu.compute_capability in LIMITS
        assert "NVIDIA" in gpu.source


def test_a_gpu_is_found_by_what_people_type():
    assert "h200" == find_gpu(" H200 ").key
    assert "a100-80" == find_gpu("a100").key
    assert "a100-40" == find_gpu("A100_40").key
    assert "sm_75" == find_gpu("t4").architecture
    with pytest.raises(UnknownGpuError, match="called 'h300'. Known are t4, a100-40"):
        find_gpu("h300")


HEADER = (
    "| `--gpu` | GPU | capability | multi-processors | GHz | memory, GB/s | L2, MB | float32, Tflop/s | float64 "
    "| float16 | room: warps, blocks, registers, shared KB | source |",
    "|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|---|",
)


def row_of(gpu: Gpu) -> str:
    """What docs/time-bounds.md says of a GPU, from the data alone."""
    limits = LIMITS[gpu.compute_capability]
    peaks = [f"{gpu.flops_per_s(dtype) / 1e12:.3g}" for dtype in ("float32", "float64", "float16")]
    room = f"{limits.warps}, {limits.blocks}, {limits.registers:,}, {limits.shared_bytes // 1024}"
    capability = ".".join(map(str, gpu.compute_capability))
    cells = (
        f"`{gpu.key}`", gpu.name, capability, gpu.multiprocessors, f"{gpu.clock_hz / 1e9:.2f}",
        f"{gpu.memory_bytes_per_s / 1e9:,.0f}", gpu.l2_bytes // MIB, *peaks, room, gpu.source,
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def test_the_page_on_time_lists_the_gpus_as_the_table_has_them():
    page = (ROOT / "docs" / "time-bounds.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith(("| `", HEADER[0][:10]))]

    assert [HEADER[0], *map(row_of, GPUS.values())] == table
