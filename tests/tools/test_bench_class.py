"""The class that a benchmark invents: every answer is its own, and many GPUs share the work as they would."""

import json
import os
from dataclasses import replace
from types import SimpleNamespace

import pytest

from autograder import exercises
from autograder.classroom.sealed import fixing
from benchmarks import (
    bench_class,
    bench_sealed,
    class_on_gpus,
    class_page,
    invented_class,
    judging_parts,
    machine_at_work,
)
from benchmarks.class_on_gpus import Judged, Turn
from benchmarks.record import RESULTS
from benchmarks.tables import with_tables


def test_no_two_students_of_the_benchmark_hand_in_the_same_answer():
    tasks = invented_class.tasks_of("01_vector_add", 3)

    assert len({task.key for task in tasks}) == len(tasks) > 12
    assert {task.exercise for task in tasks} <= {each.id for each in exercises.units()["01_vector_add"]}


def test_simulated_gpus_take_the_next_answer_as_they_are_free():
    answers = [Judged(0, 0.0, 1.0, own_s=1.0, waited_s=0.0, alone_s=0.0, status="Passed")]

    assert 10.0 == class_on_gpus.simulated(answers, n_gpus=1, each=1, n_answers=10)
    assert 5.0 == class_on_gpus.simulated(answers, n_gpus=2, each=1, n_answers=10)
    assert 3.0 == class_on_gpus.simulated(answers, n_gpus=2, each=2, n_answers=10)


def test_simulated_answers_of_one_gpu_have_it_one_after_the_other_whatever_their_workers():
    answers = [Judged(0, 0.0, 3.0, own_s=1.0, waited_s=0.0, alone_s=2.0, status="Passed")]

    assert 9.0 == class_on_gpus.simulated(answers, n_gpus=1, each=4, n_answers=4)
    assert 5.0 == class_on_gpus.simulated(answers, n_gpus=2, each=4, n_answers=4)


def test_an_answer_under_way_when_the_clock_begins_or_ends_counts_for_the_part_that_was_done():
    before = Judged(0, -9.0, -3.0, 6.0, 0.0, 0.0, "Passed")
    quarter = Judged(1, -6.0, 2.0, 8.0, 0.0, 0.0, "Passed")
    done = Judged(2, 0.0, 6.0, 6.0, 0.0, 0.0, "Passed")
    half = Judged(3, 6.0, 14.0, 8.0, 0.0, 0.0, "Passed")

    assert 0.175 == class_on_gpus.rate([before, quarter, done, half], seconds=10.0)


def test_cores_at_work_are_what_was_computed_between_two_looks(tmp_path):
    stat, machine = tmp_path / "stat", machine_at_work.AtWork([])
    second = os.sysconf("SC_CLK_TCK")
    for at_s, busy_s in ((0.0, 10), (1.0, 14), (2.0, 22)):
        stat.write_text(f"cpu {busy_s * second} 0 0 {int(900 * at_s)} 5 0 0 {int(at_s) * second} 0 0\n")
        machine.looks.append(machine_at_work.Look(at_s, *machine_at_work.computed_s(stat), (300, 700), (0, 40)))

    seen = machine.between(0.5, 9.0)
    assert {"cores": 8.0, "cores_stolen": 1.0, "gpu_mib": 700, "gpu_busy": 0.4} == seen
    assert {} == machine.between(1.5, 9.0)


class EachAtOnce:
    """A cluster whose workers answer as soon as they are asked, in the order in which they are."""

    def __init__(self):
        self.given = []

    def submit(self, _judge, task, _drawn, key, workers, **_options):
        self.given.append((workers[0], task))
        said = {"own_s": 1.0, "waited_s": 0.0, "alone_s": 0.0, "parts": {}, "status": "Passed"}
        said = json.dumps(said).encode()
        return SimpleNamespace(key=key, status="finished", exception=lambda: None, result=lambda: said)


def test_each_gpu_is_given_the_same_answers_in_the_same_order(monkeypatch):
    import distributed

    class AsCompleted(list):
        add = list.append

        def __init__(self, futures, raise_errors):
            super().__init__(futures)

    monkeypatch.setattr(distributed, "as_completed", AsCompleted)
    ticking = iter(range(1000))
    monkeypatch.setattr(class_on_gpus.time, "monotonic", lambda: float(next(ticking)))
    tasks = [SimpleNamespace(to_bytes=lambda number=number: number) for number in range(100)]
    client = EachAtOnce()

    found = class_on_gpus.given_out(client, [["a", "b"], ["c", "d"]], tasks, seconds=10.0, drawn="turn 0")

    by_gpu = [[task for where, task in client.given if where in of_gpu] for of_gpu in ("ab", "cd")]
    assert list(range(len(by_gpu[0]))) == by_gpu[0] and len(by_gpu[0]) > 2
    assert by_gpu[0][: len(by_gpu[1])] == by_gpu[1] or by_gpu[1][: len(by_gpu[0])] == by_gpu[0]
    assert [(one.place, one.gpu) for one in found] == sorted((one.place, one.gpu) for one in found)


def test_each_gpu_has_as_many_cores_and_a_worker_computes_on_no_others(tmp_path):
    cores = sorted(os.sched_getaffinity(0))

    for core in range(8):
        place = tmp_path / f"cpu{core}" / "topology"
        place.mkdir(parents=True)
        (place / "physical_package_id").write_text("0\n")
        (place / "core_id").write_text(f"{core % 4}\n")

    assert [[0, 1, 2], [3, 4, 5]] == class_on_gpus.shares_of(range(7), 2, tmp_path / "nowhere")
    assert [[0, 4, 1, 5], [2, 6, 3, 7]] == class_on_gpus.shares_of(range(8), 2, tmp_path)
    try:
        class_on_gpus.held_to(cores[:1])
        assert {cores[0]} == os.sched_getaffinity(0)
    finally:
        class_on_gpus.held_to(cores)


