"""The page on leaving numba's simulator shows what was measured, and what was measured is still so."""

import json
import subprocess
import sys

import pytest

from benchmarks import leaving_cudasim
from benchmarks.cudasim_probes import PROBES


def recorded() -> dict:
    return json.loads((leaving_cudasim.RESULTS / f"{leaving_cudasim.NAME}.json").read_text())


def test_the_page_shows_what_was_recorded_of_every_program():
    document = recorded()

    assert {probe.name for probe in PROBES} == set(document["programs"])
    assert leaving_cudasim.table(document) in leaving_cudasim.PAGE.read_text()


def test_no_program_ends_in_a_fault_of_ours():
    told = {"", "DeadlockError", "InvalidLaunchError", "UnsupportedError"}
    assert told >= {one["simt"]["raises"] for one in recorded()["programs"].values()}


@pytest.mark.release
def test_the_programs_still_do_what_was_recorded():
    command = [sys.executable, "-m", "benchmarks.leaving_cudasim", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=leaving_cudasim.ROOT)
    assert 0 == done.returncode, done.stdout
