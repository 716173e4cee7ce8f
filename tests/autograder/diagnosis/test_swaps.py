"""Which loop it is whose swaps lose again and again."""

from autograder.answer.program import Program
from autograder.diagnosis.advice.swaps import retried_cell

SOURCE = """@cuda.jit
def count(src, hist):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        seen = hist[src[i]]
        while True:
            found = cuda.atomic.cas(hist, src[i], seen, seen + 1)
            if found == seen:
                break
            seen = found
"""


def test_the_loop_that_tries_is_named_wherever_the_work_was_stopped():
    program = Program(SOURCE, "count")

    assert ("hist", 5) == retried_cell(program, 3) == retried_cell(program, 5)


def test_a_loop_without_a_swap_and_one_that_waits_for_a_lock_try_nothing_again():
    waits = Program(SOURCE.replace("seen, seen + 1", "0, 1"), "count")

    assert ("", 0) == retried_cell(waits, 5) == retried_cell(Program(SOURCE, "count"), 4)
