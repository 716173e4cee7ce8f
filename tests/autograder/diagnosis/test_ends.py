"""What comes after a statement comes behind its last line."""

from autograder.answer.program import Piece
from autograder.diagnosis.ends import behind_whole_statements

SOURCE = "def f(a):\n    b = (\n        a,\n        a,\n    )\n    return b\n"


def test_what_stands_behind_a_line_stands_behind_its_whole_statement():
    says = behind_whole_statements(
        "Put cuda.syncthreads() after line 13, where every thread arrives.", Piece(SOURCE, "", 11)
    )

    assert "Put cuda.syncthreads() after line 15, where every thread arrives." == says


def test_a_line_of_its_own_and_one_of_another_cell_stay():
    for says in ("Put it after line 6.", "Put it after line 60.", "Put it before line 3."):
        assert says == behind_whole_statements(says, Piece(SOURCE, ""))


def test_what_is_no_python_is_left_alone():
    assert "after line 2" == behind_whole_statements("after line 2", Piece("def f(:", ""))
