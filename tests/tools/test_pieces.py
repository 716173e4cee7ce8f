"""What was judged with the same inputs is not judged again, and a run that was ended goes on."""

import json
from pathlib import Path

import pytest

from autograder import exercises
from tools.parts import judged_inputs, pieces
from tools.parts.judged_inputs import built_on, inputs_of
from tools.parts.pieces import Kept, Run

ADD = "vector_add.vector_add"
PIECES = [(ADD, number) for number in range(4)]


def squared(identifier: str, number: int) -> dict[str, int]:
    """Work for the processes: it writes down that it was done."""
    with Path(DONE).open("a") as file:
        file.write(f"{number}\n")
    return {"square": number * number}


DONE = "done.txt"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # which the processes inherit
    return tmp_path


def done() -> list[str]:
    return sorted(Path(DONE).read_text().split())


def test_each_piece_is_done_once_and_kept(here):
    first = dict(Run(2).over(squared, PIECES, Kept("squares", here)))
    second = dict(Run(2).over(squared, PIECES, Kept("squares", here)))

    assert first == second == {piece: {"square": piece[1] ** 2} for piece in PIECES}
    assert ["0", "1", "2", "3"] == done()


def test_a_run_that_was_ended_goes_on_with_what_is_left(here):
    Kept("squares", here).keep(PIECES[0], {"square": 0})
    kept = dict(Run(seconds=0).over(squared, PIECES, Kept("squares", here)))
    whole = dict(Run(2).over(squared, PIECES, Kept("squares", here)))

    assert {PIECES[0]} == {*kept}
    assert {*PIECES} == {*whole}
    assert ["1", "2", "3"] == done()


def test_a_line_that_was_cut_off_is_done_again(here):
    kept = Kept("squares", here)
    for piece in PIECES[:2]:
        kept.keep(piece, {"square": 0})
    path = here / "squares" / f"{ADD}.jsonl"
    path.write_text(path.read_text()[:-5])

    assert {"square": 0} == Kept("squares", here).of(PIECES[0])
    assert Kept("squares", here).of(PIECES[1]) is None


def test_other_inputs_begin_a_file_anew(here, monkeypatch):
    Kept("squares", here).keep(PIECES[0], {"square": 0})
    monkeypatch.setattr(pieces, "inputs_of", lambda unit: f"another judge of {unit}")

    assert Kept("squares", here).of(PIECES[0]) is None
    assert ["another judge of 01_vector_add"] == (here / "squares" / f"{ADD}.jsonl").read_text().splitlines()


def test_what_is_asked_for_again_is_done_again(here):
    for _ in range(2):
        dict(Run(2, again=True).over(squared, PIECES[:1], Kept("squares", here)))

    assert ["0", "0"] == done()
    assert 2 == len(list(map(json.loads, (here / "squares" / f"{ADD}.jsonl").read_text().splitlines()[1:])))


def test_the_inputs_of_a_unit_are_the_judge_its_own_files_and_those_of_units_that_it_names(tmp_path, monkeypatch):
    for name, text in {
        "u01_one": "X = 1",
        "u02_two": "from autograder.exercises.u01_one import X",
        "u03_three": "",
    }.items():
        folder = tmp_path / "autograder" / "exercises" / name
        folder.mkdir(parents=True)
        (folder / "values.py").write_text(text)
    (tmp_path / "simt").mkdir()
    monkeypatch.setattr(judged_inputs, "ROOT", tmp_path)

    def seen() -> list[str]:
        for known in (inputs_of, built_on, judged_inputs.of_the_judge):
            known.cache_clear()
        return [inputs_of(unit) for unit in ("01_one", "02_two", "03_three")]

    before = seen()
    (tmp_path / "autograder" / "exercises" / "u01_one" / "values.py").write_text("X = 2")
    unit_changed = seen()
    (tmp_path / "simt" / "run.py").write_text("X = 1")
    judge_changed = seen()
    monkeypatch.undo()
    seen_for_real = [inputs_of.cache_clear(), built_on.cache_clear(), judged_inputs.of_the_judge.cache_clear()]

    assert [False, False, True] == [one == other for one, other in zip(before, unit_changed, strict=True)]
    assert [False] * 3 == [one == other for one, other in zip(unit_changed, judge_changed, strict=True)]
    assert [None] * 3 == seen_for_real


def test_every_unit_of_the_course_has_inputs_of_its_own():
    units = exercises.units()

    assert len(units) == len({inputs_of(unit) for unit in units})
