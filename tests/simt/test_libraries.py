"""Whose code it is: the program's, an installed package's or Python's own."""

import statistics
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from simt.cuda_api import cuda
from simt.programs.progress import Progress
from simt.programs.session import Session
from simt.source.libraries import library_of


def mine():
    return 1


def test_a_function_of_a_library_is_known_by_its_package_and_the_program_s_own_has_none():
    installed = np.linalg.norm.__wrapped__ if hasattr(np.linalg.norm, "__wrapped__") else np.linalg.norm
    assert ["statistics", "numpy", ""] == [library_of(one, mine) for one in (statistics.mean, installed, mine)]
    assert "" == library_of(statistics.mean, statistics.median), "its own package is no library to a package"


def test_a_launch_that_the_standard_library_makes_is_at_the_line_that_called_it_where_there_is_one():
    @cuda.jit
    def add(x):
        x[0] += 1

    def called_at(call) -> str:
        with Session() as session:
            call()
        return Path(session.findings[0].called_at[0].file).name

    def in_a_thread() -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(add[1, 64], np.zeros(1)).result()

    assert Path(__file__).name == called_at(lambda: unittest.mock.Mock(side_effect=add[1, 64])(np.zeros(1)))
    assert "thread.py" == called_at(in_a_thread)


def test_progress_names_the_function_of_a_line_that_is_not_the_kernel_s():
    def text(function: str) -> str:
        progress = Progress(kernel="mine")
        progress.n_blocks = 2
        progress.access(SimpleNamespace(site=SimpleNamespace(function=function, line=3)))
        return progress.text()

    assert "none of 2 blocks is done, the last access was at line 3" == text("mine")
    assert "none of 2 blocks is done, the last access was at line 3 of helper" == text("helper")