def test_what_one_gpu_did_is_kept_although_the_others_never_had_their_turn(tmp_path, monkeypatch):
    done = Judged(0, 0.0, 5.0, 5.0, 0.0, 0.0, "Passed")

    def taken_away(*_):
        yield Turn(1, [done, done], 0.2, {"cores": 9.0, "gpu_mib": 7})
        raise RuntimeError("the machine is gone")

    kept = {}
    monkeypatch.setattr(bench_class.class_on_gpus, "measured", taken_away)
    monkeypatch.setattr(bench_class.class_on_gpus, "name_of_gpu", lambda: "a GPU")
    monkeypatch.setattr(bench_class.devices, "uuids", lambda: ["one", "two"])
    monkeypatch.setattr(bench_class.backend, "gpu_available", lambda: True)
    monkeypatch.setattr(bench_class, "record", lambda name, measured: kept.update({name: measured}))
    (tmp_path / "tasks").write_text("2.0\n")

    with pytest.raises(RuntimeError):
        bench_class.main(
            ["throughput", "--gpus", "2", "--seconds", "10", "--workers", "8", "--tasks", str(tmp_path / "tasks")]
        )

    assert {"1": {"cores": 9.0, "gpu_mib": 7}} == kept["class-on-1-gpus-8-workers"]["at_work"]
    assert {"1": 0.2} == kept["class-on-1-gpus-8-workers"]["answers_a_second"]


def test_turns_of_one_gpu_and_of_all_follow_each_other_and_the_record_has_their_means(monkeypatch):
    done = Judged(0, 0.0, 5.0, 5.0, 0.0, 0.0, "Passed")
    turns = [Turn(n, [done] * n, rate, {"cores": rate}) for n, rate in ((1, 1.0), (2, 1.8), (2, 2.0), (1, 0.9))]
    kept = {}
    monkeypatch.setattr(bench_class.class_on_gpus, "measured", lambda *_: iter(turns))
    monkeypatch.setattr(bench_class.class_on_gpus, "name_of_gpu", lambda: "a GPU")
    monkeypatch.setattr(bench_class.devices, "uuids", lambda: ["one", "two"])
    monkeypatch.setattr(bench_class, "_tasks", lambda asked: [])
    monkeypatch.setattr(bench_class, "record", lambda name, measured: kept.update({name: measured}))

    asked = SimpleNamespace(gpus=2, workers=4, seconds=10.0, turns=2, unit="06_reductions", answers_a_submission=2.0)
    name, found = bench_class.throughput(asked)

    assert "class-on-2-gpus-4-workers" == name and found == kept[name]
    assert {"1": 0.95, "2": 1.9} == found["answers_a_second"] and {"by_rate": 2.0} == found["speedup"]
    assert [[1, 1.0], [2, 1.8], [2, 2.0], [1, 0.9]] == found["turns"]
    assert {"1": 2, "2": 4} == found["answers"] and 0.95 == found["at_work"]["1"]["cores"]


def test_the_page_has_what_was_measured_and_says_what_was_only_simulated():
    text, table = class_page.PAGE.read_text(), class_page.table()

    assert text == with_tables(text, {"throughput": table}), "run `python -m benchmarks.class_page`"
    assert ["measured"] * 6 + ["simulated"] == [row.split(" | ")[-1].split()[0].strip(":") for row in table[2:]]


def test_agreement_that_is_cut_off_has_recorded_every_exercise_that_was_timed_before(monkeypatch):
    def cut_off(*_):
        yield {"exercise": "one"}
        raise KeyboardInterrupt

    kept = []
    monkeypatch.setattr(bench_sealed, "agreement", cut_off)
    monkeypatch.setattr(bench_sealed.backend, "gpu_available", lambda: True)
    monkeypatch.setattr(bench_sealed.timing, "profiled", lambda: SimpleNamespace(name="A GPU"))
    monkeypatch.setattr(bench_sealed, "record", lambda name, measured: kept.append((name, len(measured["rows"]))))

    with pytest.raises(KeyboardInterrupt):
        bench_sealed.main(["agreement", "one", "two"])

    assert [("sealed-agreement-a-gpu", 1)] == kept


def test_a_workers_own_seconds_are_told_by_the_stages_that_exist():
    with judging_parts.timed() as took:
        fixing.fix(replace(invented_class.tasks_of("01_vector_add", 1)[0], trusted=True))

    assert ["fixing"] == list(took)


def test_the_parts_of_answers_with_a_time_are_told_apart_from_the_others():
    timed = [Judged(0, 0.0, 6.0, own, 0.0, 1.0, "Passed, timed", {"fixing": own}) for own in (1.0, 3.0)]
    other = Judged(1, 0.0, 6.0, 1.0, 0.0, 0.0, "Wrong", {})

    found = bench_class._parts([*timed, other])

    assert {"own": 2.0, "waited": 0.0, "alone": 1.0, "fixing": 2.0} == found["timed"]
    assert {"own": 1.0, "waited": 0.0, "alone": 0.0} == found["others"]


def test_both_clocks_give_the_recorded_solutions_the_same_points_and_nearly_the_same_share_of_their_references():
    rows = json.loads((RESULTS / "sealed-agreement-nvidia-h200.json").read_text())["rows"]

    assert len(rows) == 5
    for row in rows:
        assert row["sealed"]["points"] == row["race"]["points"] == row["race"]["of"], row["exercise"]
        assert abs(row["sealed"]["ratio"] - row["race"]["ratio"]) < 0.01, row["exercise"]
