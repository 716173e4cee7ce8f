"""The released notebooks for a notebook service, such as Colab or Kaggle: each begins by installing Warpbook.

    python -m tools.make.hosted https://code.host/you/warpbook [--cuda 12] [--unit NAME ...] [--output build/hosted]

The address is that of your copy of this repository, which the service must be able to reach.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from tools.parts.units import ROOT, units_of

OUTPUT = ROOT / "build" / "hosted"
ADDRESS = re.compile(r"https://[^\s'\"@]+/[^\s'\"@]+")
UNITS = tuple(unit.id for unit in units_of(ROOT / "solutions"))
INSTALL = """# Brings Warpbook to this machine: once, before the other cells.
![ -d warpbook ] || git clone --quiet --depth 1 {address} warpbook
%pip install --quiet "./warpbook[cu{cuda}]"
%env WARPBOOK_SOLUTIONS=warpbook/solutions"""


def hosted(released: nbformat.NotebookNode, address: str, cuda: int) -> nbformat.NotebookNode:
    """The notebook below a cell that installs. address: of a git repository; cuda: 12 or 13, as the driver allows."""
    cell = nbformat.v4.new_code_cell(INSTALL.format(cuda=cuda, address=address), id="install")
    return nbformat.from_dict({**released, "cells": [cell, *released.cells]})


def write(output: Path, address: str, cuda: int, units: Sequence[str] = UNITS) -> list[Path]:
    """Write one notebook a unit. Returns their paths. Raises ValueError for what cannot be cloned."""
    if not ADDRESS.fullmatch(address):
        raise ValueError(
            f"{address!r} is no address of a repository that git can clone. One reads like https://code.host/you/warpbook"
        )
    output.mkdir(parents=True, exist_ok=True)
    paths = []
    for unit in units:
        released = nbformat.read(ROOT / "course" / unit / f"{unit}.ipynb", as_version=4)
        paths.append(output / f"{unit}.ipynb")
        nbformat.write(hosted(released, address, cuda), paths[-1])
    return paths


def main(options: list[str] | None = None) -> int:
    """Write them, and say where."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", help="of a git repository with this course, as in https://code.host/you/warpbook")
    parser.add_argument("--cuda", type=int, choices=(12, 13), default=12, help="of the service (default: 12)")
    parser.add_argument("--unit", action="append", choices=UNITS, help="only this unit; repeatable; default: all")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where they go (default: build/hosted)")
    arguments = parser.parse_args(options)
    try:
        paths = write(arguments.output, arguments.address, arguments.cuda, arguments.unit or UNITS)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{arguments.output}: {len(paths)} notebooks. Upload one, choose a machine with a GPU, run the first cell.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
