"""Planted kernels and the decisions on them, on the stand-in for a GPU: what a lease would find out first."""

import contextlib

import pytest

from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import timing
from benchmarks import bench_sealed
from tests.autograder.classroom.sealed import at_hand
from tests.autograder.classroom.sealed.test_timing import SMALL, TIMED

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


@pytest.mark.release
def test_both_planted_kernels_are_decided_on_each_time_and_no_contender_runs_on_inputs_that_it_was_not_given(
    monkeypatch,
):
    for name, value in {"EXERCISE": TIMED.id, "TIMES": 2, "SETTLING": 1, "KNOWN_ROUNDS": 2}.items():
        monkeypatch.setattr(bench_sealed, name, value)
    monkeypatch.setattr(bench_sealed, "Launcher", at_hand.launcher)
    monkeypatch.setattr(bench_sealed, "alone_on_the_gpu", lambda _: contextlib.nullcontext(0.0))
    monkeypatch.setattr(timing, "WARM_S", 0.0)
    once, asked = timing._Race._once, []
    monkeypatch.setattr(
        timing._Race, "_once", lambda race, name, number: asked.append((race, name, number)) or once(race, name, number)
    )

    rows = bench_sealed.decisions(SMALL)["rows"]

    assert set(bench_sealed.APART) == set(rows)
    assert [2, 2] == [sum(row["sides"].values()) for row in rows.values()]
    assert all(number < race.timed[name].n_sets for race, name, number in asked)
