import csv
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from autograder.classroom.pages import feedback, gradebook, page, verdict
from autograder.classroom.reading.answers import read_answers
from autograder.classroom.receive import Received
from autograder.contract import SpeedPolicy
from autograder.outcome import BudgetResult, Cause, NotAttempted, NotCheckable, Passed, Speed, Wrong
from tests.autograder.classroom.conftest import RIGHT, STUB, notebook

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def judged(unit, student="ada", scale=RIGHT, first=None, second=None):
    """The verdict document of a submission with chosen outcomes."""
    answers = read_answers(notebook(scale=scale), unit)
    first = first or Passed("tiny.scale", 4.0, 4.0, "scale: right")
    second = second or NotAttempted("tiny.scale_twice", 0.0, 4.0, "scale_twice: not attempted")
    submission = Received(student, "90_tiny", "90_tiny", None, "ab" * 32, "2030-01-02T03:04:05+00:00")
    return verdict.document(submission, unit, zip(answers, (first, second), strict=True))


def wrong(**more):
    cause = Cause("out_of_bounds", "no_guard", "Thread 33 writes outside dst.", "Guard it.", (3,))
    return Wrong("tiny.scale", 2.0, 4.0, "scale: not right yet", "n = 33: wrong", causes=(cause,), **more)


class _Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found, self.addresses = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href")]
        assert not [name for name, _ in attributes if name.startswith("on")]


def test_a_feedback_page_quotes_the_learners_own_line_and_says_what_is_next(unit):
    html = feedback.feedback_page(judged(unit, first=wrong()))

    assert "i = cuda.grid(1)" in re.sub(r"</?span[^>]*>", "", html)
    assert "Thread 33 writes outside dst." in html
    assert "2 of 8 points" in html
    assert "<b>Next:</b>" in html


@pytest.mark.parametrize("where", ["source", "student", "said"])
def test_whatever_a_student_types_reaches_a_page_as_text(unit, where):
    document = judged(
        unit,
        student=HOSTILE if where == "student" else "ada",
        scale=f"X = '''{HOSTILE}'''\n{HOSTILE!r}\n{RIGHT}" if where == "source" else RIGHT,
        first=Wrong("tiny.scale", 0.0, 4.0, HOSTILE, HOSTILE, causes=(Cause("race", "x", HOSTILE, HOSTILE, (1,)),))
        if where == "said"
        else wrong(),
    )

    for html in (feedback.feedback_page(document), gradebook.gradebook_page([document])):
        tags = _Tags(html)
        assert "img" not in tags.found
        assert "<script>alert" not in html


def test_code_in_a_sentence_stands_in_a_fixed_font_wherever_the_sentence_stands(unit):
    told = "This cell holds `import os`."
    lost = NotCheckable("tiny.scale", 0.0, 4.0, told, notes=(told,))
    document = judged(unit, first=wrong(notes=(told,))) | {"trouble": told}
    document["exercises"][0] |= {"says": told, "notes": [told]}
    refused = judged(unit, "bo") | {"refused": told}

    for html in (
        *map(feedback.feedback_page, (document, refused)),
        gradebook.gradebook_page([document, judged(unit, "cy", first=lost)]),
    ):
        assert "<code>import os</code>" in html
        assert "`import os`" not in html


def test_pages_load_nothing_from_anywhere(unit):
    document = judged(unit)

    for html in (feedback.feedback_page(document), gradebook.gradebook_page([document])):
        assert [] == [address for address in _Tags(html).addresses if "//" in address]
        assert "default-src 'none'" in html


def test_the_gradebook_shows_points_status_speed_and_a_link_to_the_feedback(unit):
    html = gradebook.gradebook_page([judged(unit), judged(unit, "bo", first=wrong())])

    assert "✓</span> right" in html
    assert "not graded here" in html
    assert 'href="feedback/bo/90_tiny.html"' in html
    assert "<b>4 of 8</b>" in html


def test_the_gradebook_counts_what_the_class_gets_wrong(unit):
    html = gradebook.gradebook_page(
        [judged(unit, name, first=wrong()) for name in ("ada", "bo")] + [judged(unit, "cy")]
    )

    assert "there are as many threads as elements" in html
    assert 'data-key="2" class="number">2</td>' in html


def costly():
    missed = (BudgetResult("global_load_sectors", 32, 4, "Neighbours read far apart."),)
    cause = Cause("over_budget", "uncoalesced", "Neighbours read far apart.")
    return Wrong("tiny.scale", 2.4, 4.0, "scale: right, but costly", causes=(cause,), budgets=missed)


def test_right_but_over_budget_is_told_apart_from_wrong(unit):
    document = judged(unit, first=costly())

    for html in (gradebook.gradebook_page([document]), feedback.feedback_page(document)):
        assert "right, but costly" in html
        assert "not right yet" not in html


def test_a_bar_shows_how_far_a_value_is_over_its_limit(unit):
    html = feedback.feedback_page(judged(unit, first=costly()))

    assert "width:100%" in html and "left:calc(12% - 1px)" in html


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1+1", "\u00a0=1"])
def test_a_spreadsheet_never_sees_a_formula(unit, name):
    rows = list(csv.reader(io.StringIO(gradebook.csv_text([judged(unit, name)]))))

    assert f"'{name}" == rows[1][0]


