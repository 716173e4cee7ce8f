"""Timed sets: drawn once a machine, kept where nobody can change them, and gone with whoever keeps them."""

import math
import os
import signal
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from autograder import exercises
from autograder.answer.reference import solution_program
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import timing
from autograder.classroom.sealed.carried import Bench
from autograder.classroom.sealed.fixed import NOT_FIXED
from autograder.classroom.sealed.sets import drawing, kept, shared
from autograder.classroom.sealed.stage import Sealed
from autograder.speed.bench import timed_exercises
from autograder.speed.footprint import Device
from tests.autograder.classroom.sealed import at_hand

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory without a name is Linux's")

EXERCISE, SIZES, SEEDS = at_hand.EXERCISE, {"n": at_hand.N}, ["one", "two"]
KEY = "k" * kept.KEY
WORKER = """
import sys, time
from autograder.classroom.sealed.sets import drawing, shared
from tests.autograder.classroom.sealed import at_hand
draw = drawing.draw
def slowly(*asked):
    print("draws", flush=True)
    time.sleep(1)
    return draw(*asked)
drawing.draw = slowly
with shared.sets(at_hand.EXERCISE, {"n": at_hand.N}, ["one", "two"], share=True) as found:
    print(found.drawn[0].expected["out"].sum(), flush=True)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Where entries lie: for this test alone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(shared.tempfile, "tempdir", str(tmp_path))
    yield tmp_path / f"warpbook-timed-{os.getuid()}"
    shared.let_go_of_all()


def same(one, other):
    return {name: (type(v), np.shape(v), np.asarray(v).tobytes()) for name, v in one.items()} == {
        name: (type(v), np.shape(v), np.asarray(v).tobytes()) for name, v in other.items()
    }


def entries(folder):
    return [path for path in folder.iterdir() if path.name != shared.ROOM]


def drawn_here(seeds=SEEDS):
    with shared.sets(EXERCISE, SIZES, seeds, share=True) as found:
        return found.drawn[0].values["a"].tobytes()


@pytest.mark.parametrize("exercise", timed_exercises(), ids=attrgetter("id"))
def test_what_is_kept_is_what_was_drawn_for_every_exercise_that_is_timed(exercise):
    cases = [case.sizes for case in exercise.cases if not case.demanding]
    largest = max(cases, key=lambda sizes: math.prod(sizes.values()))  # timed sizes are up to seconds of arithmetic
    (one,) = drawing.draw(exercise, largest, ["one"])
    found = kept.keep(KEY, exercise, [one])

    inputs = {a.name for a in exercise.arguments if a.role in ("in", "inout")}
    given, back = ({n: v for n, v in values.items() if n in inputs} for values in (one.values, found.drawn[0].values))
    assert same(given, back)
    assert same(one.expected, found.drawn[0].expected) and same(one.bounds, found.drawn[0].bounds)
    geometry = [
        {n: (np.shape(v), np.asarray(v).dtype) for n, v in each.values.items()} for each in (one, found.drawn[0])
    ]
    assert geometry[0] == geometry[1]
    assert {n for n, v in given.items() if isinstance(v, np.ndarray)} == set(found.at(0))
    found.close()


def test_nobody_can_change_what_is_kept_or_pass_other_memory_for_it():
    found = kept.keep(KEY, EXERCISE, drawing.draw(EXERCISE, SIZES, SEEDS))
    path = f"/proc/self/fd/{found.inputs.descriptor}"

    with pytest.raises(ValueError, match="read-only"):
        found.drawn[0].values["a"][0] = 1
    for do in (lambda fd: os.pwrite(fd, b"x", 0), lambda fd: os.ftruncate(fd, 0)):
        descriptor = os.open(path, os.O_RDWR)  # as the user who owns it may
        with pytest.raises(PermissionError):
            do(descriptor)
        os.close(descriptor)
    with pytest.raises(ValueError, match="other timed sets"):
        kept.opened("o" * kept.KEY, os.getpid(), [found.inputs.descriptor, found.oracle.descriptor])
    unsealed = os.memfd_create("forged", os.MFD_ALLOW_SEALING)
    os.pwrite(unsealed, KEY.encode(), 0)
    with pytest.raises(ValueError, match="could change"):
        kept.opened(KEY, os.getpid(), [unsealed, found.oracle.descriptor])
    os.close(unsealed)
    found.close()


def started():
    asked = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": jail.PROJECT}
    return subprocess.Popen([sys.executable, "-c", WORKER], **asked)


def test_workers_draw_once_and_what_is_kept_ends_with_the_one_that_was_killed(folder):
    workers = [started() for _ in range(3)]
    said = [[] for _ in workers]
    for worker, lines in zip(workers, said, strict=True):
        while not lines or lines[-1] != "ready":
            lines.append(worker.stdout.readline().strip())
    (maker,) = [n for n, lines in enumerate(said) if "draws" in lines]
    assert 1 == len({lines[-2] for lines in said})  # the same expected values
    (entry,) = entries(folder)
    process, inputs, _, n_bytes = map(int, entry.read_text().split())
    assert workers[maker].pid == process and n_bytes > 2 * 3 * 4 * at_hand.N and shared._taken(folder) == n_bytes

    workers[maker].send_signal(signal.SIGKILL)
    workers[maker].wait()

    assert 0 == shared._taken(folder) and not os.path.exists(f"/proc/{process}/fd/{inputs}")
    here = drawn_here()  # drawn anew, the same
    assert int(entry.read_text().split()[0]) == os.getpid()
    (one, _) = drawing.draw(EXERCISE, SIZES, SEEDS)
    assert one.values["a"].tobytes() == here
    drawn_here(["others"])
    assert 2 == len(entries(folder))
    for worker in workers:
        worker.kill()
        worker.communicate()
    shared.let_go_of_all()
    assert not folder.exists()


def test_what_is_kept_has_a_limit_and_is_let_go_of_when_nobody_asks(folder, monkeypatch):
    drawn_here()
    (n_bytes,) = {shared._taken(folder)}
    monkeypatch.setattr(shared.memory_held, "there_is", lambda: [int(2.5 * n_bytes / shared.SHARE)])

    drawn_here(["three", "four"])
    assert 2 * n_bytes == shared._taken(folder)
    drawn_here(["five", "six"])  # the oldest goes
    assert 2 * n_bytes == shared._taken(folder) and 2 == len(entries(folder)) == len(shared._made)
    monkeypatch.setattr(shared.memory_held, "there_is", lambda: [n_bytes])
    drawn_here(["seven", "eight"])
    assert not shared._made and not entries(folder)[0].read_text()  # drawn for itself alone

    monkeypatch.setattr(shared.memory_held, "there_is", lambda: [1 << 40])
    drawn_here()
    os.utime(folder / next(iter(shared._made)), (0, 0))
    shared._let_go_of_idle()
    assert not shared._made and 0 == shared._taken(folder)


def test_where_the_folder_is_not_this_users_own_a_worker_draws_for_itself(folder):
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)

    assert drawn_here() and not list(folder.iterdir())


LOOKS_FOR_IT = """
import os
print(sum(name.startswith("warpbook-timed") for place in ("/tmp", "/dev/shm", "/var/tmp", {folder!r})
          if os.path.isdir(place) for name in [os.path.basename(place), *os.listdir(place)]))
