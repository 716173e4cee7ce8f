"""Which single edits an answer gets: those that a program can have, and none that only take the search's time."""

import ast
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.repair.edits import Text
from autograder.repair.left_out import edits_with, unread, whole_numbers
from autograder.repair.names import Names
from autograder.repair.search import edits_of
from autograder.repair.single.statements import statement_edits
from autograder.repair.single.together import together_edits
from tests.autograder.diagnosis.test_told_remedies import outcome_of
from tools.check_exercises import solution_of

KERNEL = """
@cuda.jit(device=True)
def f(src, n):
    total = float32(0)
    top, place = -math.inf, 0
    for c in range(cuda.threadIdx.x, n, 32):
        x = src[c]
        half = x / 2 + total
        total += half
        place = c
    last = place + 1
    return total
"""


def function_of(source: str) -> tuple[Text, ast.FunctionDef]:
    text = Text(source)
    return text, next(node for node in text.tree.body if isinstance(node, ast.FunctionDef))


def becoming(edits) -> list[str]:
    return [" ".join(edit.becomes.split()) for edit in edits]


def test_a_name_is_a_fraction_where_it_is_set_to_one():
    names = Names(function_of(KERNEL)[1])

    assert {"total", "half", "top"} == names.fractions
    assert ["n", "place", "src", "top", "total"] == names.set_before(names.first, 6)
    assert ["place"] == names.alike("c", ["total", "place"])


def test_no_edit_reads_a_name_before_it_is_set_or_takes_a_fraction_for_an_index():
    program = replace(solution_of(exercises.find("warps.pack_bits")), source=KERNEL, function="f")
    made = becoming(edits_of(program))

    assert "x = src[place]" in made
    assert not [one for one in made if any(wrong in one for wrong in ("src[last", "src[total", "src[top", "src[half"))]
    assert not [one for one in made if "range(cuda.threadIdx.x, last" in one or "range(cuda.threadIdx.x, c," in one]


def test_a_number_that_is_written_out_is_not_left_out():
    numbers = whole_numbers(["WARP = 32\nTHREADS, WARPS = 128, 4\nSCALE = float32(2)", "not python ("])
    solution = KERNEL.replace("32)", "WARP)").replace("x / 2", "x / THREADS")

    assert {"WARP": 32, "THREADS": 128, "WARPS": 4} == numbers
    assert ("THREADS",) == unread(KERNEL, solution, numbers)


def test_what_is_left_out_is_joined_to_numbers_alone():
    made = becoming(edits_with(Text(KERNEL), ["SIDE"]))

    assert "half = x / 2 + (total * SIDE)" in made
    assert not [one for one in made if one.startswith("@") or "(cuda * SIDE" in one or "(range" in one]


@pytest.mark.parametrize(
    ("lines", "becomes"),
    [
        (["a = b", "b = a + b"], "a, b = b, a + b"),
        (
            ["v[0, j] = v[0, j] - v[2, j]", "v[2, j] = v[2, j] - v[0, j]"],
            "v[0, j], v[2, j] = v[0, j] - v[2, j], v[2, j] - v[0, j]",
        ),
    ],
)
def test_lines_that_need_one_another_as_they_were_are_done_at_once(lines, becomes):
    body = "\n".join(f"    {line}" for line in lines)
    made = [
        edit for edit in together_edits(*function_of(f"def f(a, b, v, j):\n{body}\n")) if edit.kind == "overwritten"
    ]

    assert [becomes] == becoming(made)


def test_a_line_moves_behind_the_condition_that_changes_what_it_reads():
    source = (
        "def f(w, total, acc, seen):\n    total += w\n    acc *= 2\n    if not seen:\n        w = 0\n    return total\n"
    )
    made = [edit.source for edit in together_edits(*function_of(source)) if edit.kind == "later"]

    assert any(ast.unparse(ast.parse(one)).endswith("w = 0\n    total += w\n    return total") for one in made)


def test_a_guard_names_every_index_that_needs_one():
    """A condition on one of two indices does not help, and one on both does: it is both that are asked for."""
    told = outcome_of("convolution.conv_direct", [("r >= 0 and r < n_rows and c >= 0 and c", "r < n_rows and c")])

    assert "Guard the line: it may only run where `r >= 0` and `c >= 0`." in " ".join(str(told).split())


def test_a_name_is_exchanged_wherever_a_line_reads_it():
    source = "def f(p, n_rows, n_cols):\n    row, col = p // n_rows, p % n_rows\n    return row, col\n"
    made = [edit for edit in together_edits(*function_of(source)) if edit.kind == "name_everywhere"]

    assert "row, col = p // n_cols, p % n_cols" in becoming(made)


def test_conditions_beside_one_another_become_one_chain():
    source = (
        "def f(op, v):\n    if op == 0:\n        v += 1\n    if op == 1:\n        v += 2\n    else:\n        v = 0\n"
    )
    (made,) = [edit for edit in together_edits(*function_of(source)) if edit.kind == "one_of"]

    assert "elif op == 1:" in made.becomes and made.source.count("elif") == 1


def test_what_is_asked_once_is_asked_again_and_again():
    source = "def f(host, queue):\n    if not queue:\n        host.wait()\n    return queue.pop()\n"
    made = [edit for edit in statement_edits(*function_of(source)) if edit.kind == "again"]

    assert ["while not queue:"] == becoming(made)
