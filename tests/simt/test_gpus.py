"""The table of GPUs against what their makers publish, which was written down from other figures than the table's."""

import pytest

from autograder.lint.occupancy import LIMITS
from simt.gpus import GPUS, UnknownGpuError, find_gpu

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
]


@pytest.mark.parametrize(("key", "cores", "float32", "float64", "float16"), PUBLISHED)
def test_cores_and_clock_give_the_published_peak(key, cores, float32, float64, float16):
    gpu = GPUS[key]

    assert cores == gpu.multiprocessors * gpu.float32_lanes
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
