"""What a verdict depends on is told by digests that change when it does, and only then."""

import subprocess
import sys
from dataclasses import replace

from autograder import exercises
from autograder.classroom.ledger import provenance
from autograder.machine.course_home import PACKAGES

BLEND = exercises.find("vector_add.blend")
SAY = "from tests.autograder.classroom.ledger.test_provenance import *; print(provenance.contract_digest(BLEND))"


def _twice(values):
    return _helper(values)


def _helper(values):
    return 2


def test_a_contract_has_one_digest_in_every_process_and_another_one_for_every_exercise():
    here = {exercise.id: provenance.contract_digest(exercise) for exercise in exercises.all_exercises()}
    there = subprocess.run([sys.executable, "-c", SAY], cwd=PACKAGES, capture_output=True, text=True, check=True).stdout

    assert here[BLEND.id] == there.strip()
    assert len(here) == len(set(here.values()))


def test_whatever_a_contract_asks_changes_its_digest_and_a_hint_does_not():
    digest = provenance.contract_digest(BLEND)

    assert digest != provenance.contract_digest(replace(BLEND, points=BLEND.points + 1))
    assert digest != provenance.contract_digest(replace(BLEND, cases=BLEND.cases[:-1]))
    assert digest != provenance.contract_digest(replace(BLEND, oracle=lambda values: {}))
    assert digest == provenance.contract_digest(replace(BLEND, hints=()))


def test_a_function_that_a_contract_s_function_calls_counts_as_well(monkeypatch):
    before = provenance.contract_digest(replace(BLEND, oracle=_twice))
    monkeypatch.setitem(_twice.__globals__, "_helper", lambda values: 3)

    assert before != provenance.contract_digest(replace(BLEND, oracle=_twice))


def test_what_judged_is_named_with_versions_and_device():
    made = provenance.made_with()

    assert {"judge", "python", "numpy", "numba", "numba-cuda", "device", "machine"} <= made.keys()
    assert all(made.values())
