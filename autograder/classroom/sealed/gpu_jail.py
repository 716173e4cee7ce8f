"""Where the launcher runs: a jail that shows the GPU's device nodes, or else a process of its own with few rights.

The jail is the one of students' code with four differences: the device nodes; /sys, which the driver reads; /proc,
which it writes to (on an H200 cuInit gave 304 where /proc was read-only); and no limit on addresses, of which the
driver takes more than any machine has memory. Where the driver does not start in it,
the launcher runs as the user who grades, without a way to more rights; which of the two it was stands in the verdict.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from autograder.classroom.jail import namespaces as jail

LAUNCHER = Path(__file__).with_name("launcher.py")
DEVICES = "/dev"
PASSED_ON = ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "CUDA_DEVICE_ORDER")  # of the judge's own environment
SETTINGS = (
    "CUDA_CACHE_DISABLE=1",
    "CUDA_DEVICE_MAX_CONNECTIONS=1",  # for one stream one queue is enough, and such a context is made in half the time
)
JAILED, CONFINED = "in a jail of its own", "as a process with few rights"


def device_nodes() -> list[str]:
    """Names below /dev of the GPUs and their control nodes."""
    try:
        names = sorted(os.listdir(DEVICES))
    except OSError:
        return []
    names = [name for name in names if re.fullmatch(r"nvidia[\w-]*", name)]
    return [name for name in names if not os.path.isdir(os.path.join(DEVICES, name))]


def command(mode: str, folder: str) -> list[str]:
    """The command line of a launcher. mode: JAILED or CONFINED; folder: an empty one, which the jail is made in."""
    start = ["setpriv", "--pdeathsig", "KILL"]
    limits = ["prlimit", "--core=0", "--nofile=1024"]
    home = jail.SCRATCH if mode == JAILED else folder
    settings = ["env", "-i", f"PATH={jail.path()}", "LANG=C.UTF-8", *_environment(home)]
    python = [sys.executable, "-I", "-B", str(LAUNCHER), str(jail.PROJECT)]
    if mode == CONFINED:
        return [*start, "setpriv", "--no-new-privs", *limits, *settings, *python]
    places = [*jail.places(), "/sys"]
    furnish = ["sh", "-c", jail.FURNISH, "jail", folder, jail.SCRATCH, str(len(places)), *places]
    powerless = ["unshare", "--user", "setpriv", "--no-new-privs"]
    return [*start, "unshare", *jail.NAMESPACES, *furnish, *powerless, *limits, *settings, *python]


def _environment(home: str) -> list[str]:
    passed = [f"{name}={os.environ[name]}" for name in PASSED_ON if name in os.environ]
    return [f"HOME={home}", f"TMPDIR={home}", *SETTINGS, *passed]
