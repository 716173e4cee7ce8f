"""Speed of a class's answer: its machine code in one launcher, ours in another, round by round, each output verified.

This process has the inputs and the expected values, which `sets.shared` draws, and compares. What it gives back is what
`speed.race.measure` gives, so both are graded alike.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder import plain_data
from autograder.answer.program import Program
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import compiling, gpu_jail, launching, ours, plan, serving
from autograder.classroom.sealed.carried import Bench, Sample
from autograder.classroom.sealed.fixed import NOT_FIXED
from autograder.classroom.sealed.gpu_profile import profiled
from autograder.classroom.sealed.host_stage import timed_plan
from autograder.classroom.sealed.launching import Launcher, LauncherError
from autograder.classroom.sealed.ptx.text import PtxRefused
from autograder.classroom.sealed.sets.drawing import Drawn
from autograder.classroom.sealed.sets.kept import Kept
from autograder.classroom.sealed.sets.shared import sets
from autograder.classroom.sealed.stage import Sealed
from autograder.contract import Exercise
from autograder.diagnosis.budget import compulsory_bytes
from autograder.running.buffers import same_bytes
from autograder.running.compare import compare
from autograder.running.compiled import smallest_values
from autograder.speed.decision import DECIDING, enough_rounds, is_hopeless
from autograder.speed.footprint import Device
from autograder.speed.gpu_lock import alone_on_the_gpu
from autograder.speed.least_times import sizes_on
from autograder.speed.rounds import LOOKS

N_SETS = 2
WARM_UPS = 3
WARM_S = 0.2
COLD_S = 0.05  # a GPU that somebody timed on so shortly before has its clock up
MAX_SECONDS = 40.0
ONE_S = 10.0  # that one launch may take
SLOW_S = 1.0  # a launch of an answer that takes longer needs no warm-up, and is the first that counts
WELL_US = 1e5  # in which the device carries out the course's own copy after a launcher was stopped, others beside it
NOT_WELL = "a launch had not ended after {seconds:.0f} s, and then the GPU did not carry out our own copy either"
SLOW_US = 20_000.0  # what takes longer, and decides nothing, is timed in the first rounds only
Asked = tuple[Exercise, Program, str, ours.Record]  # what is timed, the run's secret, and who asks the jail


@dataclass
class Timed:
    """One of those that are timed, on n_sets of inputs in turns. wrong: elements of the launch that had most; right:
    outputs by set that were found right, so that the same bytes are right.
    """

    bench: Bench
    n_sets: int
    times_us: list[float] = field(default_factory=list)
    walls_us: list[float] = field(default_factory=list)
    wrong: int = 0
    right: dict[tuple[int, str], np.ndarray] = field(default_factory=dict)


def measure(
    exercise: Exercise,
    program: Program,
    secret: str,
    record: ours.Record,
    *,
    stage: Sealed | None = None,
    profile: Callable[[], Device] | None = None,
    command: launching.Command = gpu_jail.command,
    mode: str | None = None,
) -> dict[str, Any]:
    """Time an answer whose PTX the jail makes. secret: of the grading run, from which the inputs are drawn; record:
    asks the jail what a host function does; stage: that found the answer right, and has its code.

    Returns: what `speed.race.measure` does; where a launch of the answer had to be stopped, though the device did all
    else as before, "stopped_s" in place of its times; {"error": ...} where there are no times.
    """
    asked = exercise, program, secret, record
    stage, know = stage or Sealed(), profile or profiled
    try:
        try:
            return _measured(asked, stage, know, mode, command)
        except LauncherError as error:  # what no answer causes is tried once more
            if error.kind not in launching.OURS:
                raise
            return _measured(asked, stage, know, mode, command)
    except LauncherError as error:
        return {"error": str(error)}
    except (plan.NotPossible, compiling.NotCompiled, compiling.CompilerFailed, PtxRefused, JailError) as error:
        return {"error": str(error)}


def _measured(
    asked: Asked, stage: Sealed, profile: Callable[[], Device], mode: str | None, command: launching.Command
) -> dict[str, Any]:
    """What `measure` returns. The answer's launcher is gone afterwards; ours stays, unless it was wrong."""
    (exercise, program, secret, record), device = asked, profile()
    with stage.seat.lent(mode, command, keep=False) as theirs, serving.our_own(mode, command) as our_own:
        race = _Race(exercise, device, sizes_on(exercise, device), stage)
        with race.sets_for(program, secret) as kept:
            race.prepared(kept, program, record, theirs, our_own)
        found = race.run()
        if any(wrong for name, wrong in found["wrong"].items() if name != "yours"):
            our_own.close()
        return found


