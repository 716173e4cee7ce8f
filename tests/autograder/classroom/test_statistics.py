"""How the class did, as an instructor reads it."""

from autograder.classroom import grade
from autograder.classroom.pages import gradebook, statistics
from autograder.classroom.pages import summary as summaries
from autograder.outcome import Cause, NotCheckable, Wrong
from tests.autograder.classroom.test_pages import HOSTILE, _Tags, costly, judged, wrong


def a_class(unit):
    """Four students: one right, two without a guard, one who could not be judged."""
    lost = NotCheckable("tiny.scale", 0.0, 4.0, "scale: cannot be judged")
    return [
        judged(unit),
        judged(unit, "bo", first=wrong()),
        judged(unit, "cy", first=wrong()),
        judged(unit, "di", first=lost),
    ]


def test_an_exercise_counts_who_was_judged_and_what_they_got_wrong(unit):
    scale, twice = statistics.figures(a_class(unit))

    assert (3, 1) == (scale.n, scale.right)
    assert 2 / 3 == scale.mean_share
    assert (("no_guard", 2),) == scale.common
    assert {"right": 1, "not right yet": 2, "needs review": 1} == {look.words: n for look, n in scale.looks.items()}
    assert (4, 0) == (twice.n, twice.right)


def test_the_gradebook_shows_shares_distribution_and_the_commonest_misconceptions(unit):
    html = gradebook.gradebook_page(a_class(unit))

    assert "1 of 3, 33%" in html
    assert "67%" in html
    assert "1 right, 2 not right yet, 1 needs review" in html
    assert "there are as many threads as elements (2)" in html
    assert 'aria-label="1 from 0 %, 2 from 20 %, 1 from 50 %"' in html


def test_right_but_costly_is_a_part_of_its_own_and_bears_its_sign(unit):
    html = gradebook.gradebook_page([judged(unit, first=costly()), judged(unit, "bo", first=wrong())])

    assert 'title="1 right, but costly">◐</span>' in html
    assert 'title="1 not right yet">✗</span>' in html


def test_a_terminal_hears_which_exercises_are_hardest(unit):
    assert "tiny.scale_twice  0 of 4 right" in "\n".join(statistics.summary_lines(a_class(unit)))
    assert [] == statistics.summary_lines([])


def test_nobody_handed_in_is_no_error_and_nothing_typed_becomes_markup(unit):
    assert "<h1>" in gradebook.gradebook_page([])
    cause = Cause("race", HOSTILE, HOSTILE)
    _Tags(gradebook.gradebook_page([judged(unit, HOSTILE, first=Wrong("tiny.scale", 0.0, 4.0, "x", causes=(cause,)))]))


def test_no_terminal_obeys_what_a_submission_brought_into_the_summary(tmp_path):
    said = "This one clears\x1b[2J the screen\nNEEDS REVIEW bo/90_tiny: all of it \udcff"
    graded = grade.Graded(failed={"ada/90_tiny/90_tiny: tiny.scale": said})

    text = summaries.as_text(graded, tmp_path / "a.csv", tmp_path / "a.html")

    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert 1 == text.count("\nNEEDS REVIEW") + text.startswith("NEEDS REVIEW")
