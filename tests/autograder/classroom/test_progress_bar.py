"""How far, how long still, and how it goes: one line, while a class is graded."""

import io

from autograder.classroom.progress_bar import EVERY_S, ProgressBar


def shown(n_items: int, seconds_each: float, verdicts=()) -> list[str]:
    """The lines of a bar of 100 items after n of them, where output goes to a file."""
    now, stream = [0.0], io.StringIO()
    with ProgressBar("judging", 100, stream, clock=lambda: now[0]) as bar:
        for n in range(n_items):
            now[0] += seconds_each
            bar.step(f"scale {n}", verdicts[n % len(verdicts)] if verdicts else "")
    return stream.getvalue().splitlines()


def test_it_says_how_long_the_others_will_take():
    assert "10/100  8 min left" in shown(10, EVERY_S)[-1] or "8 min left" in shown(10, EVERY_S)[-2]
    assert not any("left" in line for line in shown(2, EVERY_S)), "two items say little about the others"
    assert "left" not in shown(100, EVERY_S)[-1]


def test_it_counts_verdicts_as_they_come():
    line = shown(100, EVERY_S, verdicts=("right", "right", "needs review", "right"))[-1]

    assert "75 right, 25 needs review" in line
    assert "100/100" in line


def test_a_file_gets_a_line_every_few_seconds_and_not_for_each_item():
    assert len(shown(100, EVERY_S / 10)) <= 12
