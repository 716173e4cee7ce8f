"""Answers that are alike are found whatever their names and layout; what the exercise makes alike is not counted."""

import json
import sys

import pytest

from autograder import exercises
from autograder.classroom.alike import likeness
from autograder.classroom.alike.likeness import Answer
from autograder.classroom.pages import side_by_side, verdict
from autograder.cli import main
from autograder.outcome import Passed
from benchmarks import similarity
from tests.autograder.classroom.test_pages import HOSTILE, _Tags, judged

SOLUTION = """@cuda.jit
def scale(factor, src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = factor * src[i]
"""
ODD = """@cuda.jit
def scale(factor, src, dst):
    first = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    step = cuda.gridDim.x * cuda.blockDim.x
    for place in range(first, dst.shape[0], step):
        value = src[place]
        value = value * factor
        dst[place] = value + 0.0
"""
RENAMED = '''@cuda.jit
def scale(factor, src, dst):
    """My own idea."""
    t = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x  # thread
    n = (cuda.gridDim.x *
         cuda.blockDim.x)
    for k in range(t, dst.shape[0], n):
        x = src[k]
        x = x * factor
        dst[k] = x + 0.0
'''
OTHER = """@cuda.jit
def scale(factor, src, dst):
    i = cuda.grid(1)
    while i < len(dst):
        dst[i] = src[i] * factor
        i += cuda.gridsize(1)
"""
MOST_CALLS = 10_000_000  # and returns; the longest of those tried makes a quarter of them


WITH_A_HELPER = """@cuda.jit(device=True)
def part(k, by):
    return by * k + 0.0

@cuda.jit
def scale(factor, src, dst):
    step = cuda.gridDim.x * cuda.blockDim.x
    start = cuda.threadIdx.x + cuda.blockDim.x * cuda.blockIdx.x
    for place in range(start, dst.shape[0], step):
        value = src[place]
        dst[place] = part(value, factor)
"""
IN_ONE = """@cuda.jit
def scale(factor, src, dst):
    first = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    n = cuda.gridDim.x * cuda.blockDim.x
    for k in range(first, dst.shape[0], n):
        x = src[k]
        dst[k] = x * factor + 0.0
"""


def pairs(*sources, solution=SOLUTION):
    answers = [Answer(f"s{n}", "90_tiny", "tiny.scale", source) for n, source in enumerate(sources)]
    return likeness.alike(answers, {"tiny.scale": solution})


def test_a_helper_and_another_order_of_statements_and_operands_hide_nothing():
    (pair,) = pairs(IN_ONE, OTHER, WITH_A_HELPER, SOLUTION)

    assert ("s0", "s2") == (pair.one.student, pair.other.student)
    assert 1.0 == pair.share


@pytest.mark.parametrize(
    "source",
    [
        "\n".join(f"a{n} = {n}" for n in range(1500)),
        "def h(x):\n    return x + x + x + x\ny = " + "h(" * 60 + "1" + ")" * 60,
        "def h(x):\n    return " + " + ".join("x" * 300) + "\ny = " + " + ".join(["h(1)"] * 900),
    ],
)
def test_what_is_written_to_keep_the_comparison_busy_does_not(source):
    calls = 0

    def count(*_) -> None:
        nonlocal calls
        calls += 1
        assert calls < MOST_CALLS  # without a limit on helpers it would never end

    sys.setprofile(count)
    try:
        likeness.grams(source)
    finally:
        sys.setprofile(None)


def test_another_one_s_answer_under_other_names_is_found():
    (pair,) = pairs(ODD, OTHER, RENAMED, SOLUTION)

    assert ("s0", "s2") == (pair.one.student, pair.other.student)
    assert 1.0 == pair.share
    assert not pair.to_the_letter
    assert {3, 4, 5, 6, 7, 8} <= pair.lines[0]


def test_a_line_put_in_between_hides_nothing():
    padded = RENAMED.replace("    n = (", "    unused = 7\n    n = (")

    (pair,) = pairs(ODD, padded)

    assert pair.share > 0.8


def test_the_solution_s_shape_and_what_many_have_tell_nobody_from_anybody():
    assert [] == pairs(SOLUTION, SOLUTION.replace("i", "j"), OTHER)
    assert [] == pairs(*[ODD] * (likeness.COMMON_LEAST + 1))