class _Race:
    """The rounds of one answer."""

    def __init__(self, exercise: Exercise, device: Device, sizes: dict[str, int], stage: Sealed):
        self.exercise, self.device, self.sizes, self.stage = exercise, device, sizes, stage
        self.architecture = "sm_{}{}".format(*device.compute_capability)
        self.code: list[compiling.Code] | None = None
        self.drawn: list[Drawn] = []
        self.timed: dict[str, Timed] = {}
        self.inputs_intact = True
        self.under_way = ""  # whose launch it is
        self.stopped: dict[str, Any] = {}  # how it ended where a launch of the answer did not
        self.warm_us: dict[str, list[float]] = {}  # of launches that do not count, by name

    def sets_for(self, program: Program, secret: str) -> AbstractContextManager[Kept]:
        """What it is timed on: drawn from the run's seed, which is younger than all code, so that the workers of a
        machine share it; where no seed was drawn, from the hash of this answer's code.
        """
        drawn = self.stage.drawn if self.stage.drawn != NOT_FIXED else ""
        bound = drawn or compiling.digest(self._codes(program), program.fingerprint)
        seeds = [f"{self.exercise.id}|{secret}|{bound}|timed|{number}" for number in range(N_SETS)]
        return sets(self.exercise, self.sizes, seeds, share=bool(drawn))

    def prepared(self, kept: Kept, program: Program, record: ours.Record, theirs: Launcher, our_own: Launcher) -> None:
        """Both launchers have their plans, and the inputs where they find them."""
        exercise, architecture = self.exercise, self.architecture
        self.drawn, first = kept.drawn, kept.drawn[0].values
        self.n_bytes = compulsory_bytes(exercise, first)
        if exercise.kind == "host":
            yours = timed_plan(record(exercise, program, first), exercise, first, architecture)
        else:
            yours = plan.of_kernel(exercise, first, self._codes(program)[0]), {}
        made = ours.plans(exercise, first, self.n_bytes, architecture, record)
        with ThreadPoolExecutor(2) as pool:  # what waits for the one launcher need not wait for the other
            puts = [pool.submit(self._put, theirs, {"yours": yours}, kept, N_SETS)]
            puts += [pool.submit(self._put, our_own, made, kept, 1)]  # ours keeps no result for the next time
            for put in puts:
                self.timed |= put.result()

    def _codes(self, program: Program) -> list[compiling.Code]:
        """The answer's machine code, made once; a host function's plan has its own."""
        if self.code is None:
            kinds = plan.kinds_of(self.exercise, smallest_values(self.exercise))
            kernels = [(self.exercise.function, kinds)]
            is_host = self.exercise.kind == "host"
            self.code = [] if is_host else self.stage.codes(program, kernels, self.architecture)
        return self.code

    def _put(self, launcher: Launcher, made: Mapping[str, ours.Made], kept: Kept, n_sets: int) -> dict[str, Timed]:
        bench = Bench(launcher, {name: one for name, (one, _) in made.items()}, n_sets)
        beside = {name: contents for _, more in made.values() for name, contents in more.items()}
        bench.give(kept)
        for number in range(n_sets if beside else 0):
            bench.put(number, beside)
        return {name: Timed(bench, n_sets) for name in made}

    def run(self) -> dict[str, Any]:
        with alone_on_the_gpu(self.device.uuid) as idle_s:
            gap_us = self._gap_us(WARM_S if idle_s > COLD_S else 0.0)
            try:
                self._warm_up()
                self._rounds()
            except LauncherError as error:
                if (error.kind, self.under_way) != ("timed_out", "yours"):
                    raise
                self._see_that_the_gpu_is_well(error.seconds)
                self.stopped = {"stopped_s": error.seconds, "times_us": self.warm_us}
        self._look_at_inputs()
        device = replace(self.device, gap_us=gap_us)
        return {
            "device": device.name,
            "compute_capability": list(device.compute_capability),
            "profile": plain_data.to_json(device),
            "sizes": dict(self.sizes),
            "bytes": self.n_bytes,
            "library": None,
            "known": [],
            "times_us": {name: timed.times_us for name, timed in self.timed.items()},
            "walls_us": {name: timed.walls_us for name, timed in self.timed.items()},
            "wrong": {name: timed.wrong for name, timed in self.timed.items() if name != "copy"},
            "inputs_intact": self.inputs_intact,
            **self.stopped,
        }

    def _warm_up(self) -> None:
        """Launches that do not count; the answer's own come last, when it is known how long the others take."""
        for name in sorted(self.timed, key=lambda name: name == "yours"):
            timed = self.timed[name]
            for turn in range(WARM_UPS):
                self._sample(name, turn)
                if name == "yours" and timed.wrong:
                    return
                if name == "yours" and timed.times_us[-1] > 1e6 * SLOW_S:
                    del timed.times_us[:-1], timed.walls_us[:-1]
                    return
            self.warm_us[name] = list(timed.times_us)
            timed.times_us.clear()
            timed.walls_us.clear()

    def _see_that_the_gpu_is_well(self, seconds: float) -> None:
        """Carry out our own copy: where the device does that, it was the answer that did not end.

        Raises: LauncherError where the device does not come back.
        """
        until = time.monotonic() + launching.BACK_S
        while time.monotonic() < until:
            if self._once("copy", 0).event_us <= WELL_US:
                return
        raise LauncherError("machine", NOT_WELL.format(seconds=seconds))

    def _gap_us(self, warm_s: float) -> float:
        """By how much the host's clock says more; also keeps the device busy until its clock is up."""
        until = time.monotonic() + warm_s
        while time.monotonic() < until:
            self._once("copy", 0)
        nothing = self.timed.pop("nothing").bench
        taken = [nothing.once("nothing", 0, timed=True) for _ in range(2 * WARM_UPS)]
        return float(np.median([sample.wall_us - sample.event_us for sample in taken]))

    def _rounds(self) -> None:
        deadline, looked_at = time.monotonic() + MAX_SECONDS, set[str]()
        for turn in range(max(LOOKS)):
            for name in random.sample(list(self.timed), len(self.timed)):
                if len(self.timed[name].times_us) <= turn and not self._seen_enough_of(name):
                    self._sample(name, turn, first=name not in looked_at)
                    looked_at.add(name)
            if self.timed["yours"].wrong:  # no time of it counts, and others wait for the GPU
                return
            times = {name: timed.times_us for name, timed in self.timed.items()}
            if enough_rounds(self.exercise.speed, times) or time.monotonic() > deadline:  # type: ignore[arg-type]
                return

    def _seen_enough_of(self, name: str) -> bool:
        times = self.timed[name].times_us
        return name not in DECIDING and len(times) >= min(LOOKS) and float(np.median(times)) > SLOW_US

    def _sample(self, name: str, turn: int, first: bool = False) -> None:
        timed, self.under_way = self.timed[name], name
        number = turn % timed.n_sets
        sample = self._once(name, number, first=first)
        timed.times_us.append(sample.event_us)
        timed.walls_us.append(sample.wall_us)
        if sample.arrays:
            timed.wrong = max(timed.wrong, self._n_wrong(timed, number, sample))

    def _once(self, name: str, number: int, first: bool = False) -> Sample:
        """One sample. A student's outputs are read after each, ours after the first: a gibibyte that is read is a tenth
        of a second or more, in which nobody else has the GPU.
        """
        wanted = ("out", "inout") if name == "yours" or first and name != "copy" else ()
        arrays = self._arrays(number)
        back = [a.name for a in self.exercise.arguments if a.role in wanted and a.name in arrays]
        return self.timed[name].bench.once(name, number, timed=True, back=back, like=arrays, seconds=ONE_S)

    def _arrays(self, number: int) -> dict[str, np.ndarray]:
        values = self.drawn[number].values
        return {a.name: values[a.name] for a in self.exercise.arguments if isinstance(values[a.name], np.ndarray)}

    def _n_wrong(self, timed: Timed, number: int, sample: Sample) -> int:
        """Elements of all outputs that are not what the oracle says, and one for each red zone that was written to."""
        drawn, wrong = self.drawn[number], len(sample.damaged)
        for argument in self.exercise.outputs:
            if argument.name not in drawn.expected:
                continue
            got, known = sample.arrays[argument.name], timed.right.get((number, argument.name))
            if known is not None and same_bytes(got, known):
                continue
            found = compare(
                argument.name, got, drawn.expected[argument.name], drawn.bounds.get(argument.name), argument.dtype
            )
            wrong += found.n_wrong if found is not None else 0
            if found is None and known is None:
                timed.right[(number, argument.name)] = np.array(got)
        return wrong

    def _look_at_inputs(self) -> None:
        """Carry the answer out once more, while others have the GPU, and see whether its inputs are as they were.
        What has no points anyway is left alone: it may take seconds.
        """
        arrays, yours = self._arrays(0), self.timed["yours"]
        names = [a.name for a in self.exercise.arguments if a.role == "in" and a.name in arrays]
        if names and not self.stopped and not is_hopeless({name: one.times_us for name, one in self.timed.items()}):
            self.inputs_intact = not yours.bench.once("yours", 0, unchanged=names, seconds=ONE_S).changed
