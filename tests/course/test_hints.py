"""Hints: every mistake has a ladder of four steps, the most particular one; a file that is wrong says where."""

import ast
import builtins
import re

import pytest

from autograder import exercises
from autograder.exercises import hints
from autograder.exercises.catalogue import answers_for
from autograder.exercises.hints import COMMON, HintsError, ladder_for, ladders_of, with_hints

ALL = exercises.all_exercises()
UNITS = sorted(COMMON.parent.glob("u*/hints.md"))
SOLUTIONS = COMMON.parents[2] / "solutions"
HOLES = (  # what a skeleton leaves out, and what stands for it when it is read as Python
    (re.compile(r"^( *)(else|elif)\b", re.DOTALL), r"\1if ...:\n\1    ...\n\1\2"),  # the rest of an `if`
    (re.compile(r"^( *)\.\.\. = ", re.MULTILINE), r"\1_ = "),
    (re.compile(r"\bfor \.\.\.:"), "for _ in ...:"),
    (re.compile(r"\bdef \.\.\.(\(.*\))?:"), "def _():"),
    (re.compile(r"(@[^\n]*)\Z"), r"\1\ndef _(): ..."),
)
SECOND_SENTENCE = re.compile(r"[.?!] (?=[A-Z`])")
ONE = exercises.find("vector_add.blend")


def read(tmp_path, text):
    """The ladders of a file with this text."""
    path = tmp_path / "hints.md"
    path.write_text(text)
    return ladders_of(path)


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_every_catalogued_mistake_has_a_ladder(exercise):
    mistakes = {answer.misconception for answer in answers_for(exercise) if answer.misconception}

    assert set() == mistakes - {hint.misconception for hint in exercise.hints}


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_every_ladder_has_four_steps_and_every_exercise_one_to_start_with(exercise):
    assert "start" in {hint.misconception for hint in exercise.hints}
    assert [] == [hint.misconception for hint in exercise.hints if len(hint.ladder) != 4]


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_who_asks_for_a_start_is_led_to_this_exercise_and_no_other(exercise):
    start = {hint.misconception: hint.ladder for hint in exercise.hints}["start"]
    others = [other for other in ALL if other.id != exercise.id]
    assert [] == [other.id for other in others if any(start == hint.ladder for hint in other.hints)]


def test_an_exercises_own_ladder_goes_before_the_common_one():

    ladder = ladder_for(ONE, "float64_arithmetic")
    (common,) = (each.hint for each in ladders_of(COMMON) if each.misconception == "float64_arithmetic")

    assert common != ladder
    assert ladder in ONE.hints


def test_sentences_on_lines_of_their_own_are_one_step_and_the_skeleton_keeps_its_lines(tmp_path):
    text = (
        "# Hints\n\n## no_guard\n\n1. How many?\n   Count them.\n2. Spare.\n\n```python\nif i < n:\n\n    # here\n```\n"
    )

    (ladder,) = read(tmp_path, text)

    assert ("How many? Count them.", "Spare.", "if i < n:\n\n    # here") == ladder.hint.ladder
    assert ((), 3) == (ladder.exercises, ladder.line)


