"""Comments that silence findings: which line they hold for, and what is told of those that silence nothing."""

import pytest

from simt.programs.silences import silences_of

SOURCE = """\
x = 1  # warpbook: ok race - every thread writes the same
# warpbook: ok out-of-bounds, race: the halo is never read
y = 2

z = "# warpbook: ok race - in a string"
# warpbook: ok race
w = 3
v = 4  # warpbook: ok rice - typing
# WARPBOOK: OK uninitialised read — poison is expected
u = 5
"""


@pytest.fixture
def comments(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(SOURCE)
    return silences_of(str(path))


def test_a_comment_holds_for_its_line_or_for_the_next_line_of_code(comments):
    assert [(1, 1), (2, 3), (6, 7), (8, 8), (9, 10)] == [(one.line, one.holds_for) for one in comments]


def test_a_comment_lists_kinds_and_gives_a_reason(comments):
    assert (("race",), "every thread writes the same") == (comments[0].kinds, comments[0].reason)
    assert (("out_of_bounds", "race"), "the halo is never read") == (comments[1].kinds, comments[1].reason)
    assert (("uninitialised_read",), "poison is expected") == (comments[4].kinds, comments[4].reason)


def test_a_comment_without_a_reason_or_of_no_kind_silences_nothing(comments):
    assert "gives no reason" in comments[2].wrong
    assert "'rice', which is no kind of finding. Kinds are barrier_divergence, " in comments[3].wrong


def test_a_file_without_comments_is_not_read_further(tmp_path):
    assert [] == silences_of(str(tmp_path / "nowhere.py"))
