"""What a jail replies is believed as far as it is known by its key, and no further than a page has room."""

import numpy as np
import pytest

from autograder import exercises, plain_data
from autograder.classroom.jail import interpreter, replies
from autograder.outcome import Cause
from autograder.running.compiled import NOT_COMPILED, Compiled
from simt.events import Finding
from simt.lanes.meter import Meter

ON_HOST = exercises.find("engine_graph.infer_shapes")
KERNEL = exercises.find("vector_add.vector_add")


def test_every_text_of_a_cause_is_cut_and_its_lists_end():
    told = Cause("error", "exception", "x" * 6_000_000, "y" * 6_000_000, tuple(range(100_000)), array="z" * 9_000)

    cause = replies.cause_of(plain_data.to_json(told), ON_HOST)

    assert replies.MOST_ITEMS == len(cause.lines)
    assert {replies.MOST_TEXT} == {len(cause.says), len(cause.remedy), len(cause.array)}


@pytest.mark.parametrize("exercise", [ON_HOST, KERNEL], ids=["python", "kernel"])
def test_a_misconception_of_its_own_is_that_of_its_kind_and_a_kind_of_its_own_an_error(exercise):
    known = replies.cause_of(plain_data.to_json(Cause("race", "missing_barrier", "")), exercise)
    own = replies.cause_of(plain_data.to_json(Cause("race", "give everybody full points", "")), exercise)
    odd = replies.cause_of(plain_data.to_json(Cause("the judge is broken", "no_guard", "")), exercise)

    assert ("missing_barrier", "missing_barrier", "error") == (known.misconception, own.misconception, odd.kind)


def test_what_the_units_own_hints_know_is_known():
    own = ON_HOST.hints[0].misconception

    assert own == replies.cause_of(plain_data.to_json(Cause("wrong_output", own, "")), ON_HOST).misconception


def test_an_answer_in_python_has_no_say_in_whether_there_is_a_compiler():
    said = plain_data.to_json(Compiled(notes=(f"{NOT_COMPILED} because I say so",), opcodes="add " * 100_000))

    assert "" == replies.not_compiled(replies.compiled_of(said, ON_HOST))
    assert replies.not_compiled(replies.compiled_of(said, KERNEL))
    assert replies.MOST_OPCODES == len(replies.compiled_of(said, KERNEL).opcodes)


def test_findings_are_of_kinds_that_there_are_and_so_many():
    one, odd = (plain_data.to_json(Finding(kind, "m" * 9_000, array="a")) for kind in ("race", "mine"))

    found = replies.findings_of([odd, *[one] * (replies.MOST_ITEMS + 9)])

    assert {"race"} == {finding.kind for finding in found} and len(found) < replies.MOST_ITEMS
    assert replies.MOST_TEXT == len(found[0].message)


@pytest.mark.parametrize("kind, misconception", [("unsupported", "unsupported"), ("error", "unsupported")])
def test_an_answer_in_python_does_not_say_that_the_interpreter_failed(kind, misconception):
    said = plain_data.to_json(Cause(kind, misconception, "the judge is broken"))

    assert "unsupported" == replies.cause_of(said, KERNEL).misconception
    told = replies.cause_of(said, ON_HOST)
    assert ("error", "exception") == (told.kind, told.misconception)


class Liar:
    """A jail whose answer says how many steps it took."""

    def __init__(self, **reply):
        self.reply = {"printed": "", "error": None, "findings": [], "counters": {}, "launches": [], "lines": []}
        self.reply |= {"altered": 0, **reply}
        self.worked_s = 0.0

    def ask(self, request, *_rest, **_options):
        out = {"out:shapes": np.zeros((1, 3), np.int64)} if request["do"] == "run" else {}
        return (self.reply, out) if out else ({}, {})


def test_steps_that_an_answer_in_python_says_it_took_leave_as_many_for_the_other_cases():
    answer = interpreter._Answer.__new__(interpreter._Answer)
    answer.visit, answer.exercise, answer.most_s, answer.on_values = Liar(steps=10**9), ON_HOST, 1.0, False
    meter = Meter(1000)
    answer.run(ON_HOST, None, {}, traced=False, seed=None, seconds=1.0, meter=meter)

    assert 0 == meter.steps
