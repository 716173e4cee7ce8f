"""What variables and arrays hold after each step of a recording, found by doing the steps' changes again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.analyses.block_recording import Assigned, BlockRecording, Step
from simt.events import ArrayInfo


@dataclass(frozen=True)
class Variable:
    """What one thread's variable holds. value: a NumPy scalar, an array for a local array, a tuple or a text."""

    name: str
    value: object
    is_new: bool  # set by this step


@dataclass(frozen=True)
class ArrayState:
    """An array after a step. values: (n_cells,); known: (n_cells,) bool, False where nobody ever wrote.

    loaded, stored: flat cells that the step read and wrote, each once.
    """

    info: ArrayInfo
    values: np.ndarray
    known: np.ndarray
    loaded: np.ndarray
    stored: np.ndarray


class States:
    """The state of a block after any step. Going forward is quick; going back starts again from the first."""

    def __init__(self, recording: BlockRecording):
        self._recording = recording
        self._threads = recording.launch.threads_per_block if recording.launch else 0
        self._restart()

    def variables(self, position: int, function: str, depth: int, thread: int) -> list[Variable]:
        """The variables of a thread in one function, in the order in which they were first set."""
        self._go_to(position)
        found = []
        for name, (which, where) in self._frames.get((depth, function), {}).items():
            if which[thread] >= 0:
                value = self._assigned[which[thread]].values[where[thread]]
                is_new = which[thread] >= self._new_from and not self._assigned[which[thread]].given
                found.append(Variable(name, value, is_new))
        return found

    def arrays(self, position: int) -> list[ArrayState]:
        """Arrays that have been touched so far, shared ones first."""
        self._go_to(position)
        step = self._recording.steps[position]
        states = []
        for key, (info, _) in self._recording.contents.items():
            if key in self._touched:
                here = [access for access in step.accesses if access.array.key == key]
                loaded = [access.touched for access in here if access.kind != "store"]
                stored = [access.touched for access in here if access.kind != "load"]
                cells = [np.unique(np.concatenate(some)) if some else np.zeros(0, int) for some in (loaded, stored)]
                states.append(ArrayState(info, self._values[key], self._known[key], *cells))
        return sorted(states, key=lambda state: state.info.space != "shared")

    def _restart(self) -> None:
        self._done = -1
        self._frames: dict[tuple[int, str], dict[str, tuple[np.ndarray, np.ndarray]]] = {}
        self._assigned: list[Assigned] = []
        self._new_from = 0
        contents = self._recording.contents
        self._values = {key: values.copy() for key, (_, values) in contents.items()}
        self._known = {key: np.full(len(values), info.initialised) for key, (info, values) in contents.items()}
        self._touched: set[tuple] = set()

    def _go_to(self, position: int) -> None:
        if position < self._done:
            self._restart()
        while self._done < position:
            self._done += 1
            self._apply(self._recording.steps[self._done])

    def _apply(self, step: Step) -> None:
        self._new_from = len(self._assigned)
        begun = set()
        for change in step.assigned:
            frame = self._frames.setdefault((change.depth, change.function), {})
            if change.given and (change.depth, change.function) not in begun:  # a new call knows nothing of the last
                begun.add((change.depth, change.function))
                for which, _ in frame.values():
                    which[change.threads] = -1
            fresh = np.full(self._threads, -1), np.zeros(self._threads, np.intp)
            which, where = frame.setdefault(change.name, fresh)
            which[change.threads], where[change.threads] = len(self._assigned), np.arange(len(change.threads))
            self._assigned.append(change)
        for key, (cells, values) in step.written.items():
            self._values[key][cells] = values
            self._known[key][cells] = True
        self._touched |= {access.array.key for access in step.accesses} | set(step.written)
