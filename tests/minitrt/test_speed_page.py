"""The page on speed says what was recorded."""

from __future__ import annotations

import json

from benchmarks.engine.page import PAGE, RESULT, written


def test_the_tables_are_those_of_the_recorded_run():
    """`python -m benchmarks.engine.page` writes them."""
    text = PAGE.read_text()

    assert text == written(text, json.loads(RESULT.read_text()))
