"""Tests of Python's `unittest` under the command: a launch that is refused on purpose is no finding."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TESTS = """
import unittest
import numpy as np
from simt.cuda_api import cuda

@cuda.jit
def add(x):
    x[cuda.grid(1)] += 1

@cuda.jit
def lists(x):
    x[0] = len([1, 2])

class Refused(unittest.TestCase):
    def test_a_block_too_large(self):
        with self.assertRaises(Exception):
            add[1, 2048](np.zeros(4))
    def test_a_list(self):
        self.assertRaises(Exception, lists[1, 1], np.zeros(4))

class Failing(unittest.TestCase):
    def test_a_block_too_large(self):
        add[1, 2048](np.zeros(4))
    def test_a_race(self):
        both[1, 64](np.zeros(4))

@cuda.jit
def both(x):
    x[0] += 1
"""


def unit_tests(folder: Path, *names: str) -> subprocess.CompletedProcess:
    (folder / "test_kernels.py").write_text(TESTS)
    command = [sys.executable, "-m", "simt", "-m", "unittest", *(f"test_kernels.{name}" for name in names)]
    environment = {"PYTHONPATH": f"{ROOT}:{folder}", "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_what_a_test_that_passes_expected_is_a_note_that_names_its_line(tmp_path):
    done = unit_tests(tmp_path, "Refused")
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "warpbook: no findings in 2 launches of 2 kernels" in done.stdout
    assert 2 == done.stdout.count("The test expected the error that it raises.")
    assert "lists[1, 1], launched at test_kernels.py:19" in done.stdout.replace(f"{tmp_path}/", ""), done.stdout


def test_what_another_test_did_not_expect_is_a_finding(tmp_path):
    done = unit_tests(tmp_path, "Failing")
    assert 3 == done.returncode and "warpbook: 2 findings in 2 launches of 2 kernels" in done.stdout, done.stdout
