"""How many answers of a class one GPU judges in a second, and how many two do, with the same workers and answers.

Every worker is there from the start and has made what it makes once: a warm jail, the course's own machine code and its
launcher, the GPU's profile. First those of one GPU are given answers, each the next one as soon as it is free, then
those of all; so what differs is the GPUs alone: the workers of each have an equal share of the machine's cores, in both
turns, and each GPU is given the same answers in the same order. An answer that has its GPU for eight seconds, while
seven workers wait for it, would otherwise be met in one iteration and not in the other. The clock runs from LEAD_S on,
when the workers are no longer in step. A machine that is shared is faster at one time than at another, so turns of one
GPU and of all follow each other several times.
"""

from __future__ import annotations

import heapq
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from autograder.classroom.cluster import embedded
from autograder.classroom.judging import judge_task
from autograder.classroom.sealed.fixed import NOT_FIXED
from autograder.classroom.wire import Reply, Task
from benchmarks import judging_parts
from benchmarks.machine_at_work import AtWork

LEAD_S = 8.0


@dataclass
class Clock:
    """How long a worker waited for its GPU, and how long it had it for itself, in s."""

    waited_s: float = 0.0
    alone_s: float = 0.0

    def beside(self, alone_on_the_gpu: Callable) -> Callable:
        """The same, with this clock."""

        @contextmanager
        def timed(device: str = "") -> Iterator[float]:
            asked = time.monotonic()
            with alone_on_the_gpu(device) as idle_s:
                had = time.monotonic()
                self.waited_s += had - asked
                yield idle_s
            self.alone_s += time.monotonic() - had

        return timed


@dataclass(frozen=True)
class Judged:
    """One answer: its place among the tasks, when it was given out and came back, and how it spent its time, in s.
    What was given out before the clock began has times below 0.

    parts: of its own time, stage by stage, as `judging_parts` has them; gpu: which of them it had, from 0.
    """

    place: int
    began_s: float
    ended_s: float
    own_s: float
    waited_s: float
    alone_s: float
    status: str
    parts: dict[str, float] = field(default_factory=dict)
    gpu: int = 0


def judge_timed(task: bytes, drawn: str) -> bytes:
    """What a worker is asked to run: fix the code, judge, and say how long that took, and how long alone on the GPU.

    drawn: the seed of this iteration, so that each of them draws its inputs anew.
    """
    from autograder.classroom.sealed import timing

    clock, begun = Clock(), time.monotonic()
    alone = patch.object(timing, "alone_on_the_gpu", clock.beside(timing.alone_on_the_gpu))
    with alone, judging_parts.timed() as parts:
        outcome = Reply.from_bytes(judge_task(fixed_first(Task.from_bytes(task), drawn).to_bytes())).outcome
    own_s = time.monotonic() - begun - clock.waited_s - clock.alone_s
    timed = "" if outcome.speed is None else ", timed" if outcome.speed.graded else ", not timed"
    said = {"own_s": own_s, **vars(clock), "status": outcome.status + timed}
    return json.dumps({**said, "parts": {part: round(took, 3) for part, took in parts.items()}}).encode()


def fixed_first(task: Task, drawn: str) -> Task:
    """The task with its machine code fixed, which a class has done of all answers before the first is judged."""
    fixed = json.loads(judge_task(replace(task, fix=True).to_bytes()))["fixed"]
    return replace(task, fixed=fixed, drawn=drawn if fixed else NOT_FIXED)


def name_of_gpu() -> str:
    """Of the first one, as its driver says it."""
    asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[0]


@dataclass(frozen=True)
class Turn:
    """Seconds of judging on so many GPUs: what became of the tasks, their rate, and what `machine_at_work` saw."""

    n_gpus: int
    judged: list[Judged]
    rate: float
    at_work: dict[str, float]


