"""The demo as `make demo` runs it, on one unit: every claim that it prints must hold."""

import re
from pathlib import Path

import pytest

from autograder.classroom.demo import sample_class as demo
from autograder.classroom.jail import host_functions
from autograder.classroom.jail import namespaces as jail
from autograder.machine.course_home import PACKAGES

UNIT = "01_vector_add"
built = (PACKAGES / "solutions" / UNIT / f"{UNIT}.ipynb").exists()


@pytest.mark.release  # a class of nbgrader's own: test_nbgrader.py, in every commit
@pytest.mark.skipif(not built, reason="the course is not built")
@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_six_students_from_release_to_gradebook(tmp_path, capsys):
    claims = demo.run(tmp_path / "demo", [UNIT])

    said = " ".join(capsys.readouterr().out.split())
    assert [] == [claim.says for claim in claims if not claim.holds]
    assert "amara.okafor all right 15 of 15" in said
    assert "gradebook.html" in said
    for made in ("gradebook.html", "gradebook.csv", "nbgrader_grades.csv", f"feedback/bao.tran/{UNIT}.html"):
        assert (tmp_path / "demo" / made).is_file()
    assert Path(re.search(r"&& (\S+) lab,", said)[1]).is_file(), "make's own PATH is not the reader's"


@pytest.mark.skipif(not built, reason="the course is not built")
@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_a_page_can_be_read_before_anything_is_released(tmp_path, monkeypatch, capsys):
    def stop(*_):
        raise demo.DemoError("stopped before the release")

    monkeypatch.setattr(demo, "NbgraderCourse", stop)
    with pytest.raises(demo.DemoError, match="before the release"):
        demo.run(tmp_path / "demo", [UNIT])

    page = tmp_path / "demo" / "feedback" / demo.FIRST / f"{UNIT}.html"
    assert page.is_file() and str(page) in capsys.readouterr().out


def test_a_folder_that_no_demo_made_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("work")

    with pytest.raises(demo.DemoError, match="no demo made"):
        demo.run(tmp_path, [UNIT])

    assert "work" == (tmp_path / "mine").read_text()


def test_an_unknown_unit_is_told_with_those_that_there_are(tmp_path):
    with pytest.raises(demo.DemoError, match="01_vector_add, 02"):
        demo.run(tmp_path / "demo", ["99_nothing"])


def test_what_waits_for_review_by_design_breaks_no_claim_and_a_missing_jail_is_told(monkeypatch, capsys):
    monkeypatch.setattr(jail, "unavailable", lambda: "User namespaces do not work here (Operation not permitted).")
    waiting = f"This one does more, {host_functions.NOT_IN_A_RECORD}"

    demo._say_what_was_not_judged({"a/06: reductions.argmax": waiting, "b/01: vector_add.blend": "The judge died."})

    assert ["b/01: vector_add.blend"] == list(demo._judgeable({"a/06": waiting, "b/01: vector_add.blend": "The judge"}))
    said = capsys.readouterr().out
    assert "1 answers about the order of streams wait" in said
    assert "hostile student was left out" in said and "Operation not permitted" in said
    assert "not judged: b/01: vector_add.blend: The judge died." in said
