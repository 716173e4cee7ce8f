"""q.solution() shows the course's own answer, and why it is right."""

from autograder import exercise, exercises
from autograder.answer import reference

ID = "vector_add.vector_add"


def test_the_solution_is_shown_without_its_markers(capsys):
    text = exercise(ID).solution()

    assert "def vector_add" in text
    assert "BEGIN SOLUTION" not in text


def test_a_solution_comes_with_the_reason_why_it_is_right(monkeypatch, capsys):
    monkeypatch.setattr(reference, "solution_source", lambda exercise: "def f(): pass")
    exercise(ID).solution()

    assert f"Why: {exercises.find(ID).why}" in capsys.readouterr().out


def test_without_the_solved_notebook_the_solution_says_where_it_would_come_from(monkeypatch, tmp_path):
    monkeypatch.setenv("WARPBOOK_SOLUTIONS", str(tmp_path))

    assert "is not here" in exercise(ID).solution()
