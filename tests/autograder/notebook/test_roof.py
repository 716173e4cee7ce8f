"""Kernels under a roof, and what the compiler makes of their accesses, as a notebook shows them."""

import json

import numpy as np
import pytest
from numba import cuda

from autograder.notebook import roof
from autograder.notebook.compiled import bytes_of, memory_instructions
from autograder.notebook.intrinsics import load16, store16
from autograder.speed.ceilings import gpu_of, profile_of
from simt.timing.gpus import GPUS

pytest.importorskip("matplotlib", reason="figures need matplotlib")

SMALL = {"n": 256}


@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += dt * bodies[4 + axis, i]


@cuda.jit
def not_written(bodies, dt):
    raise NotImplementedError


@cuda.jit
def past_the_end(bodies, dt):
    bodies[8, cuda.grid(1)] += dt


@cuda.jit
def copy_wide(src, dst):
    i = 4 * cuda.grid(1)
    if i < dst.size:
        store16(dst, i, load16(src, i))


def test_a_kernel_stands_under_the_roof_and_one_that_is_not_written_is_named(capsys):
    figure = roof.roofline(
        ("drift", "memory_access.drift", drift, SMALL),
        ("later", "memory_access.drift", not_written, SMALL),
        ("wrong", "memory_access.drift", past_the_end, SMALL),
    )

    assert "drift 0.167 flops per byte" in figure.alt
    assert "not_written, past_the_end" in capsys.readouterr().out


def test_nothing_written_yet_is_no_error(capsys):
    assert roof.roofline(("later", "memory_access.drift", not_written, SMALL)) is None
    assert "Not written yet, or not run to its end: not_written." in capsys.readouterr().out


def test_the_roof_is_the_recorded_one_where_there_is_no_gpu(monkeypatch):
    monkeypatch.setattr(roof.backend, "gpu_available", lambda: False)
    recorded = json.loads(json.dumps({"date": "2026-01-02", "profile": profile_of(GPUS["l4"])}))
    monkeypatch.setattr(roof, "document_of", lambda name: recorded)
    gpu, source = roof.roof()
    assert (GPUS["l4"].name, "measured on 2026-01-02") == (gpu.name, source)

    monkeypatch.setattr(roof, "document_of", lambda name: {})
    assert GPUS["h200"] == roof.roof()[0]


@pytest.mark.parametrize("key", GPUS)
def test_a_profile_keeps_both_rates_of_a_gpu(key):
    again = gpu_of(json.loads(json.dumps(profile_of(GPUS[key]))))

    assert GPUS[key].memory_bytes_per_s == again.memory_bytes_per_s
    assert GPUS[key].flops_per_s("float32") == pytest.approx(again.flops_per_s("float32"))
    assert GPUS[key].ridge("float32") == pytest.approx(again.ridge("float32"))


def test_wide_accesses_are_seen_in_the_compiled_code(capsys):
    arrays = np.zeros(1024, np.float32), np.zeros(1024, np.float32)

    assert {"ld.global.v4.f32": 1, "st.global.v4.f32": 1} == memory_instructions(copy_wide, *arrays)
    assert "16" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("opcode", "n_bytes"),
    [("ld.global.f32", 4), ("ld.global.v4.f32", 16), ("st.shared.v2.u64", 16), ("ld.local.b8", 1)],
)
def test_an_opcode_says_how_many_bytes_a_lane_moves(opcode, n_bytes):
    assert n_bytes == bytes_of(opcode)


def test_without_a_compiler_there_is_a_reason_and_no_table(monkeypatch, capsys):
    monkeypatch.setattr("autograder.notebook.compiled.unavailable_reason", lambda: "no compiler here.")

    assert {} == memory_instructions(copy_wide, np.zeros(4, np.float32), np.zeros(4, np.float32))
    assert "no compiler here" in capsys.readouterr().out
