"""Weights, dates and names in one file, and the grades that follow from them."""

import csv
import io
from datetime import UTC, datetime

import pytest

from autograder.classroom import class_file, receive
from autograder.classroom.class_file import ClassFileError, ClassRules, Student, UnitRules
from autograder.classroom.pages import grades, lms
from tests.autograder.classroom.test_pages import judged, wrong

KNOWN = {"90_tiny": ["tiny.scale", "tiny.scale_twice"], "91_more": ["more.one"]}
DUE = datetime(2030, 1, 31, 18, tzinfo=UTC)
WHOLE = """
[units.90_tiny]
weight = 2
due = 2030-01-31T18:00:00Z
late_per_day = 0.25
grace_hours = 2
exercises = ["tiny.scale"]

[students.ada]
name = "Lovelace, Ada"
id = "17"
email = "ada@example.org"
section = "Tuesday"
extra_days = { 90_tiny = 3 }
"""


def read(tmp_path, text: str) -> ClassRules:
    (tmp_path / "class.toml").write_text(text)
    return class_file.read(tmp_path / "class.toml", KNOWN)


def test_a_class_is_told_in_one_file(tmp_path):
    rules = read(tmp_path, WHOLE)

    assert UnitRules(2.0, DUE, 0.25, 2.0, ("tiny.scale",)) == rules.rules("90_tiny")
    assert Student("Lovelace, Ada", "17", "ada@example.org", "Tuesday", {"90_tiny": 3.0}) == rules.student("ada")
    assert 0.0 == rules.rules("91_more").weight


def test_what_the_module_says_of_the_file_is_a_file(tmp_path):
    shown = class_file.__doc__.split("\n\n", 1)[1]
    known = {"01_vector_add": ["vector_add.vector_add", "vector_add.blend"]}
    (tmp_path / "class.toml").write_text(shown)

    assert 2.0 == class_file.read(tmp_path / "class.toml", known).rules("01_vector_add").weight


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[units.92_none]", "has no '92_none'"),
        ("[units.90_tiny]\nwieght = 2", "has no 'wieght'"),
        ("[units.90_tiny]\nweight = 'two'", "must be a number"),
        ("[units.90_tiny]\nweight = -1", "must be a number"),
        ("[units.90_tiny]\nlate_per_day = 10", "from 0 to 1"),
        ("[units.90_tiny]\ndue = 2030-01-31", "day, time and zone"),
        ("[units.90_tiny]\ndue = 2030-01-31T18:00:00", "day, time and zone"),
        ("[units.90_tiny]\nexercises = ['tiny.other']", "a list out of tiny.scale"),
        ("[students.ada]\nid = 17", "text in quotes"),
        ("[students.ada]\nextra_days = { 92_none = 1 }", "has no '92_none'"),
        ("units = 3", "must be a table"),
        ("[students]\nada = 1", "must be a table"),
        ("[units.90_tiny", "cannot be read"),
        ("[units]\n[weights]", "has no 'weights'"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_where_it_stands(tmp_path, text, said):
    with pytest.raises(ClassFileError, match=said):
        read(tmp_path, text)


def handed_in(unit, student, when="", **more):
    return {**judged(unit, student, **more), "handed_in": when}


@pytest.mark.parametrize(
    ("when", "late", "points"),
    [
        ("", 0, 4.0),
        ("2030-01-31T18:00:00+00:00", 0, 4.0),
        ("2030-01-31T20:00:00+00:00", 0, 4.0),
        ("2030-01-31T20:00:01+00:00", 1, 3.0),
        ("2030-02-01T18:00:01+00:00", 2, 2.0),
        ("2030-03-01T00:00:00+00:00", 29, 0.0),
    ],
)
def test_each_day_that_begins_costs_its_share_after_the_grace(unit, when, late, points):
    rules = ClassRules({"90_tiny": UnitRules(1.0, DUE, 0.25, 2.0)})

    grade = grades.of_class([handed_in(unit, "bo", when)], rules)["bo"]["90_tiny"]

    assert (late, points, 8.0) == (grade.late_days, grade.points, grade.possible)


def test_extra_days_are_one_student_s_own(unit):
    rules = ClassRules({"90_tiny": UnitRules(1.0, DUE)}, {"ada": Student(extra_days={"90_tiny": 3.0})})
    late = "2030-02-02T00:00:00+00:00"

    by = grades.of_class([handed_in(unit, "ada", late), handed_in(unit, "bo", late)], rules)

    assert [4.0, 0.0] == [by[student]["90_tiny"].points for student in ("ada", "bo")]


def test_days_after_the_last_one_that_there_is_are_no_limit(unit):
    never = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    rules = ClassRules({"90_tiny": UnitRules(1.0, never)}, {"ada": Student(extra_days={"90_tiny": 3.0})})

    by = grades.of_class([handed_in(unit, "ada", "2030-02-02T00:00:00+00:00")], rules)

    assert (0, 4.0) == (by["ada"]["90_tiny"].late_days, by["ada"]["90_tiny"].points)


@pytest.mark.parametrize(("day", "expected"), [(30, None), (1, 0.0)])
def test_what_was_not_handed_in_counts_nothing_once_its_date_has_passed_and_is_left_out_before(unit, day, expected):
    now = datetime(2030, 1 if day == 30 else 2, day, tzinfo=UTC)
    rules = ClassRules({"90_tiny": UnitRules(1.0, DUE)}, {"di": Student("Di")})

    own = grades.of_class([handed_in(unit, "ada")], rules, now)["di"]

    assert expected == grades.share(own, rules)


def test_units_count_by_their_weights_and_only_the_chosen_exercises(unit):
    more = {**judged(unit, "ada"), "unit": "91_more", "handed_in": ""}
    rules = ClassRules({"90_tiny": UnitRules(3.0, exercises=("tiny.scale",)), "91_more": UnitRules(1.0)})

    own = grades.of_class([handed_in(unit, "ada"), more], rules)["ada"]

    assert (4.0, 4.0) == (own["90_tiny"].points, own["90_tiny"].possible)
    assert (3 * 1.0 + 1 * 0.5) / 4 == grades.share(own, rules)


def rows(path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text())))


