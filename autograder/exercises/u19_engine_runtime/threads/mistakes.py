"""Wrong ways to gather requests, one for each fault: what the judge's schedules make of them in a case."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contract import Values
from autograder.exercises.u19_engine_runtime.threads.host import JudgedHost
from autograder.exercises.u19_engine_runtime.threads.scheduler import Fault
from autograder.exercises.u19_engine_runtime.threads.values import gathered


def with_fault(fault: Fault, by_own_clock: bool = False) -> Callable[[Values], dict]:
    """What comes of a mistake: its fault where the schedules find one, else what is right. See `Mistake`."""

    def produces(values: Values) -> dict:
        host, most, patience = JudgedHost.of(values["host"]), int(values["most"]), int(values["patience"])
        wrong = Mistake(host, most, patience, fault, by_own_clock)
        found, _ = host.play(wrong.submit, wrong.serve, most, patience)
        told = found if by_own_clock else fault
        return {"fault": np.int64(told), "proof": np.int64(0)} if found else gathered(values)

    return produces


@dataclass
class Mistake:
    """submit and serve with one fault. by_own_clock: patience is counted from when the server looked."""

    host: JudgedHost
    most: int
    patience: int
    fault: Fault
    by_own_clock: bool

    def submit(self, request: int) -> Generator[tuple, Any, Any]:
        """What a caller does."""
        host, future = self.host, self.host.future()
        if self.fault is not Fault.UNGUARDED:
            yield host.acquire()
        host.queue.append((request, future, host.clock() + self.patience))
        if self.fault is not Fault.LOST:
            yield host.notify()
        if self.fault is not Fault.DEADLOCK:
            yield host.release()
        return (yield host.result(future))

    def serve(self) -> Generator[tuple, Any, Any]:
        """What a server does."""
        host, fault = self.host, self.fault
        while True:
            yield host.acquire()
            yield from self._asleep()
            batch = self._taken()
            if fault is not Fault.HELD:
                yield host.release()
            answers: list[int] = yield host.run([request for request, _, _ in batch])
            if fault is Fault.OTHER_CALLER:
                answers.reverse()
            for (_, future, _), answer in zip(batch[: 1 if fault is Fault.UNANSWERED else None], answers, strict=False):
                future.set(answer)

    def _asleep(self) -> Generator[tuple, Any, Any]:
        """Until there is a batch to run, as far as this server knows."""
        host, queue = self.host, self.host.queue
        if self.fault is Fault.FOR_NOTHING and not queue:
            yield host.wait()
            queue[0]  # nobody asked again
        while self.by_own_clock and not queue:
            yield host.wait()
        looked = host.clock()
        while not self._begins(looked):
            if self.fault is Fault.BUSY:
                yield host.release()
                yield host.acquire()
            else:
                yield host.wait(self._until(looked))

    def _until(self, looked: float) -> float | None:
        """When the server's patience ends; None for never."""
        queue = self.host.queue
        if not queue or self.fault is Fault.LATE and not self.by_own_clock:
            return None
        return looked + self.patience if self.by_own_clock else queue[0][2]

    def _begins(self, looked: float) -> bool:
        """Whether there is a batch to run."""
        queue = self.host.queue
        if not queue or len(queue) >= self.most or self.fault is Fault.EARLY:
            return bool(queue)
        end = self._until(looked)
        return end is not None and self.host.clock() >= end

    def _taken(self) -> list:
        """A batch, out of the queue."""
        queue = self.host.queue
        batch = queue[-self.most :] if self.fault is Fault.OVERTAKEN else queue[: self.most]
        batch = queue[:] if self.fault is Fault.TOO_MANY else batch
        for one in batch:
            queue.remove(one)
        return batch