def test_commas_quotes_and_line_breaks_survive_the_csv(unit):
    rows = list(csv.reader(io.StringIO(gradebook.csv_text([judged(unit, 'a, "b"\nc')]))))

    assert 'a, "b"\nc' == rows[1][0]
    assert {len(gradebook.COLUMNS)} == {len(row) for row in rows}
    assert ["4.0", "4.0", "right"] == rows[1][4:7]


@pytest.mark.parametrize("points", [float("nan"), float("inf"), -3, "many", None, 400])
def test_points_are_finite_and_within_range_whatever_was_said(unit, points):
    entry = None
    if isinstance(points, int | float):
        entry = judged(unit, first=Passed("tiny.scale", points, 4.0, "scale: right"))["exercises"][0]

    assert 0.0 <= verdict.clamp(points, 4.0) <= 4.0
    assert entry is None or 0.0 <= entry["points"] <= 4.0


def test_a_deleted_check_cell_earns_nothing_and_says_so(unit):
    handed_in = notebook(scale=RIGHT)
    handed_in.cells = [cell for cell in handed_in.cells if "q.check(scale)." not in cell.source]
    answers = read_answers(handed_in, unit)
    outcomes = (Passed("tiny.scale", 4.0, 4.0, "right"), NotAttempted("tiny.scale_twice", 0.0, 4.0, "not"))
    submission = Received("ada", "90_tiny", "90_tiny", None, "00", "2030")

    document = verdict.document(submission, unit, zip(answers, outcomes, strict=True))

    assert 0.0 == document["exercises"][0]["points"]
    assert "scale_check" in feedback.feedback_page(document)
    assert "`scale_check`, which a student may not delete" in document["trouble"], "the class's summary says so, too"
    assert "scale_twice_check" not in document["trouble"]


FAST = Speed(True, "fast", points=1.5, max_points=2.0)


def raced(unit, has_race, speed=FAST):
    """The verdict document of a right answer that was timed, its locked race cell handed in or deleted."""
    policy = SpeedPolicy(2.0, lambda n_bytes: {"n": n_bytes // 4})
    first, second = read_answers(notebook(scale=RIGHT), unit)
    first = replace(first, exercise=replace(first.exercise, speed=policy), has_race=has_race)
    outcomes = (Passed("tiny.scale", 4.0, 4.0, "right", speed=speed), NotAttempted("tiny.scale_twice", 0.0, 4.0, "not"))
    submission = Received("ada", "90_tiny", "90_tiny", None, "00", "2030")
    return verdict.document(submission, unit, zip((first, second), outcomes, strict=True))


def test_speed_points_are_totalled_beside_the_points_and_match_the_cell_that_carries_them(unit):
    document = raced(unit, has_race=True)

    assert (4.0, 1.5, 2.0) == tuple(document[name] for name in ("points", "speed_points", "max_speed_points"))
    assert 5.5 == sum(cell["points"] for cell in document["cells"].values())
    assert "4 of 8 + 1.5 of 2" == page.totals_words(document)


def test_a_deleted_race_cell_earns_no_speed_points_anywhere_and_says_so(unit):
    document = raced(unit, has_race=False)

    assert 0.0 == document["speed_points"]
    assert 4.0 == sum(cell["points"] for cell in document["cells"].values())
    assert "scale_race" in feedback.feedback_page(document)


def test_without_a_gpu_no_speed_points_are_spoken_of(unit):
    assert "4 of 8" == page.totals_words(raced(unit, has_race=True, speed=None))


def test_a_file_that_was_not_taken_in_says_why_and_earns_nothing(unit):
    submission = Received("ada", "90_tiny", "90_tiny", None, refused="This file is not JSON.")

    document = verdict.document(submission, unit, ())

    assert 0.0 == document["points"]
    assert "This file is not JSON." in feedback.feedback_page(document)


def test_a_verdict_is_read_back_only_for_the_bytes_it_judged(unit, tmp_path):
    verdict.save(tmp_path, judged(unit))

    assert 4.0 == verdict.load(tmp_path, "ada", "90_tiny", "90_tiny", "ab" * 32)["points"]
    with pytest.raises(verdict.VerdictError, match="other bytes"):
        verdict.load(tmp_path, "ada", "90_tiny", "90_tiny", "cd" * 32)
    with pytest.raises(verdict.VerdictError, match="no verdict"):
        verdict.load(tmp_path, "bo", "90_tiny", "90_tiny", "ab" * 32)


def test_the_stub_of_the_fixture_is_a_stub():
    assert "NotImplementedError" in STUB


def test_signs_that_turn_text_round_or_that_a_terminal_obeys_are_written_out_on_every_page(unit):
    trojan = RIGHT + "    # \u202e } \u2066 admin only \x1b[2J\n"
    document = judged(unit, "ada", trojan, replace(wrong(), source=trojan, observed="\u202e says \x9b31m"))
    pages = [feedback.feedback_page(document), gradebook.gradebook_page([document])]
    cells = [text for cell in document["cells"].values() for text in (cell["html"], cell["text"])]

    assert not any(set("\u202e\u2066\x1b\x9b") & set(text) for text in (*pages, *cells))
    assert "\\u202e" in pages[0] and "\\x9b31m" in cells[0]
