"""Lives of contexts, in processes that do nothing else, with calls that only take their time."""

import time

import pytest

pytest.importorskip("cuda.bindings")

from benchmarks import bench_contexts


class Driver:
    """Every call takes a millisecond and gives 1."""

    def __getattr__(self, name):
        def call(*_):
            time.sleep(1e-3)
            return 0, 1

        return call


def test_contexts_are_counted_while_all_are_at_work_and_calls_are_measured_beside_them(monkeypatch):
    monkeypatch.setattr(bench_contexts, "driver", Driver())
    monkeypatch.setattr(bench_contexts, "PROCESSES", 1)
    monkeypatch.setattr(bench_contexts, "LEAD_S", 0.05)

    found = bench_contexts.rate(["one", "two"], {}, 0.3)
    beside = bench_contexts.measured_calls("one", ["two"], 0.1)

    assert {"a_second", "init_ms", "make_ms", "fill_ms", "end_ms"} == set(found)
    assert found["a_second"] > 2 and found["make_ms"] >= 3.0, "it takes three calls"
    assert {"give and take 2 MiB", "copy 1 MiB"} == set(beside) and min(beside.values()) >= 1.0


def test_a_call_that_the_driver_refuses_is_told(monkeypatch):
    monkeypatch.setattr(bench_contexts, "driver", type("Refuses", (), {"cuInit": staticmethod(lambda _: (999,))}))

    with pytest.raises(RuntimeError, match="cuInit: 999"):
        bench_contexts.ask("cuInit", 0)
