"""How much a core computes while others do, too."""

import os

import pytest

from benchmarks import bench_cores


def test_each_process_on_a_core_says_what_it_did():
    core = sorted(os.sched_getaffinity(0))[0]

    shared = bench_cores.rates(bench_cores.computes, [core] * 3, seconds=0.1)

    assert 3 == len(shared) and all(rate > 0 for rate in shared)


@pytest.mark.release
def test_all_kinds_are_recorded_for_all_groups_of_cores(monkeypatch):
    kept = {}
    monkeypatch.setattr(bench_cores, "record", lambda name, measured: kept.update({name: measured}))

    assert 0 == bench_cores.main(["--seconds", "0.02"])

    assert {"computes", "copies"} == set(kept["cores"]["share_of_one_alone"])
    assert all(shares["one"] == 1.0 and len(shares) == 4 for shares in kept["cores"]["share_of_one_alone"].values())
