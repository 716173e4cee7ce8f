"""The table at the end of a unit: what this session saw, rung by rung."""

import pytest

from autograder import exercises, ladder
from autograder.notebook import progress, races_on_record, rungs
from autograder.outcome import Passed, Speed


@pytest.fixture(autouse=True)
def fresh_session():
    progress.forget()
    yield
    progress.forget()


def test_without_any_race_the_table_says_so_and_draws_nothing(capsys):
    progress.record("vector_add.vector_add").outcome = Passed("vector_add.vector_add", 2.0, 2.0, "right")

    assert ladder("01_vector_add") is None
    out = capsys.readouterr().out
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "right" in rows["vector_add"]
    assert "not checked yet" in rows["blend"]
    assert "No rung was timed" in out


def test_where_nothing_was_timed_the_races_of_a_named_gpu_are_shown_and_points_are_those_to_be_had_here(
    capsys, monkeypatch
):
    monkeypatch.setattr(rungs, "gpu_available", lambda: False)

    ladder("06_reductions")
    out = capsys.readouterr().out
    row = races_on_record.race_on_record(exercises.find("reductions.device_sum"))
    assert f"one {row['device']}, {row['date']}" in out
    assert f"{row['rate_gbs']:,.0f} GB/s" in out and f"torch.sum {row['library_us']:,.1f} us" in out
    assert "0 of 3 (3 more with a GPU)" in out


def test_an_exercise_that_was_never_raced_has_nothing_on_record():
    assert {} == races_on_record.race_on_record(exercises.find("vector_add.blocks_for"))


def test_a_timed_rung_stands_beside_the_naive_version_the_library_and_the_copy_rate(capsys):
    seen = progress.record("vector_add.vector_add_unrolled")
    seen.speed = Speed(
        True,
        "fast",
        time_us=100.0,
        naive_us=200.0,
        reference_us=100.0,
        rate_gbs=4000.0,
        copy_rate_gbs=4200.0,
        points=2.0,
        max_points=2.0,
        device="a GPU",
        details={"bytes": 400_000_000, "libraries": {"torch.add": 101.0}},
    )
    figure = ladder("01_vector_add")
    drawn = " ".join(text.get_text() for text in figure.findobj(lambda a: hasattr(a, "get_text")))

    assert "95%" in capsys.readouterr().out
    assert all(name in drawn for name in ("vector_add_unrolled", "naive", "torch.add", "a GPU"))


def test_an_unknown_unit_names_the_nearest_one():
    with pytest.raises(exercises.UnknownExerciseError, match="06_reductions"):
        ladder("06_reduction")
