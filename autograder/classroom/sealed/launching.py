"""The judge's side of the launcher: start it, ask it within a time, kill it, and see that the device is back.

What comes back from it is numbers and bytes; it is never loaded, and it decides nothing. Whom it serves: `serving`.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages import frames
from autograder.classroom.sealed import gpu_jail
from autograder.classroom.sealed.region import Region, Unchanging
from autograder.machine.scratch import ScratchFolder
from autograder.speed import canary

START_S = 60.0
BEGUN = {"begun": True}  # what a launcher says right before it launches
RUNS_S = "runs_s"  # and then now and again: for how long it has seen the device at work
SILENT_S = 30.0  # after which a launcher that says nothing is one that does not come to look: no kernel's fault
LATEST = 3.0  # times as long as it may run, by this process's clock, a launch may take in all
BACK_S = 10.0  # after a launcher was killed, the device has to carry out a launch within this time
MODES = (gpu_jail.JAILED, gpu_jail.CONFINED)
Command = Callable[[str, str], list[str]]  # (mode, empty folder) -> command line


KERNELS_DEED = frozenset(  # what the driver reports of a kernel that did what it must not; all else is the machine's
    "CUDA_ERROR_" + word
    for word in (
        "ASSERT",
        "COOPERATIVE_LAUNCH_TOO_LARGE",
        "HARDWARE_STACK_ERROR",
        "ILLEGAL_ADDRESS",
        "ILLEGAL_INSTRUCTION",
        "INVALID_ADDRESS_SPACE",
        "INVALID_PC",
        "LAUNCH_FAILED",
        "LAUNCH_OUT_OF_RESOURCES",
        "LAUNCH_TIMEOUT",
        "MISALIGNED_ADDRESS",
    )
)
OURS = ("died", "machine", "late")  # kinds of error that no answer causes


class LauncherError(RuntimeError):
    """The launcher gave no result that can be used.

    kind: "no_gpu"; "timed_out" (what was launched had not ended after `seconds` of looking); "device" (a kernel's deed:
    the driver's own word is in `name`); "machine" (whatever else the driver reported); "late" (it did not come to
    launch anything, or to look what became of it); "died"; or "refused" (by the launcher: the plan is not one that can
    be carried out).
    """

    def __init__(self, kind: str, message: str, name: str = "", seconds: float = 0.0):
        super().__init__(message)
        self.kind, self.name, self.seconds = kind, name, seconds


class Launcher:
    """A launcher that runs. Use as a context: it is gone afterwards, and all that was on the device with it.

    Raises: LauncherError from `hello` on.
    """

    def __init__(self, mode: str | None = None, command: Command = gpu_jail.command):
        self.mode = mode or usable_mode()
        self.folder = ScratchFolder("launcher")
        self.channel, theirs = socket.socketpair()
        self.region: Region | None = None
        self.facts: dict[str, Any] = {}
        self.confined, self.served = False, 0
        with theirs:
            self.process = subprocess.Popen(
                command(self.mode, self.folder.name),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": jail.path(), "DEVICES": " ".join(gpu_jail.device_nodes()), "WRITABLE": "yes"},
                cwd="/",
                start_new_session=True,
            )

    def __enter__(self) -> Launcher:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def hello(self) -> dict[str, Any]:
        """What the device is; waits until the launcher is up."""
        if not self.facts:
            said = self._receive(START_S)
            if "no_gpu" in said:
                raise LauncherError("no_gpu", str(said["no_gpu"]))
            self.facts, self.confined = dict(said["facts"]), bool(said["confined"])
        return self.facts

    @property
    def architecture(self) -> str:
        """As the compiler names it: "sm_90"."""
        facts = self.hello()
        return f"sm_{facts['major']}{facts['minor']}"

    def share(self, n_bytes: int) -> Region:
        """Memory of at least so many bytes that both sides see; what lay in the last one is gone."""
        self.hello()
        if self.region is None or self.region.n_bytes < n_bytes:
            if self.region is not None:
                self.region.close()
            self.region = Region(max(n_bytes, 1 << 20))
            self._send({"do": "region", "bytes": self.region.n_bytes})
            self.region.send(self.channel)
            self._receive(START_S)
        return self.region

    def give(self, inputs: Unchanging) -> None:
        """Memory that the launcher may read, in place of what it was given before."""
        self.hello()
        self._send({"do": "given", "bytes": inputs.n_bytes})
        inputs.send(self.channel)
        self._checked(self._receive(START_S))

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to one request. A launcher that gives none in time, or lost its device, is gone afterwards."""
        self.hello()
        self._send(request)
        return self._checked(self._receive(seconds))

    def carry_out(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to a request that launches an answer's code. seconds: for which the launcher may see the device at
        work on it.

        So a machine that is slow to load code, and a launcher that is stopped, are no kernel that hangs.
        """
        self.hello()
        self._send(request)
        said = self._checked(self._receive(START_S))
        begun = time.monotonic()
        while said == BEGUN or RUNS_S in said:
            ran_s = float(said.get(RUNS_S, 0.0))
            if ran_s >= seconds:
                self._stop()
                raise LauncherError("timed_out", f"What was launched had not ended after {ran_s:.0f} s.", seconds=ran_s)
            if time.monotonic() > begun + LATEST * seconds + START_S:
                self._stop()
                raise LauncherError("late", f"The launcher looked at the GPU for {ran_s:.0f} s only.")
            said = self._checked(self._receive(SILENT_S))
        return said

    def _checked(self, reply: dict[str, Any]) -> dict[str, Any]:
        """A reply that is one. Raises LauncherError."""
        if "device" in reply:
            self.close()
            name = str(reply["device"])
            canary.ask_for_one(f"a launcher lost its device: {name}")
            kind = "device" if name in KERNELS_DEED else "machine"
            raise LauncherError(kind, f"The GPU reported {name}.", name)
        if "refused" in reply:
            raise LauncherError("refused", str(reply["refused"]))
        return reply

    def _send(self, request: dict[str, Any]) -> None:
        try:
            frames.send(self.channel, request, seconds=START_S)
        except (frames.Closed, frames.TooLate):
            self.close()
            raise LauncherError("died", "The launcher ended.") from None

    def _receive(self, seconds: float) -> dict[str, Any]:
        """What the launcher says next."""
        try:
            return frames.receive(self.channel, seconds)[0]
        except frames.TooLate:
            self._stop()
            raise LauncherError("late", f"The launcher did not answer within {seconds:g} s.") from None
        except (frames.Closed, frames.FrameError) as error:
            self.close()
            raise LauncherError("died", f"The launcher ended{f' ({error})' if str(error) else ''}.") from None

    def _stop(self) -> None:
        self.close()
        canary.ask_for_one("a launcher was stopped")

    def close(self) -> None:
        """End it, whatever it does. The driver takes back what it had on the device."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.channel.close()
        if self.region is not None:
            self.region.close()
            self.region = None
        self.folder.cleanup()


@cache
def usable_mode() -> str:
    """In which of the two ways a launcher finds the GPU here, the jail first. Raises LauncherError where in none."""
    said = ""
    for mode in MODES:
        try:
            with Launcher(mode) as one:
                one.hello()
                return mode
        except (LauncherError, OSError) as error:
            said = str(error)
    raise LauncherError("no_gpu", f"No launcher finds a GPU here ({said}).")


def back_after_s(seconds: float = BACK_S, command: Command = gpu_jail.command, mode: str | None = None) -> float | None:
    """Seconds until a fresh launcher carried out a launch, which shows that the device is back; None where it is not
    within `seconds`."""
    started = time.monotonic()
    while (left := started + seconds - time.monotonic()) > 0:
        try:
            with Launcher(mode, command) as one:
                one.facts = {}
                said = one._receive(left)
                if "facts" not in said:
                    continue
                one.facts = dict(said["facts"])
                if one.ask({"do": "canary"}, max(started + seconds - time.monotonic(), 0.1))["done"]:
                    return time.monotonic() - started
        except LauncherError:
            continue
    return None
