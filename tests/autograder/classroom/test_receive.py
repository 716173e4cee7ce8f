import json
import os
import unicodedata

import nbformat
import pytest

from autograder.classroom import receive as receiving
from autograder.classroom.reading import inbox as looking
from autograder.classroom.reading.inbox import look_into
from autograder.classroom.receive import NOTHING_TO_SEE, receive, shown
from tests.autograder.classroom.conftest import notebook


def hand_in(root, content: bytes, student="ada", unit="90_tiny", name="90_tiny.ipynb"):
    folder = root / student / unit
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return receive(root, student, unit, name)


def test_a_notebook_is_taken_in_with_its_hash_and_the_judges_own_clock(tmp_path):
    content = nbformat.writes(notebook()).encode()

    taken = hand_in(tmp_path, content)

    assert "" == taken.refused
    assert __import__("hashlib").sha256(content).hexdigest() == taken.sha256
    assert taken.received.endswith("+00:00")
    assert 6 == len(taken.notebook_json["cells"])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[]", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"cells": [3], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "not a valid notebook"),
        (b'{"cells": [], "nbformat": "x"}', "its nbformat is x"),
        (b'{"cells": [], "metadata": {}, "nbformat": 99, "nbformat_minor": 0}', "its nbformat is 99"),
        (b'{"cells": [], "metadata": {}, "nbformat": 4.0, "nbformat_minor": 0}', "its nbformat is 4.0"),
        (b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": "5"}', "its nbformat_minor is 5"),
        (b"[" * 200_000, "not JSON"),
        (b'{"cells": [], "metadata": {"a": ' + b"[" * 250 + b"]" * 250 + b"}}", "more than 200 lists"),
        (json.dumps({"cells": [{}] * 2001}).encode(), "2000 may be"),
    ],
)
def test_garbage_is_refused_with_a_reason_and_never_raises(tmp_path, content, says):
    taken = hand_in(tmp_path, content)

    assert says in taken.refused
    assert "hand in that" in taken.refused or "copy your answers" in taken.refused
    assert taken.notebook_json is None


def test_a_file_larger_than_ten_megabytes_is_refused(tmp_path):
    taken = hand_in(tmp_path, b" " * (receiving.MAX_BYTES + 1))

    assert "larger than 10 MB" in taken.refused


def test_more_text_than_a_course_needs_is_refused(tmp_path):
    taken = hand_in(tmp_path, nbformat.writes(notebook(scale="#" * 1_000_001)).encode())

    assert "characters of text" in taken.refused


