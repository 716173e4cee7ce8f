"""A program that takes long is not silent: which launch it has come to is told on stderr."""

import io
import sys

import numpy as np
import pytest

from autograder.programs.still_running import ADVICE, SAMPLE, StillRunning
from simt.cuda_api import cuda
from simt.programs.places import LinesSeen
from simt.programs.session import Session


@cuda.jit
def spin(out, turns):
    for _ in range(turns):
        out[cuda.grid(1)] += 1


def test_a_long_launch_is_named_with_its_line_and_advice_is_given_once():
    out = io.StringIO()
    with Session():  # compiled beforehand: until a launch runs, nobody knows how many blocks it has
        spin[2, 32](np.zeros(64), 1)
    with Session() as session, StillRunning(session, out, first_s=0.02):
        line = sys._getframe().f_lineno + 1
        spin[2, 32](np.zeros(64), 1500)

    first, *others = out.getvalue().splitlines()
    assert first.startswith("warpbook: after 0 s in launch 1, spin[2, 32], launched at ")
    assert f"test_still_running.py:{line}" in first
    assert " of 2 blocks " in out.getvalue() and "the last access was at line 18" in out.getvalue()
    assert ADVICE.format(sample=SAMPLE) in first
    assert not any("smaller problem" in line for line in others)


def test_a_sample_is_not_offered_where_there_is_one_block_to_run():
    out = io.StringIO()
    with Session() as session, StillRunning(session, out, first_s=0.02):
        spin[1, 32](np.zeros(64), 1500)

    assert "smaller problem" in out.getvalue() and "--sample" not in out.getvalue()


def test_a_short_program_is_left_alone():
    out = io.StringIO()
    with Session() as session, StillRunning(session, out):
        spin[2, 32](np.zeros(64), 5)

    assert ("", None) == (out.getvalue(), session.under_way())


def test_what_an_interrupted_launch_did_until_then_is_told(monkeypatch):
    @cuda.jit
    def race(out):
        out[0] = cuda.grid(1)
        out[1] += 1

    def stop_at_loads(self, event):
        if event.kind == "load":
            raise KeyboardInterrupt

    monkeypatch.setattr(LinesSeen, "access", stop_at_loads)
    with Session() as session, pytest.raises(KeyboardInterrupt):
        race[1, 64](np.zeros(2))

    assert ["race"] == [report.kind for report in session.findings]
    assert ["race was interrupted: what it would have done next was not looked at"] == list(session.remarks)
