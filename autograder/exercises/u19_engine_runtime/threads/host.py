"""The host of unit 19's gather_requests: callers that ask, servers that run batches, and rules that every run keeps."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from autograder.exercises.u19_engine_runtime.threads.queue import JudgedQueue
from autograder.exercises.u19_engine_runtime.threads.scheduler import Failed, Fault, Future, Scheduler, Thread

RUN_US = 300  # that a batch takes on the device
MOST_STEPS = 4_000  # of one schedule: whoever takes more goes round and round
STEPS = ("acquire", "release", "wait", "notify", "result", "run")
NO_STEP = "a yield hands over one step, as in `yield host.acquire()`; this one handed over {}"
NO_REQUEST = "host.run takes the requests as submit got them, and {!r} is none that was put into the queue"


class JudgedHost:
    """Callers, one or two servers, and a clock.

    arrivals: microseconds at which each caller starts; n_servers: threads that serve; n_schedules: how many orders of
    steps are tried; seed: of all of them.
    """

    def __init__(self, arrivals: Sequence[int], n_servers: int, n_schedules: int, seed: int) -> None:
        self._arrivals, self._n_servers = tuple(arrivals), n_servers
        self._n_schedules, self._seed = n_schedules, seed
        self._scheduler = Scheduler([], 0, Random(0))
        self.queue = JudgedQueue(lambda: self._scheduler.must_own(self._scheduler.current), self._was_put)

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedHost:
        """A host by its numbers. table: (3 + n,) int64: servers, schedules, seed, arrivals."""
        n_servers, n_schedules, seed, *arrivals = table.tolist()
        return cls(arrivals, n_servers, n_schedules, seed)

    def clock(self) -> float:
        """Microseconds since the start."""
        return self._scheduler.now

    def future(self) -> Future:
        """A new one, without an answer."""
        return Future()

    def acquire(self) -> tuple:
        """A step: take the lock; it waits while another thread has it."""
        return ("acquire",)

    def release(self) -> tuple:
        """A step: give the lock back."""
        return ("release",)

    def wait(self, until: float | None = None) -> tuple:
        """A step: give the lock back, sleep until a notify, or until a time, and take the lock again."""
        return ("wait", until)

    def notify(self) -> tuple:
        """A step: wake one thread that sleeps in wait."""
        return ("notify",)

    def result(self, future: Future) -> tuple:
        """A step: wait until a future has its answer, which the yield gives."""
        return ("result", future)

    def run(self, requests: Sequence[int]) -> tuple:
        """A step: run a batch; the yield gives a list of answers, one for each request."""
        return ("run", list(requests))

    def play(self, submit: Callable, serve: Callable, most: int, patience: float) -> tuple[int, int]:
        """(fault, proof): of all schedules the first fault, and 0; or 0, and a number made of all answers."""
        for function in (submit, serve):
            if not inspect.isgeneratorfunction(function):
                raise TypeError(f"{function.__name__} has no yield: {NO_STEP.format('nothing')}")
        for number in range(self._n_schedules):
            try:
                self._one(submit, serve, int(most), float(patience), number)
            except Failed as failed:
                return int(failed.fault), 0
        return int(Fault.FINE), self.proof()

    def proof(self) -> int:
        """A number made of the right answers in all schedules."""
        return sum(sum(map(self._answers(n), self._requests(n))) for n in range(self._n_schedules))

    def _requests(self, number: int) -> list[int]:
        """One for each caller, no two alike."""
        n = len(self._arrivals)
        return Random(f"{self._seed} {number} requests").sample(range(10, 10 + 50 * n), n)

    def _answers(self, number: int) -> Callable[[int], int]:
        """What the device makes of a request in a schedule."""
        factor = Random(f"{self._seed} {number} answers").randrange(1, 900)
        return lambda request: (request * request + factor * request) % 9_973

    def _one(self, submit: Callable, serve: Callable, most: int, patience: float, number: int) -> None:
        """One schedule, until every caller has its answer. Raises: Failed."""
        self._most, self._patience, self._answer = most, patience, self._answers(number)
        self._put_at: dict[int, float] = {}  # when each request came into the queue, in that order
        self._left: dict[int, Any] = {}  # those of them that were not run yet, and what was put there
        requests = self._requests(number)
        callers = [Thread(submit(r), r, until=float(at)) for r, at in zip(requests, self._arrivals, strict=True)]
        servers = [Thread(serve()) for _ in range(self._n_servers)]
        self._scheduler = Scheduler([*callers, *servers], number, Random(f"{self._seed} {number} order"))
        self.queue.empty()
        for _ in range(MOST_STEPS):
            if all(thread.waits == "end" for thread in callers):
                return
            self._step()
        raise Failed(Fault.BUSY)

    def _step(self) -> None:
        """One step of one thread. Raises: Failed, and what the answer itself raises."""
        scheduler = self._scheduler
        try:
            thread, asked = scheduler.go_on()
        except StopIteration as ended:
            self._ended(scheduler.current, ended.value)
            return
        except IndexError:
            if not self.queue.is_empty():
                raise
            raise Failed(Fault.FOR_NOTHING) from None
        except Failed as failed:
            raise Failed(self._why_stuck()) if failed.fault is Fault.LOST else failed from None
        self._do(thread, asked)

    def _do(self, thread: Thread, asked: Any) -> None:
        """What a thread asked for."""
        if not isinstance(asked, tuple) or not asked or asked[0] not in STEPS:
            raise TypeError(NO_STEP.format(repr(asked)))
        step, *arguments = asked
        if step == "result":
            thread.waits, thread.future = "future", arguments[0]
        elif step == "run":
            self._run(thread, arguments[0])
        else:
            getattr(self._scheduler, step)(thread, *arguments)

    def _run(self, thread: Thread, requests: list[int]) -> None:
        """Begin a batch, if it keeps all rules. Raises: Failed."""
        scheduler = self._scheduler
        for request in requests:
            if request not in self._put_at:
                raise TypeError(NO_REQUEST.format(request))
        if fault := self._against_a_rule(thread, requests):
            raise Failed(fault)
        for request in requests:
            self._left.pop(request, None)
        thread.waits, thread.until = "time", scheduler.now + RUN_US
        thread.free_since = scheduler.now + RUN_US
        thread.value = [self._answer(request) for request in requests]

    def _against_a_rule(self, thread: Thread, requests: list[int]) -> Fault:
        """What is wrong with a batch that a thread begins now."""
        if self._scheduler.owner is thread:
            return Fault.HELD
        if not requests:
            return Fault.FOR_NOTHING
        if len(requests) > self._most:
            return Fault.TOO_MANY
        oldest = next(iter(self._left), None)
        if oldest not in requests and self.queue.holds(self._left.get(oldest)):
            return Fault.OVERTAKEN
        due = self._put_at[requests[0]] + self._patience
        if len(requests) < self._most and self._scheduler.now < due:
            return Fault.EARLY
        if len(requests) == self._most:
            due = min(due, max(self._put_at[request] for request in requests))
        if self._scheduler.now <= max(due, thread.free_since):
            return Fault.FINE
        return self._late_or_lost()

    def _was_put(self, value: Any) -> None:
        """The thread at work has put something into the queue: it stands for the request that it was called with."""
        thread = self._scheduler.current
        if thread is not None and thread.request is not None and thread.request not in self._put_at:
            self._put_at[thread.request] = self._scheduler.now
            self._left[thread.request] = value

    def _ended(self, thread: Thread | None, answer: Any) -> None:
        """A thread has returned. Raises: Failed for a caller with another answer than its own."""
        if thread is None:
            return
        thread.waits = "end"
        if thread.request is not None and answer != self._answer(thread.request):
            raise Failed(Fault.OTHER_CALLER)

    def _why_stuck(self) -> Fault:
        """Why nobody will ever wake anybody, although nobody has the lock."""
        if not self._left:
            return Fault.UNANSWERED
        return self._late_or_lost()

    def _late_or_lost(self) -> Fault:
        """Why a server slept on: nobody woke it, or it had no mind to."""
        return Fault.LOST if self._scheduler.notified < len(self._put_at) else Fault.LATE
