"""Whoever follows docs/maintainer-tasks.md finds the file, and in it what the page says to look for."""

from __future__ import annotations

import re

import pytest

from tools.generated import ALL
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "maintainer-tasks.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "](" in line
]


def test_the_page_has_ten_tasks_or_more_and_says_how_many():
    names = "Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen".split()
    words = dict(enumerate(names, 10))

    assert f"\n{words[len(ROWS)]} things" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].replace(" ", "_"))
def test_a_tasks_files_exist_and_the_first_holds_what_to_look_for(row):
    _, where, look_for = row
    paths = [(PAGE.parent / link).resolve() for link in re.findall(r"\]\(([^)]+)\)", where)]
    wanted = re.fullmatch(r"`([^`]+)`", look_for)[1]

    assert [] == [path for path in paths if not path.is_file()]
    assert wanted in paths[0].read_text(encoding="utf-8")


def test_whoever_adds_a_card_is_told_of_every_page_that_counts_cards():
    (row,) = [row for row in ROWS if "the drills" in row[0]]
    named = re.search(r"tools\.generated ([\w -]+)`", row[1])[1].split()
    modules = {one.name: ROOT / f"{one.write[0].replace('.', '/')}.py" for one in ALL if not one.needs}
    counting = [name for name, path in modules.items() if path.is_file() and "all_cards" in path.read_text("utf-8")]

    assert sorted(counting) == sorted(named)
