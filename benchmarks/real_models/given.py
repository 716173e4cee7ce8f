"""What is said of a published model: where it is, and what it is given."""

from __future__ import annotations

from typing import NamedTuple


class Given(NamedTuple):
    """An input. shape: what it is measured with [the file's]; low, high: of a profile [shape].

    of: "normal"; "uniform" in [0, 1); "audio", normal and a tenth as large; a number; (low, high) of integers.
    """

    shape: tuple[int, ...] | None = None
    low: tuple[int, ...] | None = None
    high: tuple[int, ...] | None = None
    of: str | float | tuple[int, int] = "normal"


class Model(NamedTuple):
    """A file of a package's wheel. tolerance: of the error, as a part of an output's largest number, or of 1.

    rows: (column, number) where an output lists what was found, best first: rows whose number in that column is
    smaller are noise, of which scores that are equal but for rounding may come in any order, and are not compared.
    """

    package: str
    version: str
    file: str
    inputs: dict[str, Given] = {}
    tolerance: float = 1e-4
    rows: tuple[int, float] | None = None
