"""`warpbook run` behaves as `python` does, and ends with the code that its help promises."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.programs.command import BAD_USAGE, FINDINGS, PROGRAM_FAILED

ROOT = Path(__file__).resolve().parents[3]

RACE = """\
import sys
import numpy as np
from numba import cuda, float32
from beside import SIZE, take

@cuda.jit
def reverse(x, out):
    tile = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]{comment}
    {barrier}
    out[t] = take(tile, SIZE - 1 - t)

def main(arguments):
    x = np.arange(SIZE, dtype=np.float32)
    for _ in range(3):
        out = np.zeros_like(x)
        reverse[1, SIZE](x, out)
    print("first", out[0], arguments, __name__, __file__)
    {last}

main(sys.argv[1:])
"""
BESIDE = """\
from numba import cuda

SIZE = 64

@cuda.jit(device=True)
def take(tile, i):
    return tile[i]
"""


def program(folder: Path, barrier="pass", last="pass", comment="") -> Path:
    (folder / "beside.py").write_text(BESIDE)
    path = folder / "reverse.py"
    path.write_text(RACE.format(barrier=barrier, last=last, comment=comment))
    return path


def run(*arguments, cwd=None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "autograder.cli", "run", *map(str, arguments)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd or ROOT, env=environment)


def test_a_right_program_prints_what_it_prints_and_ends_with_0(tmp_path):
    path = program(tmp_path, barrier="cuda.syncthreads()")
    done = run(path, "--steps", "3")

    assert 0 == done.returncode, done.stderr
    assert f"first 63.0 ['--steps', '3'] __main__ {path}" == done.stdout.splitlines()[0]
    assert "warpbook: no findings in 3 launches of 1 kernel" in done.stdout


def test_a_race_is_told_once_for_three_launches_with_the_files_of_both_lines(tmp_path):
    done = run(program(tmp_path).name, cwd=tmp_path)

    assert FINDINGS == done.returncode
    assert 1 == done.stdout.count("reverse.py:10  race")
    assert "    9: t = cuda.threadIdx.x\n  > 10: tile[t] = x[t]\n    11: pass\n" in done.stdout
    assert "    beside.py:7\n    6: def take(tile, i):\n  > 7:     return tile[i]\n" in done.stdout
    assert 1 == done.stdout.count("silences: # warpbook: ok race - why this is right")
    assert "Nothing orders the two accesses" in done.stdout
    assert "array tile: in 3 of 3 launches, first in launch 1, reverse[1, 64], launched at reverse.py:18" in done.stdout


def test_findings_that_nobody_reads_are_no_error_and_count_all_the_same(tmp_path):
    path = program(tmp_path)
    path.write_text(
        path.read_text().replace('print("first",', 'repr(("first",').replace("__file__)", "__file__))")
    )  # what a program prints is its own
    command = [sys.executable, "-m", "autograder.cli", "run", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        process.stdout.close()  # as `| head` does

        assert "" == process.stderr.read()

    assert FINDINGS == process.returncode


def test_a_finding_of_several_arrays_is_in_no_more_launches_than_there_were(tmp_path):
    source = (
        "import numpy as np\nfrom numba import cuda\n\n@cuda.jit\ndef shift(x, y):\n    t = cuda.threadIdx.x\n"
        "    x[t] = x[t + 1] + y[t + 1]\n\nx = np.zeros(64)\nfor _ in range(12):\n    shift[1, 63](x, x.copy())\n"
        "    shift[1, 64](np.zeros(64), np.zeros(64))\n"
    )
    (tmp_path / "shift.py").write_text(source)

    done = run("--json", tmp_path / "shift.py")
    launched = {found["kind"]: found["launches"]["count"] for found in json.loads(done.stdout)["findings"]}

    assert {"race": 24, "out_of_bounds": 12} == launched | {"race": launched["race"]}, done.stdout


def test_a_comment_with_a_reason_silences_the_race_and_is_told(tmp_path):
    done = run(program(tmp_path, comment="  # warpbook: ok race - one warp").name, cwd=tmp_path)
    assert 0 == done.returncode
    assert "no findings, 1 silenced" in done.stdout
    assert "silenced: reverse.py:10, beside.py:7  race: one warp" in done.stdout


@pytest.mark.release
def test_a_comment_that_silences_nothing_is_told(tmp_path):
    path = program(tmp_path, barrier="cuda.syncthreads()", comment="  # warpbook: ok race - once needed")
    done = run(path.name, cwd=tmp_path)
    assert 0 == done.returncode
    assert "reverse.py:10: this comment silences nothing" in done.stdout


def test_an_exception_is_shown_with_the_program_s_frames_only(tmp_path):
    path = program(tmp_path, last="raise LookupError('no such step')")
    done, python = run(path), "  File "

    assert PROGRAM_FAILED == done.returncode
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert done.stderr.endswith("LookupError: no such step\n")
    assert {str(path)} == {line.split('"')[1] for line in done.stderr.splitlines() if line.startswith(python)}
    assert "race" in done.stdout and "the program itself ended with code 1" in done.stdout


@pytest.mark.parametrize(
    ("last", "own"), [pytest.param("sys.exit(7)", 7, marks=pytest.mark.release), ("sys.exit('enough')", 1)]
)
def test_the_program_s_own_code_is_told_and_stands_apart(tmp_path, last, own):
    done = run(program(tmp_path, barrier="cuda.syncthreads()", last=last))
    assert PROGRAM_FAILED == done.returncode
    assert f"the program itself ended with code {own}" in done.stdout
    assert ("enough" in done.stderr) == ("enough" in last)


@pytest.mark.release
def test_leaving_with_0_is_no_failure(tmp_path):
    assert 0 == run(program(tmp_path, barrier="cuda.syncthreads()", last="sys.exit()")).returncode


def test_json_is_one_document_and_the_program_prints_beside_it(tmp_path):
    done = run("--json", "--counters", program(tmp_path))
    document = json.loads(done.stdout)

    assert "first 63.0" in done.stderr
    assert (1, 0, 3) == tuple(document[name] for name in ("exit_code", "script_exit_code", "launches"))
    race = document["findings"][0]
    assert ("race", ["tile"], 3, [10, 7]) == (
        race["kind"], race["arrays"], race["launches"]["count"], [place["line"] for place in race["places"]],
    )  # fmt: skip
    assert 3 * 2 == document["kernels"][0]["counters"]["global_load_requests"]


@pytest.mark.parametrize("path", ["nowhere.py", "."])
def test_what_is_no_program_is_bad_usage(tmp_path, path):
    done = run(path, cwd=tmp_path)
    assert BAD_USAGE == done.returncode
    assert "warpbook run: " in done.stderr and "Traceback" not in done.stderr


def test_what_was_found_is_written_as_sarif_and_as_a_page(tmp_path):
    (tmp_path / "shift.py").write_text(SHIFT)
    sarif, page = tmp_path / "found.sarif", tmp_path / "found.html"

    done = run("--sarif", sarif, "--html", page, tmp_path / "shift.py")
    (one,) = json.loads(sarif.read_text())["runs"]
    results = {result["ruleId"]: result for result in one["results"]}
    assert 1 == done.returncode and "2.1.0" == json.loads(sarif.read_text())["version"]
    assert {rule["id"] for rule in one["tool"]["driver"]["rules"]} == set(results)
    where = results["out_of_bounds"]["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"].endswith("shift.py") and 9 == where["region"]["startLine"]
    assert "error" == results["out_of_bounds"]["level"] and "outside the array" in page.read_text()
    assert "<mark>    9 " in page.read_text()


def test_a_folder_that_does_not_exist_is_told_before_the_program_runs(tmp_path):
    (tmp_path / "shift.py").write_text("print('ran')\n")
    done = run("--sarif", tmp_path / "nowhere" / "found.sarif", tmp_path / "shift.py")
    assert 2 == done.returncode and "there is no such folder" in done.stderr and "ran" not in done.stdout


SHIFT = """import numpy as np
from numba import cuda


@cuda.jit
def shift(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i + 1] = 2


shift[1, 8](np.zeros(8))
"""
