"""A child process for whatever could hang, crash or poison the GPU, so that the notebook never goes down with it.

One warm child a device stays ready. Requests and replies are single lines of JSON; programs travel as text, and
nothing that comes back is ever unpickled. A child that dies or hangs is replaced by a fresh one at once.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import IO

from autograder import backend, verdict
from autograder.answer.program import ProgramError
from autograder.machine import one_blas_thread
from autograder.outcome import Outcome
from autograder.running import memory_held, now
from autograder.running.examine import Examination
from autograder.running.exceptions import NOTHING_WRONG_HERE
from autograder.running.job import Job
from autograder.speed import canary

START_S = 90.0  # a cold disk may take this long to import numba
GRACE_S = 10.0  # beyond the deadline of the cases themselves: compiling, copying, replying
LARGEST_REPLY = 64 << 20  # bytes
PROCESSES = sys.platform != "emscripten"  # a browser starts none
KILLED = getattr(signal, "SIGKILL", 9)  # Windows has no such signal, and reports none
END_S = 5.0  # that a process takes to end when its output has ended
KILLED_FROM_OUTSIDE = "Something on this machine killed the process twice while it judged this. That is not your doing."
LOOK_AT_MEMORY = "Look whether the machine runs out of memory (dmesg says so), then judge it again."
DEVICE_OF = {"interpret": "simt", "gpu": "cuda"}


class ChildDied(Exception):
    """The child ended before it replied.

    signal: the number of the signal that killed it, 0 if it exited; peak_bytes: the most memory it held, 0 if unknown.
    """

    def __init__(self, returncode: int, peak_bytes: int = 0):
        self.signal = -returncode if returncode < 0 else 0
        self.peak_bytes = peak_bytes
        super().__init__(f"the process ended with code {returncode}")


class WorkerError(RuntimeError):
    """The child process cannot even start; the message carries what it wrote to stderr."""


class ChildHung(Exception):
    """The child did not reply in time and was killed."""


@dataclass
class Child:
    """One process that judges what it is sent. device: "simt" (sees no GPU) or "cuda"."""

    device: str
    process: subprocess.Popen = field(init=False)
    _errors: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    ready: bool = False
    _lines: queue.SimpleQueue[bytes | None] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self):
        self.process = self._started()
        threading.Thread(target=_listen, args=(self.process.stdout, self._lines), daemon=True).start()

    def _started(self) -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        if self.device == "simt":
            environment |= one_blas_thread.VARIABLES
            environment["CUDA_VISIBLE_DEVICES"] = ""
            environment["WARPBOOK_ARCHITECTURE"] = architecture_here()
        return subprocess.Popen(
            [sys.executable, "-m", "autograder.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
            start_new_session=True,
        )

    def ask(self, request: dict, seconds: float) -> dict:
        """Send a request and wait for its reply. Raises ChildDied or ChildHung; the child is gone then."""
        self._wait_until_ready()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None
        deadline = time.monotonic() + seconds
        while "now" in (reply := json.loads(self._read_line(deadline - time.monotonic()))):
            now.says(str(reply["now"]))
        return reply

    def _wait_until_ready(self) -> None:
        """The child's first line says that it has imported everything. Raises WorkerError when it never comes."""
        if self.ready:
            return
        try:
            self._read_line(START_S)
        except (ChildDied, ChildHung) as error:
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
            why = last[0] if last else f"no word after {START_S:g} s"
            raise WorkerError(
                f"The process that runs answers does not start: {why}. `warpbook doctor` says more."
            ) from error
        self.ready = True

    def _read_line(self, seconds: float) -> bytes:
        """The next line of the child's output, within a wall-clock limit."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=min(left, 1.0))  # in short waits: an interrupt is seen between them
            except queue.Empty:
                continue
            if line is None:
                raise self._died()
            if len(line) > LARGEST_REPLY:
                break
            return line
        self.kill()
        raise ChildHung

    def _died(self) -> ChildDied:
        peak_bytes = memory_held.at_the_end_of(self.process, END_S)
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.kill()
        return ChildDied(self.process.returncode, peak_bytes)

    def kill(self) -> None:
        """End the child and everything it started."""
        try:
            os.killpg(self.process.pid, KILLED) if hasattr(os, "killpg") else self.process.kill()
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()


def _listen(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Pass on what a child writes, line by line, and None at its end. (Windows waits for no pipe in any other way.)

    A line that never ends is passed on when it is larger than any reply.
    """
    with pipe:
        while (line := pipe.readline(LARGEST_REPLY + 1)).endswith(b"\n") or len(line) > LARGEST_REPLY:
            lines.put(line)
    lines.put(None)


