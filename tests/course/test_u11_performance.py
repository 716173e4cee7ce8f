"""What unit 11 says of recorded profiles and of its own counters is what was recorded and what is compiled."""

from __future__ import annotations

import json

import numpy as np
import pytest

from autograder.exercises.u11_performance import profiles
from autograder.lint import lint, signature_of, unavailable_reason
from tests.zoo.metrics import INSTRUCTIONS, METRICS
from tools.parts.units import ROOT

RECORDED = json.loads((ROOT / "tests" / "golden" / "counters" / "zoo.json").read_text())


def test_every_profile_is_quoted_as_nsight_recorded_it():
    quoted = {
        name: dict(zip(profiles.OURS.values(), numbers, strict=True)) for name, numbers in profiles.PROFILES.items()
    }
    recorded = {
        name: {counter: RECORDED["entries"][name]["counters"][counter] for counter in profiles.OURS.values()}
        for name in profiles.PROFILES
    }

    assert recorded == quoted
    assert RECORDED["device"] == profiles.DEVICE
    assert profiles.DATE <= RECORDED["date"]  # which is that of its newest entry


def test_nsights_names_beside_ours_are_those_that_were_measured():
    measured = {**METRICS, **INSTRUCTIONS}

    assert {ours: (profiles.NSIGHT[name],) for name, ours in profiles.OURS.items()} == {
        ours: measured[ours] for ours in profiles.OURS.values()
    }
    text = (ROOT / "solutions" / "11_performance" / "11_performance.py").read_text()
    assert [] == [metric for metric in profiles.NSIGHT.values() if f"`{metric}`" not in text]


@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason())
@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_a_kernel_that_is_timed_for_its_chains_has_as_many_and_keeps_them_in_registers(count):
    from benchmarks.performance_kernels import chains

    out = np.zeros(8, np.float32)
    code = lint(chains(count), signature_of((np.float32(1), np.float32(1), 5, out))).code

    assert (count, 0) == (code["independent_operations"], code["local_memory_bytes"])
