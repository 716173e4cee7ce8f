"""Submissions that stop, or once stopped, whoever reads them: too deep, too large, too slow, not text, not there.

Each answers `scale` of the tiny unit, unless it is about files and names. becomes: what the class's run says of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat

from tests.autograder.classroom.conftest import RIGHT, notebook

USED = RIGHT.replace("factor * src[i]", "factor * src[i] + X")


@dataclass(frozen=True)
class Stopper:
    """becomes: "judged" (the rest of the cell is right), "not taken" (the cell) or "refused" (the file)."""

    name: str
    becomes: str
    source: str = ""
    place: Callable[[Path], None] | None = None  # puts something else than a notebook into a student's folder


def used(value: str) -> str:
    """A kernel that needs a constant of this value."""
    return f"X = {value}\n{USED}"


def beside(statement: str) -> str:
    """A right kernel in one cell with a statement that it does not need."""
    return f"{statement}\n{RIGHT}"


def chain(n: int) -> str:
    return "".join(f"X{k} = X{k - 1} + 1\n" for k in range(1, n))


TEXTS = (
    Stopper("rounds_to_a_billion_digits", "not taken", used("round(1, -10 ** 9)")),
    Stopper("rounds_with_a_float", "not taken", used("round(1.5, 1e308)")),
    Stopper("text_of_13_gigabytes", "not taken", used("np.full(65536, 'a', dtype='S200000')")),
    Stopper("records", "not taken", used("np.zeros(9, 'f4,' * 9)")),
    Stopper("words_in_a_table", "not taken", used(f"np.array({('x' * 900,) * 2})")),
    Stopper("four_thousand_tables", "judged", "".join(f"T{n} = np.ones(65536, 'D')\n" for n in range(4000)) + RIGHT),
    Stopper("eight_thousand_names", "judged", beside(", ".join(f"v{n}" for n in range(8000)) + " = 1")),
    Stopper("all_of_them_used", "not taken",
            ", ".join(f"v{n}" for n in range(8000)) + " = " + ", ".join(f"v{n}" for n in range(8000)) + "\n"
            + RIGHT.replace("src[i]", "src[i] * v0")),
    Stopper("nine_hundred_terms", "not taken", used("1" + " + 1" * 900)),
    Stopper("six_hundred_minus_signs", "not taken", used("-" * 600 + "1")),
    Stopper("six_hundred_nots", "not taken", used("not " * 600 + "1")),
    Stopper("a_sum_that_nobody_needs", "judged", beside("print(1" + " + 1" * 900 + ")")),
    Stopper("five_thousand_digits", "judged", beside("Y = 0x" + "f" * 5000)),
    Stopper("five_thousand_digits_used", "not taken", used("0x" + "f" * 5000)),
    Stopper("five_thousand_digits_inside", "judged", RIGHT.replace("src[i]", "src[i] + 0 * 0x" + "f" * 5000)),
    Stopper("nine_hundred_attributes", "not taken", RIGHT.replace("src[i]", "src" + ".T" * 950 + "[i]")),
    Stopper("nine_hundred_calls", "not taken", RIGHT.replace("src[i]", "abs(" * 90 + "src[i]" + ")" * 90 + ".T" * 90)),
    Stopper("brackets_without_end", "not taken", used("(" * 5000 + "1" + ")" * 5000)),
    Stopper("a_deep_decorator", "not taken", RIGHT.replace("@cuda.jit", "@cuda.jit(opt=" + "-" * 600 + "1)")),
    Stopper("a_deep_default", "not taken", RIGHT.replace("dst)", "dst=" + "-" * 600 + "1)")),
    Stopper("a_deep_condition", "judged", beside("if " + "not " * 800 + "1: pass")),
    Stopper("a_name_of_ninety_thousand_letters", "judged", beside("x" * 90_000 + " = 1")),
    Stopper("a_text_of_ninety_thousand_letters", "judged", beside("Y = '" + "x" * 90_000 + "'")),
    Stopper("ten_thousand_targets", "judged", beside(" = ".join(f"v{n}" for n in range(10_000)) + " = 1")),
    Stopper("ten_thousand_parameters", "judged", beside(f"def f({', '.join(f'a{n}' for n in range(9999))}): pass")),
    Stopper("a_chain_of_constants", "judged", "X0 = 0\n" + chain(3000) + USED.replace("+ X", "+ 0 * X2999")),
    Stopper("a_power_of_powers", "not taken", used("2.0 ** 64 ** 64 ** 64 ** 64")),
    Stopper("a_shift", "not taken", used("1 << 10 ** 9")),
    Stopper("a_range_of_a_billion", "not taken", used("np.arange(10 ** 9)")),
    Stopper("a_range_of_nothing", "not taken", used("np.arange(0, 1, 1e-300)")),
    Stopper("an_outer_product", "not taken", used("np.outer(np.ones(60000), np.ones(60000))")),
    Stopper("a_negative_table", "not taken", used("np.zeros((-1, 10 ** 12))")),
    Stopper("half_a_character", "refused", beside("# \udcff")),
    Stopper("half_a_character_in_a_name", "refused", beside("Y\ud800 = 1")),
    Stopper("a_null_character", "not taken", beside("Y = 1\0")),
    Stopper("a_form_feed", "judged", beside("\f")),
)  # fmt: skip


def _folder_for_a_notebook(unit: Path) -> None:
    (unit / "90_tiny.ipynb").mkdir()


def _pipe_for_a_notebook(unit: Path) -> None:
    os.mkfifo(unit / "90_tiny.ipynb")


def _name_that_is_no_text(unit: Path) -> None:
    (unit / os.fsdecode(b"tiny\xff.ipynb")).write_text(nbformat.writes(notebook(scale=RIGHT)))


def _deep_metadata(unit: Path) -> None:
    text = nbformat.writes(notebook(scale=RIGHT)).replace(
        '"metadata": {}', '"metadata": ' + '{"a": ' * 900 + "1" + "}" * 900
    )
    (unit / "90_tiny.ipynb").write_text(text)


def _ten_megabytes_of_brackets(unit: Path) -> None:
    (unit / "90_tiny.ipynb").write_text('{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {"a": ['
                                        + "[]," * 3_000_000 + "0]}}")  # fmt: skip


FILES = (
    Stopper("a_folder_as_a_notebook", "refused", place=_folder_for_a_notebook),
    Stopper("a_pipe_as_a_notebook", "refused", place=_pipe_for_a_notebook),
    Stopper("a_name_that_is_no_text", "refused", place=_name_that_is_no_text),
    Stopper("brackets_in_metadata", "refused", place=_deep_metadata),
    Stopper("ten_megabytes_of_brackets", "refused", place=_ten_megabytes_of_brackets),
)
