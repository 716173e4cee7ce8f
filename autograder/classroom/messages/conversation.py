"""Talking with a process in a jail: bytes in, bytes out, with limits on time, on what it says and what it holds."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from pathlib import Path

MAX_REPLY_BYTES = 8 << 20  # read as JSON, this may take 40 times as much memory
MAX_ERRORS_BYTES = 64 << 10
MAX_TREE_BYTES = 3 << 30  # that all processes of a jail may hold together
MAX_TASKS = 512  # threads of all of them: where the kernel heeds the limit on processes, they never come to that
LOOK_EVERY_S = 0.25
WOULD_COMPUTE = "RDTt"  # states of a thread: runs or could, waits for a disk, was stopped
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class JailError(RuntimeError):
    """The inmate gave no reply that can be used. `said`: its last words.

    kind: "timed_out" (it computed for too long), "asleep" (it waited and computed nothing), "too_much" (said or held),
    "killed" or held up (from outside: not its own doing), "not_started" (what a jail needs is missing on this machine),
    "forged" or "died". worked_s: seconds that it had computed for, and slept, as far as they were counted.
    """

    def __init__(self, kind: str, message: str, said: str = "", worked_s: float = 0.0):
        super().__init__(message)
        self.kind, self.said, self.worked_s = kind, said, worked_s


def converse(process: subprocess.Popen, request: bytes, seconds: float) -> bytes:
    """Write the request and read both outputs side by side. Raises: JailError."""
    deadline = time.monotonic() + seconds
    heard = {process.stdout: bytearray(), process.stderr: bytearray()}
    to_send = memoryview(request)
    with selectors.DefaultSelector() as selector:
        for stream in heard:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        look_at = time.monotonic() + LOOK_EVERY_S
        while selector.get_map():
            now = time.monotonic()
            if now >= deadline:
                raise JailError("timed_out", f"It did not end within {seconds:g} s.")
            if now >= look_at:
                need_little(process.pid)
                look_at = time.monotonic() + LOOK_EVERY_S
            for key, _ in selector.select(min(deadline - now, LOOK_EVERY_S)):
                if key.fileobj is process.stdin:
                    to_send = _send(selector, process.stdin, to_send)
                else:
                    _hear(selector, key.fileobj, heard)
            if len(heard[process.stdout]) > MAX_REPLY_BYTES:
                raise JailError("too_much", f"It wrote more than {MAX_REPLY_BYTES >> 20} MiB.")
            del heard[process.stderr][:-MAX_ERRORS_BYTES]
    said = bytes(heard[process.stderr]).decode("utf-8", "replace")
    if process.wait(timeout=max(deadline - time.monotonic(), 1.0)) != 0:
        kind = "killed" if process.returncode in (-9, 137) else "died"
        raise JailError(kind, f"It ended with code {process.returncode}.", said)
    return bytes(heard[process.stdout])


def need_little(pid: int) -> None:
    """Raise JailError when a process and all below it hold too much together: limits that a process does not add up."""
    held, tasks = tree_holds(pid)
    if held > MAX_TREE_BYTES:
        raise JailError(
            "too_much", f"It held {held / 2**30:.1f} GiB of memory; {MAX_TREE_BYTES >> 30} GiB is the limit."
        )
    if tasks > MAX_TASKS:
        raise JailError("too_much", f"It ran {tasks:,} threads at a time; {MAX_TASKS} is the limit.")


def tree_holds(pid: int) -> tuple[int, int]:
    """The bytes that a process and all its descendants hold, and their threads; 0 for those that ended meanwhile."""
    held, tasks, pending = 0, 0, [str(pid)]
    while pending and tasks <= MAX_TASKS:
        process = Path("/proc") / pending.pop()
        try:
            held += int((process / "statm").read_text().split()[1]) * PAGE
            for task in (process / "task").iterdir():
                tasks += 1
                pending += (task / "children").read_text().split()
        except (OSError, ValueError, IndexError):
            continue
    return held, tasks


def tree_at_work(pid: int) -> tuple[float, bool]:
    """Seconds that a process and all its descendants computed so far, those that ended among them; and whether one of
    them computes now, or would if the machine let it.
    """
    ticks, busy, pending = 0, False, [str(pid)]
    while pending:
        process = Path("/proc") / pending.pop()
        try:
            ticks += sum(map(int, _stat(process)[11:15]))
            for task in (process / "task").iterdir():
                busy |= _stat(task)[0] in WOULD_COMPUTE
                pending += (task / "children").read_text().split()
        except (OSError, ValueError, IndexError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK"), busy


def _stat(place: Path) -> list[str]:
    """What the kernel tells of a process or a thread, from its state on."""
    return (place / "stat").read_text().rpartition(")")[2].split()


def _send(selector, pipe, to_send: memoryview) -> memoryview:
    try:
        to_send = to_send[os.write(pipe.fileno(), to_send[: 1 << 16]) :] if to_send else to_send
    except (BrokenPipeError, BlockingIOError) as error:
        if isinstance(error, BlockingIOError):
            return to_send
        to_send = memoryview(b"")
    if not to_send:
        selector.unregister(pipe)
        pipe.close()
    return to_send


def _hear(selector, pipe, heard: dict) -> None:
    chunk = os.read(pipe.fileno(), 1 << 16)
    if not chunk:
        selector.unregister(pipe)
    heard[pipe] += chunk
