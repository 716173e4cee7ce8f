"""Nothing that runs here leaves anything in the temporary folder, however it ends."""

import ast
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from autograder.classroom.jail import namespaces as jail
from autograder.machine import scratch
from tests.patience import PATIENCE_S
from tools.parts.units import ROOT

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
AT_WORK = """
import subprocess, sys, time
from autograder.classroom.jail import namespaces
from autograder.machine import scratch
scratch.leave_in_order()
folder = scratch.ScratchFolder("test")
open(folder.name + "/file", "w").close()
def wait():
    print("ready", flush=True)
    time.sleep(600)
{work}
"""
IN_A_JAIL = """
code = "print('up', flush=True); import time; time.sleep(600)"
with namespaces.running(["-c", code], [], subprocess.DEVNULL) as process:
    assert process.stdout.readline() == b"up\\n"
    folder.cleanup()
    wait()
"""
SOURCES = ("autograder", "simt", "minitrt", "tools", "benchmarks", "tests", "conftest.py")
MAKERS = ("mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile")


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """A process at work that has tmp_path as its temporary folder. It is gone after the test."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    started = []

    def begin(work: str) -> subprocess.Popen:
        command = [sys.executable, "-c", AT_WORK.format(work=work)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def _lie_in(folder: Path) -> list[str]:
    return sorted(path.name.rpartition(".")[0] for path in folder.iterdir())


def test_a_folder_goes_with_sigterm(begun, tmp_path):
    process = begun("wait()")
    assert _lie_in(tmp_path) == ["warpbook.test"]

    process.terminate()

    assert process.wait(PATIENCE_S) == scratch.TERMINATED
    assert _lie_in(tmp_path) == []


def test_what_a_killed_process_left_is_swept_by_the_next_and_what_a_live_one_holds_is_not(begun, tmp_path):
    killed, alive = begun("wait()"), begun("wait()")
    others = tmp_path / "somebody-elses"
    others.mkdir()
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait(PATIENCE_S)
    assert len(_lie_in(tmp_path)) == 3

    swept = scratch.sweep(str(tmp_path))

    assert len(swept) == 1 and len(_lie_in(tmp_path)) == 2 and others.exists() and alive.poll() is None


def test_the_first_folder_of_a_process_sweeps(begun, tmp_path):
    killed = begun("wait()")
    killed.kill()
    killed.wait(PATIENCE_S)

    after = begun("folder.cleanup(); wait()")

    assert after.poll() is None and _lie_in(tmp_path) == []


@needs_jail
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_jail_has_no_folder_outside_once_it_stands_so_none_is_left_when_a_grader_is_killed(begun, tmp_path, number):
    grader = begun(IN_A_JAIL)
    assert _lie_in(tmp_path) == []

    grader.send_signal(number)
    grader.wait(PATIENCE_S)

    time.sleep(0.2)
    assert _lie_in(tmp_path) == []


def test_a_forked_process_leaves_the_folder_to_the_one_that_made_it(tmp_path):
    code = "import os, sys; from autograder.machine.scratch import ScratchFolder as Folder; folder = Folder('test')\n"
    code += "if not os.fork(): sys.exit()\nos.wait(); print(os.path.isdir(folder.name))"

    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True
    )

    assert (said.stdout, _lie_in(tmp_path)) == (b"True\n", [])


def test_nothing_else_makes_files_or_folders_in_the_temporary_folder():
    found = []
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob("*.py")) if source[-3:] != ".py" else [ROOT / source]:
            text = path.read_text(encoding="utf-8")
            if any(name in text for name in MAKERS) and path.name not in ("scratch.py", Path(__file__).name):
                found += [f"{path.relative_to(ROOT)}:{line}" for line in _makes_in_the_temporary_folder(text)]

    assert found == [], "Use autograder.machine.scratch.ScratchFolder, or pytest's tmp_path."


def _makes_in_the_temporary_folder(text: str) -> list[int]:
    """Lines of calls that make something there, with no `dir` of their own: of this program, and of one in a string."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MAKERS:
            found += [node.lineno] if all(keyword.arg != "dir" for keyword in node.keywords) else []
        elif isinstance(node, ast.Constant) and any(f"tempfile.{name}(" in str(node.value) for name in MAKERS):
            with suppress(SyntaxError):  # a page that speaks of one
                found += [node.lineno] if _makes_in_the_temporary_folder(node.value) else []
    return found


def test_a_program_in_a_string_is_read_too():
    assert [1] == _makes_in_the_temporary_folder('PROGRAM = "import tempfile\\ntempfile.mkdtemp()"')
    assert [] == _makes_in_the_temporary_folder('PROGRAM = "import tempfile\\ntempfile.mkdtemp(dir=out)"')
