"""Which pitfalls the interpreter sees by itself, where no compiler is installed."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")

import simt
from tests.pitfalls.listing import ALL

TYPES = "the kernel is right; which type a value has costs time, and the lint tells where it comes from"
MACHINE_CODE = "the kernel is right; what the compiler made of it costs time"
UNSEEN = {
    1: TYPES,
    2: TYPES,
    3: TYPES,
    5: TYPES,
    6: TYPES,
    7: MACHINE_CODE,
    13: MACHINE_CODE,
    15: "the kernel is right; it was compiled before a constant changed",
    27: "the kernel is right; strides in its signature cost time",
}
AS_A_FINDING = {12: "invalid_launch"}  # what the compiler refuses here is told as a finding of another kind
COMPILED = [one for one in ALL if one.found_by == "compiler" and one.kind]


def _name(pitfall):
    return f"{pitfall.number}-{pitfall.title.replace(' ', '_')}-{pitfall.kind}"


def findings_of(experiment):
    values = [value.copy() if isinstance(value, np.ndarray) else value for value in experiment.values]
    return simt.trace(experiment.code, 1, 32, *values).findings


@pytest.mark.parametrize("pitfall", [one for one in COMPILED if one.number not in UNSEEN], ids=_name)
def test_what_the_compiler_refuses_is_refused_in_the_same_words(pitfall):
    (found,) = findings_of(pitfall.wrong)
    if pitfall.number in AS_A_FINDING:
        assert AS_A_FINDING[pitfall.number] == found.kind
    else:
        assert ("unsupported", pitfall.kind) == (found.kind, found.detail["reason"])
        assert pitfall.says in found.message
        assert found.remedy in {said.remedy for said in pitfall.wrong.run()}


@pytest.mark.parametrize("pitfall", [one for one in COMPILED if one.number in UNSEEN], ids=_name)
def test_what_only_costs_time_is_no_finding(pitfall):
    if pitfall.wrong.values:
        assert [] == findings_of(pitfall.wrong)


def test_the_list_of_what_it_cannot_see_is_current():
    assert UNSEEN.keys() | AS_A_FINDING.keys() <= {one.number for one in COMPILED}
