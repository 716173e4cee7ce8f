"""Programs as people write them, whole, without a GPU: right ones find nothing, wrong ones are found, by line."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.programs.running import marked, programs

ROOT = Path(__file__).resolve().parents[2]
NAMES = [f"{path.parent.name}/{path.stem}" for path in programs()]
WITHOUT_NUMBA = {"PYTHONPATH": os.pathsep.join((str(ROOT / "tests/no_numba"), str(ROOT)))}
WITH_NUMBA = {"PYTHONPATH": str(ROOT)}


def told(environment: dict) -> dict:
    command = [sys.executable, "-m", "tests.programs.running"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), **environment}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module", params=["numba", "no numba"])
def found(request):
    if request.param == "numba" and find_spec("numba") is None:
        pytest.skip("numba is not installed")
    return told(WITH_NUMBA if request.param == "numba" else WITHOUT_NUMBA)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_runs_to_its_end_and_its_mistakes_are_found_at_their_lines(found, name):
    one = found[name]
    program = next(path for path in programs() if f"{path.parent.name}/{path.stem}" == name)

    assert 0 == one["code"] and 0 < one["launches"] and [] == one["remarks"], one["printed"]
    promised = marked(program)
    assert set(promised) == {finding["kind"] for finding in one["findings"]}, one["findings"]
    for kind, lines in promised.items():
        places = {
            place["line"]
            for finding in one["findings"]
            if finding["kind"] == kind
            for place in finding["places"]
            if place["file"] == str(program)
        }
        assert lines <= places or (kind == "invalid_launch" and not places), (kind, places)


def test_there_are_enough_of_both_kinds():
    assert 40 <= sum(name.startswith("right/") for name in NAMES)
    assert 20 <= sum(name.startswith("wrong/") for name in NAMES)
