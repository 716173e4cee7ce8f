"""A submission as text: from a live function, a file, a notebook; loaded so that its lines are found."""

import inspect
import json
import math
import traceback

import numpy as np
import pytest
from numba import cuda

import simt
from autograder.answer import cells
from autograder.answer.cells import program_of_exercise
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program, ProgramError
from tests.autograder.sample import ADD

SCALE = np.float32(2.5)
SHAPE = (16, 17)
TABLE = np.array([1, 2, 3], np.int32)
PLAIN, NOT_A_NUMBER = 3, float("nan")


def helper(x):
    return math.sqrt(x) * PLAIN


def answer(x):
    local = SHAPE[0] + TABLE[2]
    return helper(x) * SCALE + local


def reload(function):
    """The function as a fresh process would get it: text, through JSON."""
    return Program.from_json(json.loads(json.dumps(program_of(function).to_json()))).load()[1]


def test_a_function_travels_with_its_constants_modules_and_helpers():
    assert answer(4.0) == reload(answer)(4.0)


def test_numpy_scalars_keep_their_dtype():
    def scale():
        return SCALE

    assert isinstance(reload(scale)(), np.float32)


def test_nan_constants_survive():
    def constant():
        return NOT_A_NUMBER

    assert math.isnan(reload(constant)())


def test_closure_variables_travel():
    width = 7

    def inner():
        return width

    assert 7 == reload(inner)()


def test_local_names_are_not_mistaken_for_globals():
    def shadowed(helper):
        TABLE = helper
        return TABLE

    assert () == program_of(shadowed).setup


def test_lines_keep_their_numbers():
    program = program_of(helper)
    assert inspect.getsourcelines(helper)[1] == program.first_line
    function = program.load()[1]
    with pytest.raises(ValueError) as caught:
        function(-1.0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (program.first_line + 1, "return math.sqrt(x) * PLAIN") == (frame.lineno, frame.line)


def test_the_source_of_a_loaded_function_can_be_inspected():
    assert inspect.getsource(helper) == inspect.getsource(reload(helper))


def test_a_global_that_cannot_travel_is_named():
    handle = open

    def fine():
        return handle

    assert open is reload(fine)()
    unsendable = iter(())

    def broken():
        return unsendable

    with pytest.raises(ProgramError, match="`unsendable` is a tuple_iterator"):
        program_of(broken)


def test_kernels_travel_with_their_decorators_types_and_device_functions():
    numba = pytest.importorskip("numba")
    from tests.autograder import kernels_for_program

    program = program_of(kernels_for_program.tiled)
    namespace, kernel = program.load()
    assert type(kernels_for_program.tiled) is type(kernel)
    assert numba.float32 is namespace["float32"]
    assert "@cuda.jit" == program.source.splitlines()[0]


def _twice(x):
    return x + x


def _added(x, y):
    return x + y


plus = cuda.jit(device=True)(lambda x, y: x + y)
added = cuda.jit(device=True)(_added)
doubled = cuda.jit(_twice, device=True)


@cuda.jit
def with_helpers(x):
    x[0] = plus(added(x[0], x[1]), doubled(x[2]))


def test_device_functions_that_a_call_of_jit_made_travel_as_device_functions():
    space, kernel = program_of(with_helpers).load()
    x = np.array([1.0, 2.0, 3.0])
    simt.launch(kernel, 1, 1, x)

    assert 9.0 == x[0]
    assert kernel.py_func.__globals__["added"].targetoptions["device"]


def test_a_file_is_a_program(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import math\n\ndef add(a):\n    return math.floor(a)\n")
    assert 2 == Program.from_file(path, "add").load()[1](2.5)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ProgramError, match="nothing.py cannot be read"):
        Program.from_file(tmp_path / "nothing.py", "add")


def test_a_file_without_the_function_says_which_name_to_use(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n")
    with pytest.raises(ProgramError, match="defines no function named 'add'"):
        Program.from_file(path, "add").load()


def test_a_syntax_error_is_told_with_its_line():
    with pytest.raises(ProgramError, match="Line 12 is not Python"):
        Program("def add(:\n    pass\n", "add", first_line=12).load()


def code(source, grade_id=None, tags=()):
    """One notebook cell."""
    metadata = {"tags": list(tags)}
    if grade_id:
        metadata["nbgrader"] = {"grade_id": grade_id, "solution": not grade_id.endswith("_check"), "grade": False}
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "metadata": metadata}


@pytest.fixture
def notebook(tmp_path):
    """Writes a notebook of the given cells."""

    def write(*cells_of_it):
        path = tmp_path / "unit.ipynb"
        path.write_text(json.dumps({"cells": list(cells_of_it), "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
        return path

    return write


def test_an_exercise_is_its_setup_and_its_own_cell_of_a_notebook(notebook):
    path = notebook(
        code("%matplotlib inline\nK = 3\n", tags=["setup"]),
        code("raise SystemExit\n"),
        code("def add(a, b, out):\n    return K\n", "add"),
        code("q.check(add).points\n", "add_check"),
    )
    program = program_of_exercise(path, ADD)
    assert 3 == program.load()[1](0, 0, 0)
    assert program.source.startswith("def add")


def test_two_cells_with_one_id_are_refused(notebook):
    path = notebook(code("def add(): pass", "add"), code("def add(): pass", "add"))
    with pytest.raises(ProgramError, match="2 cells for `add`"):
        program_of_exercise(path, ADD)


def test_a_missing_cell_is_told(notebook):
    with pytest.raises(ProgramError, match="no cell for `add`"):
        program_of_exercise(notebook(code("x = 1")), ADD)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3}', '{"cells": [1]}', "\x00"])
def test_a_notebook_that_is_none_is_refused_and_not_believed(tmp_path, text):
    path = tmp_path / "unit.ipynb"
    path.write_text(text)
    with pytest.raises(ProgramError, match="cannot be read as a notebook"):
        program_of_exercise(path, ADD)


SOLUTION = """def add(a, b, out):
    # about 1 line
    ### BEGIN SOLUTION
    return K
    ### END SOLUTION
"""


def test_a_released_solution_raises_where_the_solution_was():
    released = cells.released_source(SOLUTION)
    assert "    raise NotImplementedError()\n" in released
    assert "return K" not in released and "SOLUTION" not in released
