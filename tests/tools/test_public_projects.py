"""The page on public projects shows what was recorded, and a comparison counts what it says."""

import json

from benchmarks.public_projects import page
from benchmarks.public_projects.comparison import compared
from benchmarks.public_projects.projects import PROJECTS, Project

ONE = Project("one", "a/b", "c0ffee", true={"k.py:3 race": "Two threads write."})


def outcome(kind: str, found: bool = False) -> dict:
    return {"outcome": kind, "found": found, "why": "why"}


def run(tests: dict, findings: tuple = ()) -> dict:
    return {"tests": tests, "findings": list(findings), "cpu_s": 1.0, "ended": False}


def test_what_passes_there_passes_here_is_told_or_is_lost():
    there = run({"a": outcome("passed"), "b": outcome("passed"), "c": outcome("passed"), "d": outcome("failed")})
    here = {"a": outcome("passed"), "b": outcome("failed", True), "d": outcome("passed"), "e": outcome("passed")}
    race = {"at": "k.py:3", "kind": "race", "message": "races"}

    counted = compared(ONE, there, run(here, (race,)))
    assert [3, 1, 1, 2] == [counted[key] for key in ("there", "both", "told", "here_alone")]
    assert {"c": "not run: it did not come to it"} == counted["lost"]
    assert ["Two threads write."] == [one["true"] for one in counted["findings"]]


def test_a_finding_that_nobody_judged_excuses_no_test():
    there = run({"a": outcome("passed")})
    unjudged = {"at": "k.py:4", "kind": "race", "message": "races"}
    counted = compared(ONE, there, run({"a": outcome("failed", True)}, (unjudged,)))
    assert [0, 1] == [counted["told"], len(counted["lost"])]


def test_the_page_shows_what_was_recorded_of_projects_that_are_listed():
    record = json.loads(page.RECORD.read_text())
    assert page.table(record) in page.PAGE.read_text()
    assert {one.name for one in PROJECTS} >= set(record["projects"])