@pytest.mark.parametrize("identifier", ["reductions.block_sum_sequential", "indexing.split_channels"])
def test_a_copy_in_disguise_is_found_by_text_and_machine_code_and_honest_answers_are_not(identifier):
    pytest.importorskip("numba.cuda")
    honest, copies = similarity.pairs_of(exercises.find(identifier), most=2)

    assert [True, True] == [pair.listed for pair in copies]
    assert [False] == [pair.listed for pair in honest]
    assert any(pair.compiled is not None and pair.compiled > 0.8 for pair in copies)


TOLD_APART_BY_FOUR_LINES = ["matmul.matmul_ring", "copies_after_the_products", "three_names_for_three_stages"]


def test_under_these_thresholds_no_pair_of_the_catalogue_was_listed_that_differs_in_more_than_a_few_lines():
    recorded = json.loads(similarity.RESULTS.read_text())

    assert recorded["thresholds"] == {name: getattr(likeness, name.upper()) for name in recorded["thresholds"]}
    assert [TOLD_APART_BY_FOUR_LINES] == recorded["honest_listed"]
    assert recorded["honest"]["pairs"] > 800
    assert recorded["copies"]["listed"] > 0.9 * recorded["copies"]["pairs"]


def test_what_only_the_text_has_alike_is_not_listed_where_the_machine_code_differs():
    assert likeness.is_alike(0.95, 30, None)
    assert likeness.is_alike(0.7, 30, 1.0)
    assert not likeness.is_alike(0.6, 30, 1.0)
    assert not likeness.is_alike(0.95, 30, 0.2)
    assert likeness.is_alike(1.0, 30, 0.2)
    assert not likeness.is_alike(1.0, 3, 1.0)


def test_one_student_is_not_alike_to_themselves():
    answers = [Answer("s", unit, "tiny.scale", ODD) for unit in ("a", "b")]

    assert [] == likeness.alike(answers, {})


@pytest.mark.parametrize(
    "source", ["def (", "x = " + "-" * 15_000 + "1", "(" * 5_000, "\0", "x" * 10**6, "", "é = '\u2028'"]
)
def test_what_is_no_python_is_alike_to_nothing(source):
    assert [] == pairs(source, source, solution="")


def test_the_pages_show_both_and_nothing_typed_becomes_markup(tmp_path):
    hostile = ODD.replace("@cuda", f"# {HOSTILE}\n@cuda")
    found = pairs(hostile, RENAMED)

    path = side_by_side.write(tmp_path, found)

    assert "side by side" in path.read_text()
    beside = (tmp_path / "similarity" / "000.html").read_text()
    assert "no proof" in beside and "alike" in beside
    assert "img" not in _Tags(beside).found


def test_the_command_reads_the_verdicts_of_a_class(unit, tmp_path, capsys):
    for student, source in (("ada", ODD), ("bo", RENAMED)):
        verdict.save(
            tmp_path / "verdicts", judged(unit, student, scale=source, first=Passed("tiny.scale", 4.0, 4.0, ""))
        )

    assert 0 == main(["similar", "--out", str(tmp_path)])

    assert "answers that are alike: 1." in capsys.readouterr().out
    assert 2 == main(["similar", "--out", str(tmp_path / "elsewhere")])


def test_a_copy_with_a_long_comment_and_blank_lines_is_found_and_one_with_too_much_code_is_listed():
    padded = RENAMED + "# why\n" * 4_000 + "\n" * 20_000
    stuffed = RENAMED + "x = 1\n" * likeness.MOST_NODES
    answers = [
        Answer(name, "90_tiny", "tiny.scale", text) for name, text in (("ada", ODD), ("bo", padded), ("cy", stuffed))
    ]

    pairs = likeness.alike(answers, {"tiny.scale": SOLUTION})

    assert [("ada", "bo")] == [(pair.one.student, pair.other.student) for pair in pairs]
    assert ["cy"] == [answer.student for answer in likeness.not_compared(answers)]
    assert "cy: tiny.scale" in side_by_side.list_page(pairs, 1, likeness.not_compared(answers))