def test_an_exercises_ladder_goes_before_its_units(tmp_path):
    module = tmp_path / "__init__.py"
    read(tmp_path, "# Hints\n\n## start\n\n1. For all.\n\n# blend\n\n## start\n\n1. For blend.\n")

    (found,) = with_hints(str(module), ONE)

    assert ("For blend.",) == found.hints[0].ladder
    assert len(found.hints) == len({hint.misconception for hint in found.hints})


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("# Hints\n\nWords.\n", 3, "belongs to no ladder"),
        ("# Hints\n\n## a\n\n1. One.\n3. Three.\n", 6, "step 3 follows step 1"),
        ("# Hints\n\n## a\n\nWords.\n", 5, "belongs to no step"),
        ("# Hints\n\n## a\n\n1. One.\n\n## a\n\n1. One.\n", 7, "second ladder for a; the first is in line 3"),
        ("# Hints\n\n# f\n\n## a\n\n# f, g\n\n## a\n", 9, "second ladder for a"),
        ("# Hints\n\n## a\n\n1. One.\n\n```python\ni = 1\n", 7, "never closed"),
        ("# Hints\n\n## a\n\n```python\ni = 1\n```\n\n1. One.\n", 9, "belongs to no ladder"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_line(tmp_path, text, line, says):
    with pytest.raises(HintsError, match=f"hints.md:{line}: .*{re.escape(says)}") as caught:
        read(tmp_path, text)

    assert line == caught.value.line


def test_hints_for_an_exercise_that_the_unit_lacks_are_refused(tmp_path):
    read(tmp_path, "# Hints\n\n# blendd\n\n## start\n\n1. Look.\n")

    with pytest.raises(HintsError, match="has no exercise blendd"):
        with_hints(str(tmp_path / "__init__.py"), ONE)


def test_a_unit_without_hints_is_told_what_to_write(tmp_path):
    with pytest.raises(HintsError, match="there is no such file"):
        hints.with_hints(str(tmp_path / "__init__.py"), ONE)


def as_python(skeleton):
    """A skeleton, parsed: its holes are filled, and blocks that it leaves open are closed. Raises: SyntaxError."""
    for hole, filling in HOLES:
        skeleton = hole.sub(filling, skeleton)
    lines = [line for line in skeleton.splitlines() if line.split("#")[0].strip()]
    closed = []
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        depth = len(line) - len(line.lstrip())
        closed.append(line)
        if line.split("#")[0].rstrip().endswith(":") and len(following) - len(following.lstrip()) <= depth:
            closed.append(" " * (depth + 4) + "...")
    return ast.parse("\n".join(closed))


def names_in(tree, *contexts):
    """The names of a tree that are loaded or stored, as asked."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, contexts)}


@pytest.mark.parametrize("path", [*UNITS, COMMON], ids=lambda path: path.parent.name)
def test_every_skeleton_is_python_but_for_what_it_leaves_out(path):
    for ladder in ladders_of(path):
        try:
            as_python(ladder.hint.ladder[-1])
        except SyntaxError as problem:
            pytest.fail(f"{path}:{ladder.line}: the skeleton of {ladder.misconception} is no Python: {problem}")


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.parent.name)
def test_every_name_of_a_skeleton_is_one_of_its_unit_or_of_its_ladders(path):
    unit = path.parent.name.removeprefix("u")
    trees = {ladder.line: as_python(ladder.hint.ladder[-1]) for ladder in ladders_of(path)}
    known = set(re.findall(r"[A-Za-z_]\w*", (SOLUTIONS / unit / f"{unit}.py").read_text())) | set(dir(builtins))
    known |= {name for tree in trees.values() for name in names_in(tree, ast.Store)}

    unknown = {line: names_in(tree, ast.Load) - known for line, tree in trees.items()}

    assert {} == {line: names for line, names in unknown.items() if names}


@pytest.mark.parametrize("path", [*UNITS, COMMON], ids=lambda path: path.parent.name)
def test_every_sentence_of_a_hint_has_a_line_of_its_own(path):
    in_skeleton, found = False, []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        in_skeleton ^= line.startswith(hints.FENCE)
        if not in_skeleton and SECOND_SENTENCE.search(re.sub(r"^\d+\. ", "", line)):
            found.append(f"{path.parent.name}:{number}: {line}")

    assert [] == found


@pytest.mark.parametrize(
    "skeleton", ["own cell = place in the block", "    s[0] = x\ncuda.syncthreads()", "x = (a block"]
)
def test_prose_and_broken_indents_are_no_skeletons(skeleton):
    with pytest.raises(SyntaxError):
        as_python(skeleton)


@pytest.mark.parametrize("path", [*UNITS, COMMON], ids=lambda path: path.parent.name)
def test_no_sentence_of_a_hint_is_cut_off(path):
    in_skeleton, found = False, []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        in_skeleton ^= line.startswith(hints.FENCE)
        is_prose = line.strip() and not in_skeleton and not line.startswith(("#", hints.FENCE))
        if is_prose and not line.rstrip("`*) ").endswith((".", "?", "!", ":")):
            found.append(f"{path.parent.name}:{number}: {line}")

    assert [] == found
