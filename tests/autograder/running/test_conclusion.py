"""What the cases of a trial show together: which cause stands where several were found."""

from __future__ import annotations

from dataclasses import replace

from autograder import exercises
from autograder.answer.program import Program
from autograder.contract import Case
from autograder.diagnosis.room import DeviceRoom
from autograder.judge import check
from autograder.outcome import CaseResult
from autograder.repair import told
from autograder.running.conclusion import conclude
from autograder.running.session import Session
from autograder.running.trial_result import Trial
from simt.events import Finding
from tests.autograder.sample import HOST_ADD
from tools.check_exercises import solution_of

RACE = Finding(
    "race", "Thread 255 of block 0 writes out[255] at line 5 and thread 0 of block 1 reads it at line 6.", (5, 6)
)


def concluded(findings: list[Finding]) -> list[str]:
    """The kinds of causes of a trial whose cases are all right, each with the same room on the device."""
    cases = [Case({"n": n}) for n in (33, 257, 1023, 1025)]
    with Program("def host_add(a, b):\n    pass\n", "host_add").loaded() as (_, function):
        session = Session(HOST_ADD, function, lambda *_, **__: None, Trial("cuda"), Program("", "host_add"), 0.0)
        session.tried = cases
        session.trial.cases = [CaseResult(case.name, "cuda", "right") for case in cases]
        session.rooms = [DeviceRoom(1_200_000, 4 * case.sizes["n"], 3) for case in cases]
        session.findings, session.case_of = findings, {id(one): cases[1] for one in findings}
        conclude(session)
    return [cause.kind for cause in session.trial.causes]


def test_a_race_beside_right_results_keeps_its_cause_where_the_room_is_always_the_same_too():
    assert ["race"] == concluded([RACE])
    assert ["short_only"] == concluded([])


def test_a_function_that_launches_nothing_is_not_tried_with_long_arrays_for_the_sake_of_its_launches():
    inferring = exercises.find("engine_graph.infer_shapes")
    made = []

    def make(sizes, kind, rng):
        made.append(sizes["n_layers"])
        return inferring.make(sizes, kind, rng)

    outcome = check(replace(inferring, make=make), solution_of(inferring), device="simt", isolate=False)

    assert inferring.points == outcome.points
    assert max(case.sizes["n_layers"] for case in inferring.cases) == max(made)


def test_a_search_that_fails_leaves_the_verdict_and_says_so(monkeypatch):
    def fails(*_):
        raise SyntaxError("no expression")

    exercise = exercises.find("vector_add.vector_add")
    solution = solution_of(exercise)
    answer = replace(solution, source=solution.source.replace("a[i] + b[i]", "a[i] - b[i]"))
    monkeypatch.setattr(told, "in_view_of_repairs", fails)

    outcome = check(exercise, answer, device="simt", isolate=False)

    assert ("Wrong", 1) == (outcome.status, len(outcome.notes)), str(outcome)
    assert "SyntaxError: no expression" in outcome.notes[0]
