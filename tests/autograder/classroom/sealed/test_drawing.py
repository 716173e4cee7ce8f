"""The same seed draws the same inputs on every machine, and no two of its numbers are drawn from one stream's place."""

import os
import subprocess
import sys

import numpy as np
import pytest

from autograder import exercises
from autograder.classroom.sealed.sets import drawing
from autograder.classroom.sealed.sets.drawing import ManyStreams

EXERCISE = exercises.find("vector_add.vector_add_unrolled")
DRAWS = {
    "standard_normal": lambda rng, n: rng.standard_normal((n // 5, 5), dtype=np.float32),
    "uniform": lambda rng, n: rng.uniform(-2, 3, n),
    "random": lambda rng, n: rng.random(n),
    "integers": lambda rng, n: rng.integers(-(1 << 40), 1 << 40, n),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_many_numbers_follow_from_the_seed_alone_and_no_stream_is_drawn_from_twice(draw, monkeypatch):
    monkeypatch.setattr(drawing, "PART", 1000)

    def twice(seed, threads):
        monkeypatch.setattr(drawing, "THREADS", threads)
        rng = ManyStreams(np.random.PCG64(seed))
        return np.concatenate([draw(rng, 4005).reshape(-1), draw(rng, 4005).reshape(-1)])

    one, same, other = twice(1, threads=1), twice(1, threads=3), twice(2, threads=3)

    assert np.array_equal(one, same)
    assert not (one == other).any()
    parts = [one[at : at + 1000] for at in (0, 1000, 2000, 3000, 4005, 5005, 6005, 7005)]
    assert len(parts) == len({part.tobytes() for part in parts})


def test_many_normal_numbers_are_spread_as_numpys_are_and_hardly_one_comes_twice(monkeypatch):
    monkeypatch.setattr(drawing, "PART", 1 << 17)
    n = 300_001
    many = ManyStreams(np.random.PCG64(5)).standard_normal(n, dtype=np.float32)
    numpys = np.random.Generator(np.random.PCG64(6)).standard_normal(n, dtype=np.float32)

    at = np.linspace(0.0005, 0.9995, 101)
    assert np.abs(np.quantile(many, at) - np.quantile(numpys, at)).max() < 0.1
    assert abs(many.mean()) < 0.01 and abs(many.std() - 1) < 0.01 and 4 < np.abs(many).max() < 4.4
    assert len(np.unique(many)) > 0.98 * n
    assert abs(np.corrcoef(many[:-1], many[1:])[0, 1]) < 0.01


def test_a_worker_that_is_told_to_give_memory_back_uses_it_again_when_it_draws():
    text = (
        "import resource, sys\n"
        "import numpy as np\n"
        "from autograder.classroom.sealed.sets import drawing\n"
        "if sys.argv[1] == 'keeps': drawing.keep_freed_memory()\n"
        "for turn in range(20):\n"
        "    np.full(1 << 20, turn, np.int16)\n"
        "    if turn == 1: before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)\n"
    )
    told = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "65536"}  # as Dask tells its workers

    def faults(what):
        return int(subprocess.run([sys.executable, "-c", text, what], capture_output=True, env=told, check=True).stdout)

    assert faults("keeps") < 500 < faults("gives back")


def test_few_numbers_are_numpys_own():
    one, other = (np.random.Generator(np.random.PCG64(3)), ManyStreams(np.random.PCG64(3)))

    for draw in DRAWS.values():
        assert np.array_equal(draw(one, 1000), draw(other, 1000))
    assert one.integers(7) == other.integers(7) and one.random() == other.random()


def test_each_set_of_inputs_comes_with_what_the_oracle_says_of_it():
    first, second = drawing.draw(EXERCISE, {"n": 1000}, ["one", "two"])

    assert not np.array_equal(first.values["a"], second.values["a"])
    assert np.array_equal(EXERCISE.oracle(first.values)["out"], first.expected["out"])
