"""The launcher: a process that owns the GPU, and loads machine code and data only.

    python -I -B launcher.py PROJECT < socket

It imports no submission, no exercise, no compiler and no numba; it knows no expected value. Each message asks for one
thing, each reply says what came of it, and arrays lie in memory that the judge shares with it. Whatever goes wrong on
the device is the judge's to decide about: this process says so and ends.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

REFUSED = (ValueError, KeyError, TypeError, IndexError, OverflowError, MemoryError)


class Launcher:
    """Serves one judge, answer after answer where the code is our own. gpu: what `driver.Gpu` offers."""

    def __init__(self, gpu: Any):
        from autograder.classroom.sealed import carry_out, region

        self.gpu, self.carry_out, self.regions = gpu, carry_out, region
        self.arena: Any = None
        self.region: Any = None
        self.given: Any = None  # inputs that the judge keeps, to be read where they lie
        self.plans: dict[str, Any] = {}

    def serve(self, channel: socket.socket, said: dict[str, Any]) -> None:
        """Say hello, then do what is asked until the judge hangs up or the device is lost. said: beside the facts."""
        from autograder.classroom.messages import frames
        from autograder.classroom.sealed.driver import DeviceError

        self.channel = channel
        frames.send(channel, {"facts": self.gpu.facts(), **said})
        while True:
            try:
                request, _ = frames.receive(channel)
            except frames.Closed:
                return
            if request.get("do") == "region":
                self.region = self.regions.Region.receive(channel, int(request["bytes"]))
            if request.get("do") == "given":
                self.given = self.regions.Unchanging.receive(channel, int(request["bytes"]))
            try:
                reply = getattr(self, f"_do_{request['do']}")(request)
            except DeviceError as error:
                frames.send(channel, {"device": error.name})
                return
            except (*REFUSED, AttributeError) as error:
                reply = {"refused": f"{type(error).__name__}: {error}"}
            frames.send(channel, reply)

    def _do_region(self, _request: dict[str, Any]) -> dict[str, Any]:
        return {"done": True}

    def _do_given(self, _request: dict[str, Any]) -> dict[str, Any]:
        return {"done": True}

    def _do_canary(self, _request: dict[str, Any]) -> dict[str, Any]:
        return {"done": self.gpu.own.canary()}

    def _do_memory(self, request: dict[str, Any]) -> dict[str, Any]:
        """Device memory for buffers, in place of what there was; plans that were sent are gone with it."""
        from autograder.classroom.sealed.arena import Arena

        buffers, n_sets = {str(name): int(n_bytes) for name, n_bytes in request["buffers"]}, int(request["sets"])
        if min(buffers.values(), default=0) < 0:
            raise ValueError("a buffer of less than no bytes")
        for plan in self.plans.values():
            plan.unload(self.gpu)
        spare = self.arena.given_up() if self.arena is not None else (0, 0)
        self.arena, self.plans, self.given = None, {}, None
        self.arena = Arena(self.gpu, buffers, n_sets, spare)
        return {"done": True, "bytes": self.arena.n_bytes}

    def _do_contents(self, request: dict[str, Any]) -> dict[str, Any]:
        """What buffers hold before each launch of a set, from what was given or from the region."""
        source = self.given if request.get("given") else self.region
        for name, at in request["buffers"]:
            self.arena.keep(int(request["set"]), name, source.part(int(at), self.arena.buffers[name]))
        return {"done": True}

    def _do_plan(self, request: dict[str, Any]) -> dict[str, Any]:
        """A plan under a name. Its code lies in the region; it is copied and checked, and loaded to be carried out."""
        codes = [
            self.carry_out.Code(
                self.region.part(int(code["at"]), int(code["bytes"])).tobytes(),
                str(code["sha256"]),
                str(code["entry"]),
                tuple(code["parameters"]),
                bool(code["cooperative"]),
            )
            for code in request["codes"]
        ]
        if str(request["name"]) in self.plans:
            self.plans.pop(str(request["name"])).unload(self.gpu)
        plan = self.carry_out.Plan(codes, list(request["operations"]))
        plan.need_possible(self.gpu, self.arena)
        self.plans[str(request["name"])] = plan
        return {"done": True}

    def _do_run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry a plan out once, and say when that begins and while it lasts. The buffers that are wanted are copied
        back into the region; those that should be unchanged are compared with what was given.
        """
        plan = self.plans[str(request["name"])]
        reply = self.carry_out.once(self.gpu, self.arena, plan, request, self._says)
        for name, at in request["back"]:
            self.gpu.get(self.region.part(int(at), self.arena.buffers[name]), self.arena.address(name))
        unchanged = ((name, self.given.part(int(at), self.arena.buffers[name])) for name, at in request["unchanged"])
        return {**reply, "changed": [name for name, contents in unchanged if not self.arena.holds(name, contents)]}

    def _says(self, meanwhile: dict[str, Any]) -> None:
        from autograder.classroom.messages import frames

        frames.send(self.channel, meanwhile)


def main() -> None:
    """Open the GPU, give up what is not needed, and serve."""
    sys.path.insert(0, sys.argv[1])
    channel = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # the driver writes what kernels print to 1, whenever it likes
        os.dup2(nowhere, descriptor)
    from autograder.classroom.messages import frames
    from autograder.classroom.sealed import driver

    try:
        gpu = driver.Gpu()
    except Exception as error:  # no driver, no device, or a jail that hides it: the judge decides what that means
        frames.send(channel, {"no_gpu": f"{type(error).__name__}: {error}"[:500]})
        return
    Launcher(gpu).serve(channel, {"confined": _give_up()})


def _give_up() -> bool:
    """Refuse, from now on, the calls into the kernel that no launch needs; False where that is not possible."""
    import ctypes

    from autograder.classroom.jail.inside import confine

    try:
        ctypes.CDLL(None).prctl(confine.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        confine.give_up()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
