"""What a page says where a notebook would have a command, and code that can be read."""

import html
import re

import pytest

from autograder import cli, exercises
from autograder.classroom.pages import feedback, highlight
from autograder.exercises.catalogue import answers_for
from autograder.outcome import Cause, Crashed, NotAttempted, Passed, TimedOut, Wrong
from autograder.report.without_a_notebook import without_commands
from autograder.running.printed import as_shown
from tests.autograder.classroom.conftest import RIGHT
from tests.autograder.classroom.test_pages import HOSTILE, judged

VECTOR_ADD = exercises.find("vector_add.vector_add")
RACE = Cause("race", "missing_barrier", "Two threads meet.", "Wait.", (3,))


@pytest.mark.parametrize(
    "outcome",
    [
        Passed("a.b", 1.0, 1.0, "b: right", next_step="Now the clock: q.race(b)"),
        Wrong("a.b", 0.0, 1.0, "b: wrong", causes=(RACE,), next_step="See it: q.show(line=3)      A nudge: q.hint()"),
        Wrong("a.b", 0.0, 1.0, "b: wrong", next_step="Go through it line by line: q.step()      A nudge: q.hint()"),
        Crashed("a.b", 0.0, 1.0, "b: crashed", causes=(RACE,), next_step="A nudge: q.hint()"),
        TimedOut("a.b", 0.0, 1.0, "b: too long", next_step="A nudge: q.hint()"),
        NotAttempted("a.b", 0.0, 1.0, "b: to do", next_step="Write your answer, then check again. A nudge: q.hint()"),
    ],
)
def test_a_page_has_the_nudge_and_no_command_of_a_notebook(outcome):
    said = without_commands(outcome, VECTOR_ADD).next_step

    assert "q." not in said
    assert outcome.passed or "A nudge: " in said


def test_the_nudge_is_the_one_on_what_was_found():
    ladders = {hint.misconception: hint.ladder[0] for hint in VECTOR_ADD.hints}
    found = Wrong("a.b", 0.0, 1.0, "b: wrong", causes=(Cause("out_of_bounds", "no_guard", ""),), next_step="q.hint()")

    assert f"A nudge: {ladders['no_guard']}" == without_commands(found, VECTOR_ADD).next_step


def test_a_terminal_has_the_reason_after_right_and_no_command_of_a_notebook(tmp_path, capsys):
    right = next(answer.program for answer in answers_for(VECTOR_ADD) if answer.outcome == "Passed")
    wrong = next(answer.program for answer in answers_for(VECTOR_ADD) if answer.misconception == "no_guard")
    for name, program in (("right", right), ("wrong", wrong)):
        (tmp_path / f"{name}.py").write_text(f"from numba import cuda\n\n\n{program.source}")

    said = []
    for name in ("right", "wrong"):
        assert 0 == cli.main(["check", VECTOR_ADD.id, str(tmp_path / f"{name}.py"), "--device", "simt"])
        said.append(capsys.readouterr().out)

    assert f"Why it is right: {VECTOR_ADD.why}"[:60] in said[0]
    assert "A nudge: The launch" in said[1]
    assert not re.search(r"\bq\.\w+\(", "".join(said))


def test_what_was_printed_is_shown_without_the_command_that_shows_more():
    printed = as_shown("\n".join(map(str, range(99))), "n = 7")

    shown = without_commands(Wrong("a.b", 0.0, 1.0, "b: wrong", facts={"printed": printed}), VECTOR_ADD)

    assert "q.step()" in printed
    assert "these are the first 20:\n0\n1" in shown.facts["printed"]


@pytest.mark.parametrize(
    "source",
    [
        RIGHT,
        HOSTILE,
        "x = '''a\n<b>\n'''\n# <c> & d\n\n",
        "def (((",
        "\tx\r\ny\x0cz",
        "",
        "\n\n",
        "'" * 30_000,
        "é\u2028ü",
    ],
)
def test_highlighted_code_is_the_same_text_line_by_line(source):
    shown = highlight.lines(source)

    assert source.splitlines() == [html.unescape(re.sub(r"</?span[^>]*>", "", line)) for line in shown]
    assert not re.search(r"<(?!/?span)", "".join(shown))


def test_a_page_shows_the_cell_with_its_words_told_apart(unit):
    page = feedback.feedback_page(judged(unit))

    assert '<span class="b">@cuda</span>' in page or '<span class="b">@cuda.jit</span>' in page
    assert '<span class="k">def</span>' in page
    assert "The cell as you handed it in" in page