def test_canvas_and_moodle_get_a_column_a_unit_under_the_names_that_they_know(unit, tmp_path):
    rules = ClassRules({}, {"ada": Student("Lovelace, Ada", "17", "ada@example.org", "Tuesday")})

    own, canvas, moodle = lms.write(tmp_path, [handed_in(unit, "ada"), handed_in(unit, "=bo", first=wrong())], rules)

    assert ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "90_tiny"] == rows(canvas)[0]
    assert ["    Points Possible", "", "", "", "", "8.0"] == rows(canvas)[1]
    assert ["Lovelace, Ada", "17", "", "ada", "Tuesday", "4.0"] == rows(canvas)[3]
    assert ["ada", "17", "ada@example.org", "4.0"] == rows(moodle)[2]
    assert ["ada", "Lovelace, Ada", "4.0", "8.0", "0", "50.0"] == rows(own)[2]
    assert "'=bo" == rows(moodle)[1][0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2030-01-30 15:30:10 UTC", "2030-01-30T15:30:10+00:00"),
        ("2030-01-30 15:30:10.5 UTC\n", "2030-01-30T15:30:10+00:00"),
        ("2030-01-30T15:30:10+02:00", "2030-01-30T13:30:10+00:00"),
        ("yesterday", ""),
        ("\udcff", ""),
        ("9" * 10**5, ""),
    ],
)
def test_when_a_notebook_was_handed_in_is_what_the_collector_wrote(tmp_path, text, expected):
    folder = tmp_path / "ada" / "90_tiny"
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_bytes(text.encode("utf-8", "surrogateescape"))

    assert expected == receive.receive(tmp_path, "ada", "90_tiny", "90_tiny.ipynb").handed_in


def test_a_timestamp_that_is_a_link_says_nothing(tmp_path):
    folder = tmp_path / "ada" / "90_tiny"
    folder.mkdir(parents=True)
    (tmp_path / "when").write_text("2030-01-30 15:30:10 UTC")
    (folder / "timestamp.txt").symlink_to(tmp_path / "when")

    assert "" == receive.receive(tmp_path, "ada", "90_tiny", "90_tiny.ipynb").handed_in
