"""Programs of recorded seeds: the interpreter leaves the bytes that an H200 left, without a GPU."""

from __future__ import annotations

import numpy as np
import pytest

from simt.numerics import operators
from tests.differential import golden
from tests.part import a_part

CHUNKS = 8  # tests that share the seeds, so that workers share them too
SEEDS_A_CHUNK = 30
STALE = (
    "The generator writes other programs for the seeds {}, so the answers of {} of {} no longer belong to them. "
    "Where there is a GPU: python -m tests.differential run --device cuda --seeds 0:4400 --workers 16 --out FILE, "
    "then python -m tests.differential record FILE."
)
DIFFERENT = (
    "simt leaves other bytes than {} did for the seeds {}. See a program: python -m tests.differential show {}; "
    "where there is a GPU, both results by line: python -m tests.differential compare {} --device cuda."
)


@pytest.fixture(scope="module")
def recorded():
    return golden.load()


def chosen(recorded, chunk: int) -> list[int]:
    """Seeds of one chunk, spread over all that are recorded."""
    seeds = sorted(recorded.answers)
    step = len(seeds) // (CHUNKS * SEEDS_A_CHUNK)
    return seeds[chunk * step :: CHUNKS * step][:SEEDS_A_CHUNK]


@pytest.mark.parametrize("chunk", a_part(range(CHUNKS), 2))
def test_simt_leaves_the_bytes_that_the_gpu_left(recorded, chunk):
    stale, different = golden.differing(recorded.answers, chosen(recorded, chunk))
    assert [] == stale, STALE.format(stale, recorded.device, recorded.date)
    assert [] == different, DIFFERENT.format(recorded.device, different, different[0], different[0])


def test_thousands_of_programs_are_recorded_with_their_device_and_versions(recorded):
    assert 4000 <= len(recorded.answers)
    assert "H200" in recorded.device
    assert {"python", "numpy", "numba", "numba-cuda"} <= set(recorded.versions)


@pytest.mark.parametrize(
    "symbol, wrong",
    [
        (">>", lambda left, right: left >> right & (2**62 - 1)),
        ("^", np.bitwise_or),
        ("|", np.bitwise_xor),
    ],
)
def test_a_wrong_operator_is_noticed(monkeypatch, recorded, symbol, wrong):
    monkeypatch.setitem(operators.UFUNCS, symbol, wrong)
    monkeypatch.setattr(operators, "_plans", {})
    _, different = golden.differing(recorded.answers, list(recorded.answers)[:60])
    assert [] != different
