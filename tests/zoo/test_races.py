"""Every planted race is found on its lines, those that racecheck reports are among them, correct kernels are clean.

What racecheck reported on an H200 is in tests/golden/races.json: `python -m tests.zoo racecheck` writes it.
"""

import json
from functools import cache

import pytest

from tests.zoo import course, measure, racecheck
from tests.zoo.catalogue import ENTRIES, PLANTED
from tests.zoo.simulated import lines_found, trace_of

LEAST_PLANTED = 25
EVERY = pytest.mark.parametrize("planted", PLANTED, ids=[planted.name for planted in PLANTED])


@cache
def golden():
    return json.loads(racecheck.GOLDEN.read_text())


def reported(kernel):
    return golden()["reported"].get(f"planted:{kernel.__name__}")


def messages(trace):
    return [finding.message for finding in trace.findings]


@EVERY
def test_a_planted_race_is_found_on_exactly_its_lines(planted):
    trace = trace_of(planted.entry(planted.racy))

    assert planted.lines
    assert planted.lines == lines_found(trace), messages(trace)
    assert {"race"} == {finding.kind for finding in trace.findings}


@EVERY
def test_a_mended_kernel_is_clean(planted):
    assert [] == messages(trace_of(planted.entry(planted.mended)))


@EVERY
def test_lines_that_racecheck_reports_are_among_those_that_simt_names(planted):
    report = reported(planted.racy)
    if planted.beyond_racecheck:
        assert report is None, f"racecheck does see it: {planted.name} needs no excuse"
        return
    first = planted.racy.__code__.co_firstlineno
    named = {line - first + 1 for line in planted.lines}

    assert report is not None, "racecheck missed it: say why in beyond_racecheck"
    assert report["lines"] and all(set(pair) <= named for pair in report["lines"])


def test_racecheck_reported_nothing_on_a_correct_kernel():
    racy = {f"planted:{planted.name}" for planted in PLANTED}

    assert set() == set(golden()["reported"]) - racy


def test_racecheck_looked_at_every_kernel():
    expected = {
        "planted": [kernel.__name__ for planted in PLANTED for kernel in (planted.racy, planted.mended)],
        "zoo": [entry.name for entry in ENTRIES],
    }

    assert {part: sorted(names) for part, names in expected.items()} == {
        part: sorted(golden()["checked"][part]) for part in expected
    }


def test_racecheck_looked_at_every_kernel_of_the_course_and_at_none_that_it_no_longer_has():
    names, checked = {entry.name for entry in course.entries()}, set(golden()["checked"]["course"])

    assert set() == checked - names
    if names - checked:
        pytest.skip(f"needs a GPU, as in `python -m tests.zoo racecheck`: {', '.join(sorted(names - checked))}")


def test_memcheck_reported_nothing_on_any_kernel_of_the_course():
    record = json.loads(racecheck.MEMORY.read_text())
    names, checked = {entry.name for entry in course.entries()}, set(record["checked"]["course"])

    assert ({}, set()) == (record["reported"], checked - names)
    if names - checked:
        pytest.skip(f"needs a GPU, as in `python -m tests.zoo memcheck`: {', '.join(sorted(names - checked))}")


def test_races_are_many_and_their_names_unique():
    kernels = [kernel.__name__ for planted in PLANTED for kernel in (planted.racy, planted.mended)]

    assert LEAST_PLANTED <= len(PLANTED)
    assert len(kernels) == len(set(kernels))


@pytest.mark.gpu
def test_racecheck_of_this_machine_finds_a_planted_race_and_clears_the_mended_kernel():
    try:
        found = racecheck.check("reverse_")
    except measure.MeasuringError as error:
        pytest.skip(f"no racecheck here: {str(error).splitlines()[0]}")

    assert found["planted:reverse_racy"]
    assert [] == found["planted:reverse_mended"]


@pytest.mark.gpu
def test_memcheck_of_this_machine_finds_a_read_past_the_end():
    try:
        (text,) = racecheck.said(racecheck.MEMCHECK, "past_the_end")
    except measure.MeasuringError as error:
        pytest.skip(f"no memcheck here: {str(error).splitlines()[0]}")

    assert [] != racecheck.errors(text)["planted:past_the_end"]
