"""What the outputs of a cell are of: a stamp changes with what they follow from, and with nothing else."""

from __future__ import annotations

import nbformat
import pytest

from tools.parts import stamps
from tools.parts.units import ROOT

SETUP = "from autograder import exercise\nN = 4"
KERNEL = "def scale(dst):\n    i = 2\n    dst[i] = N"
ASKED = 'q = exercise("a.scale")'
SOURCES = (SETUP, KERNEL, "unused = 1", ASKED, "q.predict(line=3)", "q.check(scale).points", "print(unused)")
CHECK = 5
JUDGING = {"contracts.py": 'X = 1\n"""kept"""\n\n\ndef f():\n    """Told."""\n    return "#"  # one\n'}


def notebook(*sources: str):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Scale"), *cells])


def recorded(*sources: str):
    """A notebook whose cells all have an output and a stamp of one day."""
    found = notebook(*sources)
    for place, cell in enumerate(found.cells):
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="4")]
            stamps.stamp(found, place, JUDGING, "2026-11-20")
    return found


def changed(sources: tuple[str, ...], judging: dict[str, str]) -> dict[str, str]:
    """Which of the cells recorded as above are old once they have these sources, and why."""
    old = recorded(*SOURCES)
    for cell, source in zip(old.cells[1:], sources, strict=True):
        cell.source = source
    return {cell.source: why for cell, why in stamps.changed_since(old, judging)}


def with_one(place: int, source: str) -> tuple[str, ...]:
    return (*SOURCES[:place], source, *SOURCES[place + 1 :])


def test_a_check_follows_from_its_answer_its_constants_its_question_and_its_prediction():
    expected = {1, 2, 4, 5, 6}  # places, the title's being 0

    assert expected == stamps.depends_on(notebook(*SOURCES), CHECK + 1)


def test_a_cell_that_names_its_exercise_builds_on_no_other_that_does_but_on_its_prediction():
    other = "q = exercise('a.other')\nq.predict(line=1)"
    cells = (SETUP, "q = exercise('a.scale')\nq.predict(line=3)", other, "q = exercise('a.scale')\nq.check(1)")

    assert {1, 2, 4} == stamps.depends_on(notebook(*cells), 4)


def test_a_name_inside_a_function_is_none_of_the_notebook():
    assert {1, 2} == stamps.depends_on(notebook("def f():\n    i = 1", "i = 2\nprint(i)"), 2) | {1}
    assert {2} == stamps.depends_on(notebook("def f():\n    i = 1", "print(i)"), 2)


def test_what_is_recorded_today_is_not_old():
    assert {} == changed(SOURCES, JUDGING)


@pytest.mark.parametrize("place", [0, 1, 3, 4])
def test_a_check_is_old_once_a_cell_that_it_builds_on_changed(place):
    found = changed(with_one(place, SOURCES[place].replace("4", "5").replace("2", "3") + "  # other"), JUDGING)

    assert "its source or a cell it builds on" == found[SOURCES[CHECK]]


def test_a_cell_that_nothing_builds_on_makes_nothing_but_itself_and_its_reader_old():
    assert {"unused = 2", "print(unused)"} == set(changed(with_one(2, "unused = 2"), JUDGING))


def test_cells_that_ask_an_exercise_are_old_once_what_judges_them_changed():
    other = {"contracts.py": JUDGING["contracts.py"].replace("X = 1", "X = 2")}

    assert {ASKED, "q.predict(line=3)", SOURCES[CHECK]} == set(changed(SOURCES, other))
    assert {"what judges it"} == set(changed(SOURCES, other).values())


def test_comments_docstrings_and_empty_lines_of_a_judge_do_not_count():
    other = {"contracts.py": 'X = 1\n"""kept"""\n\ndef f():\n    """Told otherwise."""\n\n    return "#"\n'}

    assert {} == changed(SOURCES, other)


def test_an_output_without_a_stamp_is_told_and_a_cell_without_outputs_is_not():
    bare = notebook("print(1)", "x = 1")
    bare.cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text="1")]

    assert [("print(1)", "nobody knows: it has no stamp")] == [
        (c.source, why) for c, why in stamps.changed_since(bare, {})
    ]


def test_a_unit_is_judged_by_the_modules_of_its_folder_and_unit_00_by_its_one():
    assert {"start_here.py"} == set(stamps.judging_files("00_start_here"))
    assert {"__init__.py", "values.py", "slips.py"} < set(stamps.judging_files("12_matmul"))
    assert {} == stamps.judging_files("99_none", ROOT)


@pytest.mark.parametrize(
    ("first", "second", "behind"),
    [
        ("d = {k: k for k in range(2)}", "for k in d:\n    print(k)", {1, 2}),
        ("k = 3", "print([k for k in range(2)])", {2}),
        ("k = 3", "print([k for k in range(2)], k)", {1, 2}),
        ("d = [k for k in range(2)]\nk = 3", "print(k)", {1, 2}),
    ],
)
def test_what_lives_in_a_comprehension_is_none_of_the_notebook_in_any_version_of_python(first, second, behind):
    assert behind == stamps.depends_on(notebook(first, second), 2)
