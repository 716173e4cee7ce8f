"""Host functions whose memory no record shows are judged on their values, where their text can reach nothing else."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.classroom import course
from autograder.classroom.jail import host_in_place
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.judging import judged
from autograder.classroom.reading.scope import NotAllowed
from autograder.classroom.wire import Task
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for
from autograder.outcome import NotCheckable, Wrong
from tests.part import a_part
from tools.check_exercises import solution_of

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
NOT_RECORDED = (
    "streams.two_buffers streams.shared_job memory_kinds.few_of_many memory_kinds.in_rounds performance.time_launches"
).split()
SHARED_JOB = exercises.find("streams.shared_job")


def in_class(exercise) -> Program:
    """The course's own answer as a class reads it: after the unit's setup, which is trusted."""
    program = solution_of(exercise)
    known = {piece.source for piece in course.unit(exercise.unit).setup}
    setup = tuple(piece for piece in program.setup if piece.source not in known and not piece.trusted)
    return replace(program, setup=(*course.unit(exercise.unit).setup, *setup))


def holding(line: str) -> Program:
    """An answer with one line more."""
    program = in_class(SHARED_JOB)
    return replace(program, source=program.source.replace("    cut = ", f"    {line}\n    cut = ", 1))


@needs_jail
@pytest.mark.parametrize("identifier", NOT_RECORDED)
def test_no_honest_answer_waits_for_a_person(identifier):
    exercise = exercises.find(identifier)

    found = judged(Task(identifier, in_class(exercise), host=True, secret="any"))

    assert exercise.points == found.points, str(found)


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "x.ctypes",
        "x.__array_interface__",
        "x.base",
        "cuda.launch",
        "cuda.current_context()",
        "scale.py_func",
        "exercise('streams.shared_job')",
        "getattr(x, 'size')",
        "eval('1')",
        "open('/etc/passwd')",
        "globals()",
        "np.load('x')",
        "np.lib.stride_tricks",
        "np.ndarray",
        "[c for c in ().__class__.__mro__]",
        "[0 for open in ()]; open('/etc/passwd')",
        "[0 for exercise in ()]; exercise('streams.shared_job')",
        "[0 for np in ()]; np.load('x')",
        "def f(open): pass\n    open('/etc/passwd')",
        "def f():\n        import os",
        "def f():\n        return x.base",
        "@print\n    def f(): pass",
        "@cuda.jit\n    def f(y): y.base",
        "f = lambda: 0",
        "class C: pass",
        "global scale",
        "x.size = 3",
        "del x",
        "'{0.base}'.format(x)",
        "(lambda: 0)()",
        "yield x",
        "simt = 0; import simt",
        "with open('x') as f: pass",
        "type(x)",
    ],
)
def test_text_that_could_reach_what_runs_it_is_taken_by_nobody(line):
    with pytest.raises(NotAllowed):
        host_in_place.taken(holding(line))


@needs_jail
def test_such_an_answer_is_for_review_with_what_it_holds():
    found = judged(Task(SHARED_JOB.id, holding("import os"), host=True))

    assert isinstance(found, NotCheckable) and 0 == found.points
    assert "an import inside host code" in found.observed and "instructor" in found.observed


@needs_jail
def test_what_computes_everything_on_the_host_earns_nothing():
    program = in_class(SHARED_JOB)
    cheat = replace(program, source=program.source.split("    cut = ")[0] + "    out[:] = 2 * x + 1\n")

    found = judged(Task(SHARED_JOB.id, cheat, host=True, secret="any"))

    assert isinstance(found, Wrong) and 0 == found.points, str(found)


ANSWERS = [(one, answer) for one in map(exercises.find, NOT_RECORDED) for answer in answers_for(one)]


@needs_jail
@pytest.mark.parametrize("one", a_part(ANSWERS, 12, named=lambda one: f"{one[0].function}-{one[1].name}"))
def test_answers_that_people_write_are_judged_by_the_machine_and_only_right_ones_are_right(one):
    exercise, answer = one
    source = cell_of(answer, tuple(piece.source for piece in course.unit(exercise.unit).setup))

    found = judged(Task(exercise.id, replace(in_class(exercise), source=source), host=True, secret="any"))

    assert ("Passed" == answer.outcome) == found.passed, str(found)
    assert not isinstance(found, NotCheckable), str(found)


@needs_jail
def test_an_input_that_is_copied_by_hand_is_told_by_its_values_where_a_record_cannot_follow_it():
    exercise = exercises.find("streams.two_buffers")
    (answer,) = [one for one in answers_for(exercise) if one.name == "waits_for_the_buffers_own_stream"]
    few = replace(exercise, cases=exercise.cases[:1])

    found = judged(Task(exercise.id, replace(in_class(exercise), source=cell_of(answer, ())), host=True), few)

    assert found.passed, str(found)
