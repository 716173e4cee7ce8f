"""The tables in the README say what the contracts and the recorded results say."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.tools.tiny_course import FIXTURES, tiny_contracts
from tools.make import run_picture
from tools.parts.results_table import NOTHING, results_table
from tools.parts.unit_table import unit_table
from tools.parts.units import ROOT
from tools.readme import PARTS, between_markers, fresh

MOST_LINES = 40  # before the first table
UNITS = """\
| unit | what it is about | exercises | points |
|---|---|---|---|
| [00_welcome](course/00_welcome/00_welcome.ipynb) | Welcome | ungraded | |
| [01_scale](course/01_scale/01_scale.ipynb) | Scale | `scale` | 4 + 1.5 for speed |"""

RESULTS = """\
NVIDIA Test GPU, 2026-11-20:

| kernel | rate | of a copy | library in the same run |
|---|---|---|---|
| `scale.scale` | 2,000 GB/s | 80% | 0.50x the speed of torch.mul |
| `scale.other` | it ran out of memory | | |"""

PAGE = "before\n<!-- units: begin (make course writes this) -->\nold\n<!-- units: end -->\nafter\n"


def test_the_table_of_units_lists_exercises_and_points():
    assert UNITS == unit_table(FIXTURES, tiny_contracts)


def test_the_table_of_results_names_the_device_and_compares_within_one_run(tmp_path):
    row = {"exercise": "scale.scale", "time_us": 10.0, "library_us": 5.0, "library": "torch.mul"}
    row |= {"rate_gbs": 2000.0, "copy_rate_gbs": 2500.0}
    failed = {"exercise": "scale.other", "error": "it ran out of memory"}
    folder = tmp_path / "benchmarks" / "results"
    folder.mkdir(parents=True)
    document = {"device": "NVIDIA Test GPU", "date": "2026-11-20", "rows": [row, failed]}
    (folder / "nvidia-test-gpu.json").write_text(json.dumps(document))
    told = {**document, "rows": [{"exercise": "scale.scale", "outcome": "right"}]}  # of a class, not a time
    (folder / "answers-test-gpu.json").write_text(json.dumps(told))

    assert RESULTS == results_table(tmp_path)


def test_without_recorded_results_the_readme_says_so(tmp_path):
    assert NOTHING == results_table(tmp_path)


def test_only_what_is_between_the_markers_is_replaced():
    expected = "before\n<!-- units: begin (make course writes this) -->\nnew\n<!-- units: end -->\nafter\n"

    assert expected == between_markers(PAGE, "units", "new")


def test_a_page_without_markers_is_refused():
    with pytest.raises(ValueError, match="once each"):
        between_markers("no markers here", "units", "new")


@pytest.mark.parametrize("page", PARTS)
def test_a_page_has_the_tables_that_the_contracts_and_results_give(page):
    assert (ROOT / page).read_text(encoding="utf-8") == fresh(ROOT, page), "run `make course`"


def test_somebody_who_arrives_finds_three_doors_each_with_a_command_and_a_picture_before_any_table():
    before = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n|")[0]
    doors = re.split(r"^\*\*(?:Learn|Teach|Use the tools)\b", before.partition("\n## ")[0], flags=re.MULTILINE)[1:]

    assert MOST_LINES >= before.count("\n") + 1
    assert 3 == len(doors)
    for door, command in zip(doors, ("make lab", "make demo", "warpbook run"), strict=True):
        (block,) = re.findall(r"^```\n(.*?)^```", door, flags=re.MULTILINE | re.DOTALL)
        (picture,) = re.findall(r"^!\[[^]]+\]\((.+)\)$", door, flags=re.MULTILINE)
        assert block.startswith(command) and 1 == block.count("\n")
        assert (ROOT / picture).is_file()


def test_the_picture_of_the_tools_shows_what_the_command_says_today():
    drawn = html.unescape(re.sub(r"<[^>]+>", " ", run_picture.PICTURE.read_text(encoding="utf-8")))

    assert [] == [word for word in run_picture.said().split() if word not in drawn]
