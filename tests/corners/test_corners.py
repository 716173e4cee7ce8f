"""Corners of arithmetic are what a GPU made of them, without a GPU; and on one, what it makes of them today."""

from __future__ import annotations

import json

import numpy as np
import pytest

from simt.values import numba_rules
from tests.corners import record, running
from tests.corners.known import KNOWN
from tests.corners.more_cases import cases

PARTS = 6  # that workers share
GROUPS = list(running.groups(cases()))
MANY = "{} more; all of them: python -m tests.corners compare"


@pytest.fixture(scope="module")
def gpu():
    return record.read()


def differences(groups, gpu, run=running.on_simt) -> list[str]:
    """Lines of what differs in these kernels, the first few."""
    found = []
    for group in groups:
        here = running.left_by(group, run)
        found += [line for case in group for line in record.told(case, gpu, here)]
    return found if len(found) < 20 else [*found[:20], MANY.format(len(found) - 20)]


@pytest.mark.parametrize("part", range(PARTS))
def test_simt_gives_what_a_gpu_gave(gpu, part):
    assert [] == differences(GROUPS[part::PARTS], gpu)


def test_every_known_difference_occurs(gpu):
    occurs = set()
    for group in GROUPS:
        known = [one for one in KNOWN if any(one.covers(case) for case in group)]
        if set(known) <= occurs:
            continue
        here = running.left_by(group, running.on_simt)
        for case in group:
            if gpu[case.name] is not None and record.differs(case, gpu[case.name], here[case.name]).any():
                occurs |= {one for one in known if one.covers(case)}
    assert set(KNOWN) == occurs


def test_the_record_names_its_device_and_has_thousands_of_cases():
    content = json.loads(record.RECORD.read_text())
    assert content["device"].startswith("NVIDIA")
    assert {"python", "numpy", "numba", "numba-cuda"} <= set(content["versions"])
    assert 2000 < len(content["cases"])


def test_conversions_that_wrap_round_as_in_numpy_are_noticed(gpu, monkeypatch):
    monkeypatch.setattr(numba_rules, "to_integer", lambda value, dtype: value.astype(dtype))
    of_floats = [group for group in GROUPS if group[0].operands == ("float32",)][:2]
    with np.errstate(all="ignore"):
        assert 20 < len(differences(of_floats, gpu))


@pytest.mark.gpu
def test_a_gpu_still_gives_that(gpu):
    for group in GROUPS[::9]:
        here = running.left_by(group, running.on_gpu)
        for case in group:
            assert (gpu[case.name] is None) == (here[case.name] is None)
            if gpu[case.name] is not None:
                assert not record.differs(case, gpu[case.name], here[case.name]).any(), case.name
