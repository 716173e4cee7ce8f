"""What a worker does with a task: judge it, unless its GPU is lost; then look after a GPU on which somebody was killed.

A reply is JSON bytes either way. Where the GPU is lost the task was not begun, and somebody else may have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from autograder import backend
from autograder.classroom.cluster.devices import bound
from autograder.speed import canary

LOST = b'{"lost":'  # how such a reply begins, as no other does


class DeviceLost(RuntimeError):
    """A GPU that does not answer any more. device: its name."""

    def __init__(self, device: str):
        self.device = device
        super().__init__(
            f"the GPU {device} does not answer since a process on it was killed. Look at it (nvidia-smi), then grade "
            "with --resume"
        )


def on_duty(judge: Callable[[bytes], bytes], task: bytes) -> bytes:
    """The reply to a task, or one that says that this worker's GPU is lost."""
    device = bound()
    if backend.gpu_available() and canary.lost(device):
        return lost_reply(device)
    try:
        return judge(task)
    finally:
        if canary.is_asked_for():
            canary.after_a_kill(device)


def lost_reply(device: str) -> bytes:
    """What a worker says whose GPU is lost: which, and where it can be found on a cluster."""
    return json.dumps({"lost": device, "worker": _address()}).encode()


def _address() -> str:
    """Of this worker, "" for one of a pool."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return ""


def lost_worker(reply: bytes | Exception) -> str:
    """The address of a worker that says that its GPU is lost; "" for a judgement, or for none."""
    return _said(reply).get("worker", "")


def lost_device(reply: bytes | Exception) -> str:
    """The device that a reply says is lost; "" for a judgement, or for none."""
    return _said(reply).get("lost", "")


def _said(reply: bytes | Exception) -> dict[str, str]:
    """What a reply says about a lost GPU; nothing for any other."""
    return json.loads(reply) if isinstance(reply, bytes) and reply.startswith(LOST) else {}