def architecture_here() -> str:
    """The architecture of this machine's GPU, for a child that must not see it; "" without one."""
    if not backend.gpu_available():
        return ""
    from autograder.lint.compiler import gpu_architecture

    return gpu_architecture()


_children: dict[str, Child] = {}


def warm(device: str) -> Child:
    """The child for a device, started if it does not run yet. Starting does not wait."""
    child = _children.get(device)
    if child is None or child.process.poll() is not None:
        child = _children[device] = Child(device)
    return child


@atexit.register
def stop_all() -> None:
    """End every child; the next request starts fresh ones."""
    while _children:
        _children.popitem()[1].kill()


def run(stage: str, job: Job) -> Examination | Outcome:
    """Run a stage in the child. Returns what it found, or the Outcome of an answer that hung or killed it.

    Raises ProgramError when the child could not load the program.
    """
    device, seconds = DEVICE_OF[stage], job.deadline_s(stage)
    exercise, program = job.exercise, job.program
    request = {"stage": stage, "job": job.to_json()}
    try:
        reply = _asked(device, request, seconds + GRACE_S)
    except KeyboardInterrupt:
        _children.pop(device).kill()
        _replace(device)
        raise
    except ChildHung:
        _replace(device)
        return verdict.timed_out(exercise, program, seconds)
    except ChildDied as death:
        _replace(device)
        if death.signal == KILLED and death.peak_bytes < memory_held.too_much():
            return verdict.not_checkable(exercise, program, KILLED_FROM_OUTSIDE, LOOK_AT_MEMORY)
        return verdict.crashed(exercise, program, "crash", *_of_death(death))
    if reply.get("spent"):
        _children.pop(device).kill()
        _replace(device)
    if "not_loaded" in reply:
        raise ProgramError(reply["not_loaded"])
    if "raised" in reply:
        return verdict.our_failure(exercise, program, reply["raised"])
    return Examination.from_json(reply["examination"])


def _asked(device: str, request: dict, seconds: float) -> dict:
    """The child's reply. A child that was killed is replaced and asked once more: perhaps the answer did not do it.

    Raises: ChildDied, ChildHung.
    """
    try:
        return warm(device).ask(request, seconds)
    except ChildDied as death:
        if death.signal != KILLED:
            raise
        _replace(device)
        return warm(device).ask(request, seconds)


def _replace(device: str) -> None:
    """Start a fresh child now, so that the next check finds it warm."""
    if device == "cuda":
        canary.ask_for_one("a child on the GPU was lost")
    _children.pop(device, None)
    warm(device)


def _of_death(death: ChildDied) -> tuple[str, str]:
    """What killed the child, and what to do, in words."""
    if death.signal == signal.SIGSEGV:
        return (
            f"The code crashed its process (segmentation fault). {NOTHING_WRONG_HERE}",
            "Look for an index outside an array.",
        )
    if death.signal == KILLED:
        return (
            f"The process held {death.peak_bytes / 1e9:.1f} GB and was killed, twice. {NOTHING_WRONG_HERE}",
            "Allocate less.",
        )
    if death.signal:
        return f"The process was killed by signal {death.signal}. {NOTHING_WRONG_HERE}", ""
    return f"The process ended before the checks were done. {NOTHING_WRONG_HERE}", "Take out calls such as exit()."
