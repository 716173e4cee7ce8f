"""Which cells of a notebook can be drawn anew without a GPU, and which have lost what they show."""

import nbformat
import pytest

from tools.parts.task_cells import lacks_outputs, task_cells

CODE = nbformat.v4.new_code_cell


def test_a_cell_that_draws_or_predicts_can_run_alone_behind_the_line_that_names_its_exercise():
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        CODE('q = exercise("a.b")\nq.check(f).points'),
        CODE("q.predict(line=3)"),
        CODE('q = exercise("a.c")\nq.show()\nq.predict(index=4)'),
        CODE("q.show(f)"),
    ]

    assert [
        'q = exercise("a.b")\nq.predict(line=3)',
        'q = exercise("a.c")\nq = exercise("a.c")\nq.show()\nq.predict(index=4)',
    ] == [source for _, source in task_cells(notebook)]


@pytest.mark.parametrize(
    "source", ["print(1)", "for k in (1, 2):\n    q.show()", "try:\n    q.step(f)\nexcept E:\n    pass"]
)
def test_a_cell_that_shows_something_and_has_no_output_has_lost_it(source):
    assert lacks_outputs(CODE(source))


@pytest.mark.parametrize("source", ["def f():\n    print(1)", "x = 1\nkernel[1, 2](x)", "q.race(f).points"])
def test_a_cell_that_shows_nothing_or_needs_a_gpu_has_lost_nothing(source):
    assert not lacks_outputs(CODE(source))
