"""The table of units in the README says what the contracts say."""

from __future__ import annotations

import pytest

from tests.tools.tiny_course import FIXTURES, tiny_contracts
from tools.unit_table import BEGIN, END, table, with_table
from tools.units import ROOT

EXPECTED = """\
| unit | what it is about | exercises | points |
|---|---|---|---|
| [00_welcome](course/00_welcome/00_welcome.ipynb) | Welcome | ungraded | |
| [01_scale](course/01_scale/01_scale.ipynb) | Scale | `scale` | 4 + 1.5 for speed |"""


def test_the_table_lists_units_exercises_and_points():
    assert EXPECTED == table(FIXTURES, tiny_contracts)


def test_only_what_is_between_the_markers_is_replaced():
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"

    assert f"before\n{BEGIN}\nnew\n{END}\nafter\n" == with_table(page, "new")


def test_a_page_without_markers_is_refused():
    with pytest.raises(ValueError, match="once each"):
        with_table("no markers here", "new")


def test_the_readme_has_the_table_that_the_contracts_give():
    page = (ROOT / "README.md").read_text()

    assert page == with_table(page, table(ROOT)), "run `make course`"
