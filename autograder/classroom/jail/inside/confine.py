"""What a process in the jail gives up for good before it runs a student's text: keys, and odd kernel calls.

    python -I confine.py ARGUMENTS...        # gives them up, then becomes ``python -I -B ARGUMENTS...``

Namespaces hide what there is to see; a seccomp filter takes away what they do not cover: memory that no limit on
processes counts, the keyring of whoever grades and what else all processes of a user share (watches on files), sockets
that no network namespace cuts off, further namespaces. In a visit also further processes, since not every kernel heeds
the limit on them.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 4, 22, 38, 2
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x20000, 0x8000000, 1 << 28, 1 << 29, 1 << 30
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
CAPABILITY_VERSION_3 = 0x20080522
JOIN_SESSION_KEYRING = 1
ALLOWED_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: nobody can be reached by the last two
SCRATCH_OPTIONS = b"size=64m,nr_inodes=4k,mode=777"  # an empty file takes no room there, but a kilobyte of the kernel's
NAMESPACE_FLAGS = 0x7E020000  # CLONE_NEW* for mount, cgroup, uts, ipc, user, pid and net
CLONE_THREAD = 0x10000
RLIMIT_CPU = 0  # at its end comes a SIGKILL that nobody sent: whoever sets it himself would look like a fault of ours
ALLOW, REFUSE, MISSING = (
    0x7FFF0000,
    0x00050001,
    0x00050026,
)  # go on; EPERM; ENOSYS: libc tries an older call
NUMBERS = {  # machine -> (audit architecture, {call: number}); names as in the kernel's own tables
    "x86_64": (0xC000003E, dict(
        memfd_create=319, memfd_secret=447, shmget=29, shmat=30, msgget=68, semget=64, mq_open=240, keyctl=250,
        add_key=248, request_key=249, io_uring_setup=425, io_uring_enter=426, io_uring_register=427, userfaultfd=323,
        bpf=321, perf_event_open=298, ptrace=101, process_vm_readv=310, process_vm_writev=311, kcmp=312,
        pidfd_getfd=438, unshare=272, setns=308, mount=165, umount2=166, pivot_root=155, move_mount=429, open_tree=428,
        fsopen=430, fsconfig=431, fsmount=432, fspick=433, mount_setattr=442, open_by_handle_at=304,
        name_to_handle_at=303, kexec_load=246, init_module=175, finit_module=313, delete_module=176, personality=135,
        vmsplice=278, inotify_init=253, inotify_init1=294, fanotify_init=300, setrlimit=160, prlimit64=302,
        clone=56, clone3=435, fork=57, vfork=58, socket=41, socketpair=53,
    )),
    "aarch64": (0xC00000B7, dict(
        memfd_create=279, memfd_secret=447, shmget=194, shmat=196, msgget=186, semget=190, mq_open=180, keyctl=219,
        add_key=217, request_key=218, io_uring_setup=425, io_uring_enter=426, io_uring_register=427, userfaultfd=282,
        bpf=280, perf_event_open=241, ptrace=117, process_vm_readv=270, process_vm_writev=271, kcmp=272,
        pidfd_getfd=438, unshare=97, setns=268, mount=40, umount2=39, pivot_root=41, move_mount=429, open_tree=428,
        fsopen=430, fsconfig=431, fsmount=432, fspick=433, mount_setattr=442, open_by_handle_at=265,
        name_to_handle_at=264, kexec_load=104, init_module=105, finit_module=273, delete_module=106, personality=92,
        vmsplice=75, inotify_init1=26, fanotify_init=262, setrlimit=164, prlimit64=261,
        clone=220, clone3=435, socket=198, socketpair=199,
    )),
}  # fmt: skip
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # classic BPF
X32 = 0x40000000  # calls of the 32-bit ABI on x86-64 have this bit, and numbers of their own


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def give_up(sockets: bool = True, processes: bool = True) -> None:
    """Take a keyring of our own, then refuse the calls above, for this process and all that it starts. sockets: those
    that reach nobody may be made; a message in one takes memory that no process is seen to hold. processes: further
    ones may be started; threads always may.

    Raises OSError where the kernel does not take the filter.
    """
    machine = os.uname().machine
    code = bpf(machine, sockets, processes)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(NUMBERS[machine][1]["keyctl"], JOIN_SESSION_KEYRING, None)
    program = _Program(len(code) // 8, code)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel takes no seccomp filter")


def leave_the_others() -> None:
    """Mounts, network and the like become this process's own; its next child starts a process namespace."""
    _need(lambda libc: libc.unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC))


def own_folder(path: str) -> None:
    """An empty folder in memory over `path`, and a /proc that shows this process namespace only."""
    read_only = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC
    _need(lambda libc: libc.mount(b"scratch", path.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, SCRATCH_OPTIONS))
    _need(lambda libc: libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None))
    _need(lambda libc: libc.mount(b"proc", b"/proc", None, read_only, None))
    os.chdir(path)


def lose_all_power() -> None:
    """Leave the user namespace for one in which this process is nobody, without a capability or a way to one.

    Raises OSError where that cannot be done.
    """
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _need(lambda libc: libc.unshare(CLONE_NEWUSER))
    _need(lambda libc: libc.capset(header, bytes(24)))
    _need(lambda libc: libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def _need(call: Callable[[ctypes.CDLL], int]) -> None:
    """A call into libc that must not fail."""
    libc = ctypes.CDLL(None, use_errno=True)
    if call(libc):
        raise OSError(ctypes.get_errno(), "the jail cannot be closed")


def bpf(machine: str, sockets: bool = True, processes: bool = True) -> bytes:
    """The filter as the kernel reads it, eight bytes an instruction. Raises OSError for a machine that is not known."""
    if machine not in NUMBERS:
        raise OSError(f"no seccomp filter is known for {machine}")
    architecture, numbers = NUMBERS[machine]
    numbers = dict(numbers)
    clone, clone3, socket = numbers.pop("clone"), numbers.pop("clone3"), numbers.pop("socket")
    allowed = {"socketpair": sockets, "fork": processes, "vfork": processes}
    numbers = {name: number for name, number in numbers.items() if not allowed.get(name, False)}
    limits = {numbers.pop("setrlimit"): 16, numbers.pop("prlimit64"): 24}  # where a call says which limit it is about
    lines = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, REFUSE), (LOAD, 0, 0, 0)]
    if machine == "x86_64":
        lines += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, REFUSE)]
    for number in sorted(numbers.values()):
        lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    lines += [(EQUAL, 0, 1, clone3), (RETURN, 0, 0, MISSING)]
    threads_only = [] if processes else [(ANY_BIT, 1, 0, CLONE_THREAD), (RETURN, 0, 0, REFUSE)]
    cloning = [(LOAD, 0, 0, 16), (ANY_BIT, 0, 1, NAMESPACE_FLAGS), (RETURN, 0, 0, REFUSE), *threads_only]
    lines += [(EQUAL, 0, len(cloning) + 1, clone), *cloning, (RETURN, 0, 0, ALLOW)]
    for number, which in limits.items():
        lines += [(EQUAL, 0, 4, number), (LOAD, 0, 0, which), (EQUAL, 0, 1, RLIMIT_CPU), (RETURN, 0, 0, REFUSE)]
        lines += [(RETURN, 0, 0, ALLOW)]
    lines += [(EQUAL, 1, 0, socket), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, 16)]
    for family in ALLOWED_FAMILIES if sockets else ():
        lines += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    lines += [(RETURN, 0, 0, REFUSE)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


if __name__ == "__main__":
    give_up()
    os.execv(sys.executable, [sys.executable, "-I", "-B", *sys.argv[1:]])
