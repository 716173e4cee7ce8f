"""The library's time beside each rung of unit 12: the same call in every process, so one that stalled is seen."""

from __future__ import annotations

from benchmarks.bench_matmul import settle


def row(library_ms: float | None, inputs: str = "float32") -> dict:
    return {"inputs": inputs, "square": {"library_ms": library_ms, "ms": 3.0}}


def test_a_library_that_waited_for_a_busy_host_is_given_the_median_and_keeps_what_was_measured():
    rows = [row(2.7), row(5.27), row(2.72), row(0.18, "float16"), {"failed": "no memory", "inputs": "float32"}]
    settle(rows)

    assert [2.7, 2.72, 2.72, 0.18] == [each["square"]["library_ms"] for each in rows[:4]]
    assert 5.27 == rows[1]["square"]["library_stalled_ms"]
    assert ["library_stalled_ms" in each["square"] for each in rows[:4]] == [False, True, False, False]


def test_a_library_that_has_no_such_sizes_is_left_alone():
    rows = [row(None), row(2.7)]
    settle(rows)

    assert None is rows[0]["square"]["library_ms"]
