"""What runs first in a jail: one process that has everything imported, and a copy of it for each visit.

    python -I warden.py PROJECT < socket

Each message on standard input brings a socket. A copy of this process serves one visit on it, in namespaces of its own,
without a capability, and with an empty folder; whatever the visit left running or written is gone with it, so that the
next copy is as fresh as the first. This process itself runs nothing that a student wrote.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import socket
import sys

CPU_SECONDS = 150  # a visit
DESCRIPTORS, PROCESSES = 64, 32  # a process, and all together
NOT_MADE = 100  # an exit code
BEGUN = b"b"
READY = b"ready\n"  # then, after each visit, a line that says how it ended: see `_apart`


def main() -> None:
    """Serve until the judge hangs up."""
    sys.path.insert(0, sys.argv[1])
    control = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    _import_everything()  # where that fails, the judge reads why
    os.dup2(nowhere, 2)  # and nothing of what answers write
    from autograder.classroom.jail.inside import confine

    ctypes.CDLL(None).prctl(confine.PR_SET_DUMPABLE, 0, 0, 0, 0)  # no copy reads or traces the process it came from
    control.sendall(READY)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        ending = _apart(control, descriptors[0])
        os.close(descriptors[0])
        control.sendall(b"%d\n" % ending)


def _import_everything() -> None:
    """What a visit needs, so that copies start with it, warm."""
    import autograder.classroom.jail.inside.compiling
    import autograder.classroom.jail.inside.plans
    import autograder.lint.compiler
    import autograder.running.compiled
    import autograder.running.host_code.run_host
    import autograder.running.run_simt  # noqa: F401
    from autograder import backend, exercises

    backend.install_stand_in()
    exercises.units()
    from autograder.classroom.jail.inside import warm  # now that `numba.cuda` means what it will mean to an answer

    warm.warm_up()


def _apart(control: socket.socket, descriptor: int) -> int:
    """Serve a visit in a copy: the first of a process namespace of its own, so that all it started ends with it.

    Returns: how it ended: its exit code, or 128 and the number of the signal that killed it, as a shell says it;
    NOT_MADE where the machine had no room for it, so that nothing of an answer's was begun. Only what runs before the
    answer can say so.
    """
    from autograder.classroom.jail.inside import confine

    try:
        copy = os.fork()
    except OSError:
        return NOT_MADE
    if copy:
        return _ending(copy)
    ending = NOT_MADE
    try:
        control.close()
        confine.leave_the_others()
        begun, begins = os.pipe()
        inner = os.fork()
        if inner:
            os.close(descriptor)
            os.close(begins)
            has_begun = os.read(begun, 1) == BEGUN  # nothing comes from one that ends before
            ending = _ending(inner, is_answer=True)
            ending = ending if has_begun else NOT_MADE
        else:
            os.close(begun)
            os.setsid()  # a signal to one's whole group crosses namespaces, and this jail is one group
            confine.own_folder(os.getcwd())
            confine.lose_all_power()
            _limit()
            confine.give_up(sockets=False, processes=False)
            os.write(begins, BEGUN)
            os.close(begins)
            _serve(descriptor)
            ending = 0
    finally:
        os._exit(ending)


def _ending(process: int, is_answer: bool = False) -> int:
    """How a process ended, as `_apart` says it. is_answer: it ran one, whose exit code may claim anything, so that one
    with a meaning here, such as 137 for a SIGKILL that nobody sent, is 1.
    """
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if is_answer and (code == NOT_MADE or code >= 128):
        return 1
    return code if code >= 0 else 128 - code


def _limit() -> None:
    """What a visit may have beside the jail's own limits. Few descriptors, since pipes hold memory that no process is
    seen to hold.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))


def _serve(descriptor: int) -> None:
    """One visit: its first message says what it is for."""
    from autograder.classroom.jail.inside import compiling, interpreting
    from autograder.classroom.jail.inside import plans as inside
    from autograder.classroom.messages import frames

    channel = socket.socket(fileno=os.dup(descriptor))
    os.close(descriptor)
    with contextlib.suppress(frames.Closed):
        request, _ = frames.receive(channel)
        if request["visit"] == "interpret":
            interpreting.serve(request, channel)
        elif request["visit"] == "compile":
            compiling.compile_kernels(request, channel)
        elif request["visit"] == "assemble":
            compiling.assemble(request, channel)
        else:
            frames.send(channel, inside.serve(request))


if __name__ == "__main__":
    main()