print(os.path.exists("/proc/{process}/fd/{descriptor}"))
for where in ({folder!r}, "/dev/shm"):
    try:
        open(where + "/mine", "wb")
    except OSError as error:
        print(type(error).__name__)
"""


@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_a_jail_neither_sees_nor_fills_what_is_kept(folder):
    drawn_here()
    process, inputs, *_ = map(int, entries(folder)[0].read_text().split())
    text = LOOKS_FOR_IT.format(folder=str(folder), process=process, descriptor=inputs)

    said = jail.exchange(["-c", text], b"", seconds=30).decode().split()

    assert os.path.exists(f"/proc/{process}/fd/{inputs}")  # outside, the same path is it
    assert ["0", "False", "FileNotFoundError", "FileNotFoundError"] == said
    assert 2 == len(list(folder.iterdir()))


def test_a_launcher_is_given_the_inputs_and_no_expected_value():
    found = kept.keep(KEY, EXERCISE, drawing.draw(EXERCISE, SIZES, SEEDS))
    with at_hand.launcher() as launcher:
        bench = Bench(launcher, {"yours": at_hand.adding()}, 2)
        bench.give(found)
        sample = bench.once("yours", 1, back=["out"], like=found.drawn[1].values, unchanged=["a", "b"])
        maps = Path(f"/proc/{launcher.process.pid}/maps").read_text().splitlines()
        mapped = {int(line.split()[4]) for line in maps if "memfd:warpbook-timed" in line}
        arrays = sample.arrays["out"].copy()

    assert {os.fstat(found.inputs.descriptor).st_ino} == mapped
    assert () == sample.changed and np.array_equal(arrays, found.drawn[1].expected["out"].astype(np.float32))
    expected = found.drawn[0].expected["out"]
    for values in (expected, expected.astype(np.float32)):
        assert values.tobytes() not in found.inputs.bytes.tobytes()
    found.close()


def test_answers_of_a_run_are_timed_on_the_same_values_and_others_on_their_own(folder):
    exercise = exercises.find("vector_add.vector_add_unrolled")
    program, device = solution_program(exercise), Device("any", (9, 0), 1 << 12, 1 << 30, 1e9)

    def values_for(drawn, code, secret="run"):
        race = timing._Race(exercise, device, SIZES, Sealed(drawn=drawn))
        race.code = [at_hand.code("adds", code)]
        with race.sets_for(program, secret) as found:
            return found.drawn[0].values["a"].tobytes()

    one = values_for("seed", b"one")
    assert one == values_for("seed", b"two")
    assert 1 == len(entries(folder))
    others = [
        values_for("seed", b"one", "another run"), values_for("another seed", b"one"),
        values_for("", b"one"), values_for("", b"two"), values_for(NOT_FIXED, b"three"),
    ]  # fmt: skip
    assert 6 == len({one, *others})
    assert 3 == len(entries(folder))  # what no seed was drawn for is nobody else's
