"""Where bands of points lie on a device, from times that are made up; and what is said where another device differs."""

import numpy as np
import pytest

from autograder import exercises
from autograder.cli import main
from autograder.contract import SpeedPolicy
from autograder.speed import calibrate
from autograder.speed.points import grade

EXERCISE = next(e for e in exercises.all_exercises() if e.id == "reductions.device_sum")


def result(contrast: float = 4.0, jitter: float = 0.003, **answers: float):
    """What a timing process says of known answers, by their ratio to the reference."""
    rng = np.random.default_rng(1)
    usual = {"yours": 1.0, "reference": 1.0, "naive": contrast, "copy": 0.9, **answers}
    times = {name: list(100 * ratio * rng.lognormal(0, jitter, 60)) for name, ratio in usual.items()}
    wrong = {"yours": 0, "reference": 0, "naive": 0, **dict.fromkeys(answers, 0)}
    return {"device": "a GPU", "sizes": {"n": 1}, "times_us": times, "wrong": wrong, "known": list(answers)}


def test_the_edges_of_the_bands_are_where_points_begin_and_end():
    row = calibrate.row(EXERCISE, result())
    policy: SpeedPolicy = EXERCISE.speed
    full, zero = (row[f"{edge}_us"] / row["reference_us"] for edge in ("full", "zero"))

    assert policy.points == grade(policy, 0.99 * full, row["contrast"]).points
    assert grade(policy, 1.05 * full, row["contrast"]).points < policy.points
    assert 0.0 == grade(policy, 1.01 * zero, row["contrast"]).points < grade(policy, 0.9 * zero, row["contrast"]).points
    assert [] == row["problems"]


def test_known_answers_have_their_bands_and_one_that_is_wrong_has_none():
    said = result(fast=1.0, middle=1.6, slow=3.9, broken=1.0)
    said["wrong"]["broken"] = 3

    row = calibrate.row(EXERCISE, said)

    assert {"fast": "full", "middle": "most", "slow": "none"} == {n: a["band"] for n, a in row["answers"].items()}
    assert ["broken is wrong at the timed size."] == row["problems"]


def test_a_naive_version_that_is_too_near_or_too_noisy_is_told():
    (near,) = calibrate.row(EXERCISE, result(contrast=1.2))["problems"]
    (noisy,) = calibrate.row(EXERCISE, result(jitter=0.2))["problems"]

    assert "only 1.20 times the reference" in near
    assert "is the most" in noisy


def test_an_answer_in_another_band_on_another_device_is_told_and_kept_rows_stay(tmp_path):
    here = {"device": "one GPU", "date": "", "rows": [calibrate.row(EXERCISE, result(middle=1.6))]}
    there = {"device": "another", "date": "", "rows": [calibrate.row(EXERCISE, result(middle=1.0))]}
    calibrate.keep(there, tmp_path, "another")
    path, others = calibrate.keep(here, tmp_path, "one-gpu")
    calibrate.keep({**here, "rows": [{"exercise": "else", "error": "no"}]}, tmp_path, "one-gpu")

    assert "middle: most of the points on one GPU, full on another" in calibrate.to_text(here, others)
    assert {EXERCISE.id, "else"} == {row["exercise"] for row in calibrate._read(path)["rows"]}


def test_known_answers_are_the_right_ones_and_those_that_miss_a_budget():
    known = calibrate.known_answers(EXERCISE)

    assert known
    assert all(name.startswith("answer ") for name in known)


def test_a_name_without_speed_points_is_refused_with_those_that_have_them(capsys):
    assert 2 == main(["bench", "--calibrate", "vector_add.blend"])
    assert "vector_add.vector_add_unrolled" in capsys.readouterr().err


@pytest.mark.gpu
def test_an_exercise_is_calibrated_here(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    document, text = calibrate.of_this_device(EXERCISE.id)

    assert "error" not in document["rows"][0], text
    assert list(tmp_path.rglob("calibration/*.json"))