def measured(tasks: Sequence[Task], gpus: Sequence[str], each: int, seconds: float, turns: int) -> Iterator[Turn]:
    """Turns of one GPU and of all: 1, 2, 2, 1 and so on. each: workers a GPU; turns: of each number of GPUs."""
    from distributed import Client

    places = [gpu for gpu in gpus for _ in range(each)]
    with embedded.cluster(places) as (address, security), Client(address, security=security) as client:
        client.wait_for_workers(len(places), timeout=60)
        names = {str(info["name"]): where for where, info in client.scheduler_info(n_workers=-1)["workers"].items()}
        addresses = [names[str(place)] for place in range(len(places))]
        shares = shares_of(sorted(os.sched_getaffinity(0)), len(gpus))
        client.gather(
            [
                client.submit(held_to, shares[place // each], workers=[one], pure=False)
                for place, one in enumerate(addresses)
            ]
        )
        names_of_all = sorted({task.exercise for task in tasks})
        client.gather([client.submit(made_ready, names_of_all, workers=[one], pure=False) for one in addresses])
        with AtWork(gpus) as machine:
            numbers = sorted({1, len(gpus)})
            for turn, n_gpus in enumerate(n for k in range(turns) for n in (numbers[::-1] if k % 2 else numbers)):
                begun = time.monotonic() + LEAD_S
                of_gpus = [addresses[gpu * each : (gpu + 1) * each] for gpu in range(n_gpus)]
                judged = given_out(client, of_gpus, tasks, seconds, f"turn {turn} of a benchmark")
                found = Turn(n_gpus, judged, rate(judged, seconds), machine.between(begun, begun + seconds))
                print(f"{n_gpus} GPUs: {len(judged)} answers, {found.rate:.3f} a second", file=sys.stderr)
                yield found


def shares_of(cores: Sequence[int], n: int, topology: Path = Path("/sys/devices/system/cpu")) -> list[list[int]]:
    """Cores for each of n GPUs, as many for each and side by side; what does not come out even is nobody's. Two that
    are threads of one core go to one GPU.
    """

    def place_of(core: int) -> list[int]:
        told = [topology / f"cpu{core}" / "topology" / name for name in ("physical_package_id", "core_id")]
        return [*(int(path.read_text()) if path.is_file() else 0 for path in told), core]

    cores, each = sorted(cores, key=place_of), len(cores) // n
    return [list(cores[place * each : (place + 1) * each]) for place in range(n)]


def held_to(cores: Sequence[int]) -> None:
    """Let this worker, and what it starts from now on, compute on these cores only."""
    for thread in os.listdir("/proc/self/task"):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setaffinity(int(thread), cores)


def made_ready(names: Sequence[str]) -> None:
    """Have what a worker makes once: our own code for the exercises of these names that are timed, and its launcher."""
    from autograder import exercises
    from autograder.classroom.jail.host_functions import recorded
    from autograder.classroom.sealed import ours, serving, timing
    from autograder.running.compiled import smallest_values

    device = timing.profiled()
    architecture = "sm_{}{}".format(*device.compute_capability)
    for exercise in map(exercises.find, names):
        if exercise.speed is not None:
            like = smallest_values(exercise)
            ours.copy_plan(1, architecture)
            ours.reference_plan(exercise, like, architecture, recorded)
            ours.naive_plan(exercise, like, architecture, recorded)
    with serving.our_own() as launcher:
        launcher.hello()
    serving.start_ahead()


def given_out(
    client: Any, of_gpus: Sequence[Sequence[str]], tasks: Sequence[Task], seconds: float, drawn: str
) -> list[Judged]:
    """Keep the workers of each GPU at work for LEAD_S and so many seconds, each with one task at a time. In order.

    of_gpus: addresses of workers, by GPU; each GPU has all tasks, from the first one on. drawn: see `judge_timed`.
    """
    from distributed import as_completed

    begun, under_way, found = time.monotonic() + LEAD_S, {}, []
    waiting = [iter(enumerate(tasks)) for _ in of_gpus]

    def give(gpu: int, where: str) -> Any:
        place, task = next(waiting[gpu])
        key = f"{drawn}-{gpu}-{place}"
        future = client.submit(judge_timed, task.to_bytes(), drawn, key=key, workers=[where], pure=False, retries=0)
        under_way[future.key] = place, time.monotonic() - begun, gpu, where
        return future

    first = [give(gpu, where) for gpu, workers in enumerate(of_gpus) for where in workers]
    completed = as_completed(first, raise_errors=False)
    for future in completed:
        place, began_s, gpu, where = under_way.pop(future.key)
        ended_s = time.monotonic() - begun
        said = {"own_s": 0.0, "waited_s": 0.0, "alone_s": 0.0, "parts": {}, "status": repr(future.exception())[:200]}
        if future.status == "finished":
            said = json.loads(future.result())
        found.append(Judged(place, began_s, ended_s, **said, gpu=gpu))
        if ended_s < seconds:
            completed.add(give(gpu, where))
    return sorted(found, key=lambda one: (one.place, one.gpu))


def rate(found: Sequence[Judged], seconds: float) -> float:
    """Answers a second in the first so many of the clock: one that was under way when it began or ended counts for the
    part that was done in between.
    """
    within = (
        max(0.0, min(seconds, one.ended_s) - max(0.0, one.began_s)) / (one.ended_s - one.began_s) for one in found
    )
    return sum(within) / seconds


def simulated(found: Sequence[Judged], n_gpus: int, each: int, n_answers: int) -> float:
    """Seconds that so many answers take: each as long as one that was measured, in their order, again and again.

    A worker takes the next answer when it is free; what it does alone on its GPU waits for the others of that GPU.
    """
    workers = [(0.0, number) for number in range(n_gpus * each)]
    gpu_free = [0.0] * n_gpus
    for number in range(n_answers):
        free_s, worker = heapq.heappop(workers)
        one, gpu = found[number % len(found)], worker % n_gpus
        ends_s = free_s + one.own_s
        if one.alone_s:
            ends_s = gpu_free[gpu] = max(ends_s, gpu_free[gpu]) + one.alone_s
        heapq.heappush(workers, (ends_s, worker))
    return max(ends_s for ends_s, _ in workers)
