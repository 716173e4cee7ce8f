"""Hides what Windows has not from every process that has this folder in PYTHONPATH: Python runs it when it starts.

`subprocess` keeps modules of its own, which are whole, and starts processes as ever.
"""

import asyncio  # noqa: F401 (of this system, whose names it takes before they go)
import os
import select
import signal
import subprocess
import sys
import types

MODULES = "fcntl resource pwd grp termios tty pty syslog readline curses _curses".split()
OF_OS = """
    fork forkpty getuid geteuid getgid getegid getgroups killpg setsid getsid getpgid setpgid getpgrp wait3 wait4 waitid
    mkfifo mknod chown lchown fchown chroot getpriority setpriority nice sched_getaffinity sched_setaffinity getloadavg
    sysconf pread pwrite preadv pwritev readv writev sendfile
    posix_fallocate memfd_create pidfd_open statvfs fchdir O_NOFOLLOW O_DIRECTORY
    ttyname setuid setgid WNOHANG
""".split()
OF_SIGNAL = """
    SIGKILL SIGALRM SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGXCPU alarm setitimer pthread_sigmask sigwait pause
    pthread_kill siginterrupt
""".split()


def whole(module):
    copy = types.ModuleType(module.__name__)
    copy.__dict__.update(module.__dict__)
    return copy


subprocess.os, subprocess.signal = whole(os), whole(signal)
for name in MODULES:
    sys.modules[name] = None
for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)


def sockets_only(*_arguments):
    raise OSError("Windows waits for sockets here, and for no pipes")


select.select = sockets_only
for name in ("poll", "epoll"):
    if hasattr(select, name):
        delattr(select, name)
