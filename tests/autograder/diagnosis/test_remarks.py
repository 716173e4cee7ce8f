"""A note of one case is dropped where another case shows that it is a mistake."""

from autograder.diagnosis import diagnose
from simt.events import Finding


def note(line, kind="race"):
    return Finding(kind, "the same value, so it does no harm", lines=(line,), array="out", note=True)


MISTAKE = Finding("race", "both update out[0]", lines=(3, 4), array="out")


def test_a_harmless_race_is_not_harmless_where_another_case_races_on_its_line():
    assert [] == diagnose.still_true([note(4)], [MISTAKE])


def test_a_note_about_another_line_or_another_matter_stays():
    kept = [note(7), note(4, kind="barrier_divergence")]
    assert kept == diagnose.still_true(kept, [MISTAKE])
