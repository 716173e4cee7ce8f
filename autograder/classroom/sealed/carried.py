"""Plans in a launcher, and what carrying them out gives: the interface of everything that judges or times on a GPU.

    with Launcher() as launcher:
        bench = Bench(launcher, {"yours": plan, "reference": other}, n_sets=2)
        bench.put(0, values)                    # the judge's inputs; what is not put is overwritten before each launch
        sample = bench.once("yours", 0, timed=True, back=["out"])
        sample.event_us, sample.wall_us, sample.arrays["out"], sample.damaged

`rounds` interleaves several plans. Expected values never come here: compare `arrays` where they are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.classroom.sealed.launching import Launcher
from autograder.classroom.sealed.plan import LaunchPlan
from autograder.classroom.sealed.region import places
from autograder.classroom.sealed.sets.kept import Kept
from autograder.contract import Values

LOAD_S = 60.0
ZONES = (0xA5, 0x3C)  # bytes of the red zones, in turns
POISONS = (0xFF, 0xCB)  # of arrays that are not put; 0xFF is NaN in every type of floats
GRACE_S = 5.0


@dataclass(frozen=True)
class Sample:
    """One time that a plan was carried out. arrays: what was wanted back, each a view that the next sample overwrites.

    event_us: between two events on the device; wall_us: on the launcher's clock, from the start to the end; damaged:
    buffers beside which something was written; changed: of those that should be unchanged, which are not.
    """

    event_us: float
    wall_us: float
    damaged: tuple[str, ...]
    arrays: Values = field(default_factory=dict)
    changed: tuple[str, ...] = ()


class Bench:
    """Plans over the same buffers in one launcher. n_sets: of contents, so that rounds need not repeat their inputs.

    Raises: plan.NotPossible, LauncherError.
    """

    def __init__(self, launcher: Launcher, plans: Mapping[str, LaunchPlan], n_sets: int = 1):
        self.launcher, self.plans, self.n_sets = launcher, dict(plans), n_sets
        self.buffers: dict[str, int] = {}
        for plan in self.plans.values():
            plan.need_possible(launcher.hello())  # before memory is asked for
            self.buffers |= {name: max(n_bytes, self.buffers.get(name, 0)) for name, n_bytes in plan.buffers.items()}
        self.likes: dict[str, np.ndarray] = {}  # geometry of what was put
        self.at: dict[int, dict[str, int]] = {}  # by set: where among what was given an array begins
        self.turn = 0
        sizes = [{str(n): len(code.image) for n, code in enumerate(plan.codes)} for plan in self.plans.values()]
        launcher.share(max(places(each)[1] for each in [self.buffers, *sizes]))
        launcher.ask({"do": "memory", "buffers": list(self.buffers.items()), "sets": n_sets}, LOAD_S)
        for name, plan in self.plans.items():
            self.load(name, plan)

    def load(self, name: str, plan: LaunchPlan) -> None:
        """Send a plan, on buffers that are laid out already. Raises: plan.NotPossible, LauncherError."""
        plan.need_possible(self.launcher.hello())
        region = self.launcher.share(1)
        at, _ = places({str(n): len(code.image) for n, code in enumerate(plan.codes)})
        codes = []
        for n, code in enumerate(plan.codes):
            region.part(at[str(n)], len(code.image))[...] = np.frombuffer(code.image, np.uint8)
            said = {
                "sha256": code.sha256,
                "entry": code.entry,
                "parameters": list(code.parameters),
                "cooperative": code.cooperative,
            }
            codes.append({"at": at[str(n)], "bytes": len(code.image), **said})
        request = {"do": "plan", "name": name, "codes": codes, "operations": list(plan.operations)}
        self.launcher.ask(request, LOAD_S)

    def put(self, number: int, values: Values) -> None:
        """What buffers hold before each launch of set `number`: the arrays among `values`, by the buffers' names."""
        arrays = {name: np.ascontiguousarray(v) for name, v in values.items() if isinstance(v, np.ndarray)}
        arrays = {name: array for name, array in arrays.items() if name in self.buffers}
        self.likes |= arrays
        region, (at, _) = self.launcher.share(1), places(self.buffers)
        for name, array in arrays.items():
            region.part(at[name], array.nbytes)[...] = array.reshape(-1).view(np.uint8)
        request = {"do": "contents", "set": number, "buffers": [[name, at[name]] for name in arrays]}
        self.launcher.ask(request, LOAD_S)

    def give(self, sets: Kept) -> None:
        """The inputs of drawn sets, which the launcher reads where they lie: what buffers hold before each launch of
        set 0, 1, ...
        """
        self.launcher.give(sets.inputs)
        for number, drawn in enumerate(sets.drawn[: self.n_sets]):
            self.at[number] = {name: at for name, at in sets.at(number).items() if name in self.buffers}
            self.likes |= {name: drawn.values[name] for name in self.at[number]}
            request = {"do": "contents", "set": number, "buffers": list(self.at[number].items()), "given": True}
            self.launcher.ask(request, LOAD_S)

    def once(
        self,
        name: str,
        number: int = 0,
        *,
        timed: bool = False,
        back: Sequence[str] = (),
        unchanged: Sequence[str] = (),
        like: Values | None = None,
        seconds: float = 15.0,
        goes_on: Sequence[str] | None = None,
    ) -> Sample:
        """Carry plan `name` out once on set `number`, from memory that is otherwise overwritten, with code loaded anew.

        timed: on an empty L2 cache, all operations released together. back: arrays to read; like: their geometry,
        where they were not put. unchanged: given arrays that should be as they were. seconds: after which it counts as
        hung, and the launcher is killed. goes_on: memory stays as the last one left it, but for these buffers, which
        get their contents.
        Raises: LauncherError; the launcher is gone then, unless its kind is "refused".
        """
        at, _ = places(self.buffers)
        self.turn += goes_on is None
        zone, poison = ZONES[self.turn % 2], POISONS[self.turn // 2 % 2]
        request = {"do": "run", "name": name, "set": number, "zone": zone, "poison": poison, "timed": timed}
        request |= {"fresh": True, "turn": self.turn, "back": [[one, at[one]] for one in back]}
        request["goes_on"] = goes_on if goes_on is None else list(goes_on)
        request["unchanged"] = [[one, self.at[number][one]] for one in unchanged]
        reply = self.launcher.carry_out(request, seconds + GRACE_S)
        region, known = self.launcher.share(1), {**self.likes, **(like or {})}
        arrays = {
            one: region.part(at[one], known[one].nbytes).view(known[one].dtype).reshape(known[one].shape)
            for one in back
        }
        damaged, changed = (tuple(map(str, reply[what])) for what in ("damaged", "changed"))
        return Sample(float(reply["event_us"]), float(reply["wall_us"]), damaged, arrays, changed)


def rounds(
    benches: Mapping[str, Bench], n: int, sets: int, back: Mapping[str, Sequence[str]], seconds: float = 15.0
) -> Iterator[tuple[int, str, Sample]]:
    """Carry out each plan once per round, in an order drawn for each round: (round, plan's name, sample), as they come.

    benches: plan's name -> where it is loaded, one launcher for what a student handed in and another for our own;
    sets: rounds go through so many sets of inputs in turns; back: arrays to read of each. Each sample is read before
    the next is made.
    """
    for turn in range(n):
        for name in random.sample(list(benches), len(benches)):
            bench = benches[name]
            yield turn, name, bench.once(name, turn % sets, timed=True, back=back.get(name, ()), seconds=seconds)


def facts_in_words(facts: Mapping[str, Any]) -> str:
    """The device by name, compute capability and its own id."""
    return f"{facts['name']}, compute capability {facts['major']}.{facts['minor']}, {facts['uuid']}"
