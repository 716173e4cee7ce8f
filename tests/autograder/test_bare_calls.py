"""A barrier or a wait without parentheses: the first cause of the race it leaves open, else a note."""

import pytest

from autograder.judge import check
from autograder.outcome import Cause, Passed, Wrong
from autograder.running.compiled import Compiled
from autograder.running.examine import Examination, interpret
from autograder.running.job import Job
from tests.autograder.answers import THREADS, add_by, block_sum_with, program
from tests.autograder.sample import ADD, BLOCK_SUM, HOST_ADD

pytest.importorskip("numba.cuda", reason="only the compiler's stage reads a kernel's source")

HOST = """
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]

def host_add(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    add[BLOCKS, THREADS](d_a, d_b, d_out)
    cuda.synchronize
    return d_out.copy_to_host()
"""
COMPARES = """
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] == a[i] + b[i]
"""
IN_EVERY_TURN = "        cuda.syncthreads()\n"


def judged(exercise, answer):
    return check(exercise, answer, device="simt", isolate=False)


def host(blocks: str):
    return program(HOST.replace("BLOCKS", blocks), "host_add")


def test_a_bare_barrier_is_the_first_cause_of_the_race_it_leaves_open():
    outcome = judged(BLOCK_SUM, block_sum_with(IN_EVERY_TURN, "        cuda.syncthreads\n"))
    assert (Wrong, "missing_barrier") == (type(outcome), outcome.misconception)
    assert ["bare_call", "race"] == [cause.kind for cause in outcome.causes]
    assert "Write cuda.syncthreads()." == outcome.causes[0].remedy
    assert not [note for note in outcome.notes if "parentheses" in note]


def test_the_picture_shows_the_race_and_not_the_bare_barrier():
    outcome = judged(BLOCK_SUM, block_sum_with(IN_EVERY_TURN, "        cuda.syncthreads\n"))
    assert f"q.show(line={outcome.causes[1].lines[0]})" in outcome.next_step


def test_a_bare_barrier_that_leaves_no_race_open_is_a_note():
    outcome = judged(ADD, add_by("a[i] - b[i]\n    cuda.syncthreads"))
    assert "subtracts" == outcome.misconception
    assert 1 == sum("`cuda.syncthreads` without parentheses" in note for note in outcome.notes)


def test_a_comparison_in_place_of_an_assignment_is_the_first_cause():
    outcome = judged(ADD, program(COMPARES, "add"))

    assert "dropped_value" == outcome.causes[0].kind
    assert "Write out[i] = a[i] + b[i]." == outcome.causes[0].remedy


def test_a_bare_wait_in_a_host_function_is_told_as_a_note():
    outcome = judged(HOST_ADD, host("math.ceil(a.size / THREADS)"))
    assert Passed is type(outcome)
    assert 1 == sum("`cuda.synchronize` without parentheses" in note for note in outcome.notes)


def test_a_host_function_that_launches_one_block_hears_how_far_one_block_reaches():
    outcome = judged(HOST_ADD, host("1"))
    assert "only_first_block" == outcome.misconception
    assert f"one block of {THREADS} threads, which covers only the first {THREADS} of 1,025" in outcome.causes[0].says
    assert "every block works on the same place" not in str(outcome)


@pytest.mark.parametrize(("kind", "blamed"), [("bare_call", ("bare_call",)), ("dropped_value", ())])
def test_an_endless_loop_tells_the_value_that_it_drops_and_leaves_the_blame_with_a_bare_barrier(kind, blamed):
    suspect, endless, race = (Cause(one, "", "", "") for one in (kind, "deadlock", "uninitialised_read"))
    settled = Compiled(suspects=(suspect,)).blamed_for([endless, race])

    assert blamed == tuple(cause.kind for cause in settled.causes)


def test_suspects_survive_the_way_from_the_child():
    answer = block_sum_with(IN_EVERY_TURN, "        cuda.syncthreads\n")
    examination = interpret(Job(BLOCK_SUM, answer, seconds=20.0), answer.load()[1])
    assert 1 == len(examination.compiled.suspects)
    assert examination.compiled == Examination.from_json(examination.to_json()).compiled
