"""Time bounds as a learner without a GPU reads them."""

import json

import pytest

from autograder import cli
from autograder.lint.compiler import unavailable_reason
from autograder.speed import time_bounds
from simt.timing.gpus import GPUS

KERNEL = """
from numba import cuda


@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * x[i]


@cuda.jit
def waits(flag):
    while flag[0] < 1000:
        pass
"""
N = 1 << 16


@pytest.fixture
def kernel_file(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    return path


def traced(path, *more, kernel="scale", arguments=(f"float32[{N}]",) * 2) -> list[str]:
    command = ["trace", f"{path}:{kernel}", "--grid", str(N // 256), "--block", "256", *more]
    return [*command, *(part for argument in arguments for part in ("--arg", argument))]


def test_without_a_choice_every_gpu_is_told_in_one_line(kernel_file, capsys):
    assert 0 == cli.main(traced(kernel_file))

    text = " ".join(capsys.readouterr().out.split())
    assert "Time: a bound, not a measurement. No kernel that moves these bytes can be faster on this GPU" in text
    assert all(gpu.name in text for gpu in GPUS.values())


def test_a_chosen_gpu_is_bounded_part_by_part_with_occupancy_from_the_compiler(kernel_file, capsys):
    assert 0 == cli.main(traced(kernel_file, "--gpu", "H200"))

    text = " ".join(capsys.readouterr().out.split())
    assert "Time on H200 SXM: at least 0.0546 us, because of memory." in text  # 262,144 bytes read at 4.8 TB/s
    assert "262,144 bytes 4.80 TB/s 0.0546 us whatever the compiler does" in text
    assert "65,536 flops" in text  # numba works out int * float32 in double precision
    assert "fits in the L2 cache of 50 MB" in text
    known = "Occupancy: 8 blocks fit" if not unavailable_reason() else "Occupancy is unknown"
    assert known in text


def test_json_labels_the_bound_and_is_one_document(kernel_file, capsys):
    assert 0 == cli.main(traced(kernel_file, "--gpu", "t4", "--json"))

    whole = json.loads(capsys.readouterr().out)
    document = whole["bound"]
    assert (4 * N, 4 * N) == (whole["arrays"]["x"]["least_bytes"], whole["arrays"]["out"]["least_write_bytes"])
    (found,) = document["gpus"]
    assert "a bound, not a measurement" == document["label"]
    assert "begin in device memory" in document["assumes"]
    assert ("t4", "memory", True) == (found["gpu"], found["limit"], found["terms"][0]["certain"])
    assert 4 * N / 320e9 * 1e6 == pytest.approx(found["time_us"])
    assert "occupancy" in found


def test_an_unknown_gpu_is_bad_usage_and_names_the_known_ones(kernel_file, capsys):
    assert cli.BAD_USAGE == cli.main(traced(kernel_file, "--gpu", "gtx1080"))

    assert "'gtx1080'. Known are t4, a100-40" in capsys.readouterr().err


def test_a_launch_that_was_cut_short_has_no_bound(kernel_file, capsys):
    assert 0 == cli.main(traced(kernel_file, kernel="waits", arguments=("int32[1]",)))

    assert time_bounds.NO_BOUND in capsys.readouterr().out