def test_a_link_is_not_followed_wherever_it_stands(tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text(nbformat.writes(notebook()))
    root = tmp_path / "submitted"
    (root / "eve" / "90_tiny").mkdir(parents=True)
    os.symlink(secret, root / "eve" / "90_tiny" / "90_tiny.ipynb")
    os.symlink(root / "eve" / "90_tiny", root / "eve" / "91_linked")
    os.symlink(root / "eve", root / "eve_again")

    inbox = look_into(root, ("90_tiny", "91_linked"))

    assert [("eve", "90_tiny")] == [(one.student, one.unit) for one in inbox.handed_in]
    assert {"eve/91_linked", "eve_again"} == set(inbox.left_alone)
    assert "links are not followed" in receive(root, "eve", "90_tiny", "90_tiny.ipynb").refused
    assert "links are not followed" in receive(root, "eve", "91_linked", "90_tiny.ipynb").refused
    assert "links are not followed" in receive(root, "eve_again", "90_tiny", "90_tiny.ipynb").refused


def test_a_named_pipe_does_not_keep_the_judge_waiting(tmp_path):
    (tmp_path / "eve" / "90_tiny").mkdir(parents=True)
    os.mkfifo(tmp_path / "eve" / "90_tiny" / "90_tiny.ipynb")

    assert "not an ordinary file" in receive(tmp_path, "eve", "90_tiny", "90_tiny.ipynb").refused


@pytest.mark.parametrize(
    "name",
    [
        *("..", ".hidden", "a/b", "x\ny", "", "a" * 101, "<b>", "honest ", "\udcff", "a\u202eb", "\u3164"),
        "a" + 90 * "\u0301",
    ],
)
def test_a_name_that_could_be_a_path_or_markup_is_refused(tmp_path, name):
    assert "name" in receive(tmp_path, name, "90_tiny", "90_tiny.ipynb").refused


@pytest.mark.parametrize(
    "name", ["Lovelace, Ada", "Ann Marie O'Neil", "李小明", "Zoe\u0308 (2)", "प्रिया", "نور", "=1+1"]
)
def test_names_as_people_have_them_and_learning_management_systems_write_them_are_taken_in(tmp_path, name):
    hand_in(tmp_path, nbformat.writes(notebook()).encode(), student=name)

    assert "" == receive(tmp_path, name, "90_tiny", "90_tiny.ipynb").refused


@pytest.mark.parametrize("name", ["\u3164", "\uffa0ada", "a" + 90 * "\u0301"])
def test_what_would_show_nothing_or_be_drawn_over_other_rows_is_written_out_where_a_name_is_told(name):
    told = shown(name)

    assert "\\u" in told and not any(sign in told for sign in NOTHING_TO_SEE)
    assert 4 >= sum(unicodedata.combining(sign) > 0 for sign in told)


def test_a_second_notebook_beside_the_one_that_is_graded_is_told(tmp_path):
    for name in ("90_tiny.ipynb", "90_tiny (1).ipynb"):
        hand_in(tmp_path, nbformat.writes(notebook()).encode(), name=name)

    inbox = look_into(tmp_path, ("90_tiny",))

    assert ["90_tiny.ipynb"] == [one.filename for one in inbox.handed_in]
    assert {"ada/90_tiny/90_tiny (1).ipynb": "It lies beside 90_tiny.ipynb, which is the one that is graded."} == (
        inbox.left_alone
    )


def test_a_notebook_under_another_name_is_refused_with_the_name_it_should_have(tmp_path):
    hand_in(tmp_path, nbformat.writes(notebook()).encode(), name="90_tiny (1).ipynb")

    (found,) = look_into(tmp_path, ("90_tiny",)).handed_in

    assert "no 90_tiny.ipynb" in found.taken_in().refused


def test_every_student_of_a_unit_is_found_in_order(tmp_path):
    content = nbformat.writes(notebook()).encode()
    for student in ("zoë", "ada"):
        hand_in(tmp_path, content, student)
        hand_in(tmp_path, content, student, "91_other", "91_other.ipynb")
        hand_in(tmp_path, content, student, "90_tiny", "copy.ipynb")
    (tmp_path / "ada" / "90_tiny" / "notes.txt").write_text("not a notebook")

    found = look_into(tmp_path, ("90_tiny", "91_other"), "90_tiny").handed_in

    assert ["ada/90_tiny/90_tiny", "zoë/90_tiny/90_tiny"] == [one.taken_in().key for one in found]


def test_a_mark_in_front_of_the_text_as_windows_puts_it_there_is_no_reason_to_refuse(tmp_path):
    assert "" == hand_in(tmp_path, b"\xef\xbb\xbf" + nbformat.writes(notebook()).encode()).refused


def test_a_time_that_no_clock_knows_is_no_time(tmp_path):
    (tmp_path / "ada" / "90_tiny").mkdir(parents=True)
    (tmp_path / "ada" / "90_tiny" / receiving.TIMESTAMP).write_text("0001-01-01 00:00:00+14:00")

    assert "" == hand_in(tmp_path, nbformat.writes(notebook()).encode()).handed_in


def test_a_folder_that_cannot_be_read_or_is_hidden_is_listed_and_the_others_are_found(tmp_path, monkeypatch):
    content, entries = nbformat.writes(notebook()).encode(), looking._entries
    for student in ("ada", "bo", ".hidden"):
        hand_in(tmp_path, content, student)
    hand_in(tmp_path, content, "bo", "91_other", "91_other.ipynb")

    def forbidding(folder):
        if folder in (tmp_path / "ada", tmp_path / "bo" / "90_tiny"):
            raise PermissionError(13, "Permission denied")
        return entries(folder)

    monkeypatch.setattr(looking, "_entries", forbidding)
    inbox = look_into(tmp_path, ("90_tiny", "91_other"))

    assert ["bo/91_other"] == [f"{one.student}/{one.unit}" for one in inbox.handed_in]
    assert {".hidden", "ada", "bo/90_tiny"} == set(inbox.left_alone)
    assert "Permission denied" in inbox.left_alone["bo/90_tiny"]
