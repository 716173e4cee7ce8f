"""A process with nothing to steal and nothing to break: no network, no other processes, no files but the interpreter's.

Made of Linux namespaces by util-linux alone, without privileges. What is inside: the Python installation and this
project's `autograder` and `simt`, read-only, the contracts of exercises of one's own, and an empty folder in memory.
What is not: solutions, submissions, grades, other users' files, the GPU, and any expected value.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

from autograder.classroom.messages.conversation import JailError, converse
from autograder.exercises import own
from autograder.machine.scratch import ScratchFolder
from simt import compilers

PROJECT = Path(__file__).resolve().parents[3]
PACKAGES = ("autograder", "minitrt", "simt")
CONFINE = Path(__file__).with_name("inside") / "confine.py"
MEMORY_BYTES = 4 << 30  # of addresses, a process; what all of them hold together is watched while they run
FILE_BYTES = 64 << 20
N_PROCESSES = 64
SCRATCH = "/warpbook-scratch"  # not below a place that may have to be shown, such as /home or /tmp

NAMESPACES = "--user --map-root-user --mount --net --ipc --uts --pid --fork --kill-child=KILL".split()
TOOLS = ("unshare", "prlimit", "setpriv", "mount", "pivot_root", "sh", "env")
SETTINGS = {  # what a distribution may have set so that nobody but root makes a user namespace, and how to change it
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sudo sysctl kernel.unprivileged_userns_clone=1"),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "/proc/sys/user/max_user_namespaces": ("0", "sudo sysctl user.max_user_namespaces=15000"),
}
TOOLKIT = ("CUDA_PATH", "CUDA_HOME")  # name a CUDA toolkit that was installed beside Python, the first one first
CONTAINERS = ("/.dockerenv", "/run/.containerenv")
IN_A_CONTAINER = (
    "start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
    "--security-opt apparmor=unconfined"
)
TRUST = "or, for students whom you would give a shell on this machine, pass --trust-submissions."

# $1: an empty folder, gone as soon as the jail stands; $2: the scratch folder inside; $3: how many places follow; then
# the places to show, then the command. $DEVICES: names below /dev to show beside the three, none for students' code;
# $WRITABLE: that /proc and the jail's own root stay writable, which the GPU's driver needs, and no student's code.
# $CACHE says where shared libraries lie that no default folder has, such as a Python's own in /usr/local/lib.
# A place is shown with all that is mounted below it, since a machine with a GPU, or a container, has mounts
# inside /usr which may not be lifted.
FURNISH = """
set -e
CACHE=/etc/ld.so.cache
root=$1; scratch=$2; places=$3; shift 3
mount --make-rprivate /
mount -t tmpfs -o size=64m,nr_inodes=4k,mode=755,nosuid,nodev jail "$root"
mkdir "$root/proc" "$root/dev" "$root$scratch" "$root/old"
for link in bin sbin lib lib32 lib64; do
  if [ -L "/$link" ]; then cp -P "/$link" "$root/$link"; elif [ -d "/$link" ]; then
    mkdir "$root/$link"; mount --rbind "/$link" "$root/$link"; fi
done
while [ "$places" -gt 0 ]; do
  mkdir -p "$root$1"; mount --rbind "$1" "$root$1"
  places=$((places - 1)); shift
done
if [ -f "$CACHE" ]; then mkdir -p "$root/etc"; : > "$root$CACHE"; mount --bind "$CACHE" "$root$CACHE"; fi
while read -r _ _ _ _ point options _; do
  case $point in "$root"/*) mount -o "remount,bind,$options,nosuid,ro" "$(printf %b "$point")";; esac
done < /proc/self/mountinfo
for device in null zero urandom $DEVICES; do
  : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t proc proc "$root/proc"
[ -n "$WRITABLE" ] || mount -o remount,bind,ro "$root/proc"
cd "$root"; pivot_root . old; cd /; rmdir "/old$root"; umount -l /old; rmdir /old
mount -t tmpfs -o size=64m,nr_inodes=4k,mode=777,nosuid,nodev scratch "$scratch"; cd "$scratch"
[ -n "$WRITABLE" ] || mount -o remount,bind,ro /
exec "$@"
"""


@cache
def unavailable() -> str:
    """Why no jail can be made on this machine, in one sentence; "" where it can. What to do about it: `remedy`."""
    if sys.platform != "linux" or not hasattr(os, "killpg"):
        return f"This is {sys.platform}, which has no user namespaces."
    missing = [tool for tool in TOOLS if not _tool(tool)]
    if missing:
        return f"{' and '.join(missing)} from util-linux is missing."
    try:
        said = exchange(["-c", "import os, numpy; print(os.getpid(), os.listdir('.'))"], b"", seconds=30)
    except (JailError, OSError) as error:
        words = [line.strip() for line in getattr(error, "said", "").strip().splitlines()]
        words = [line for line in words if line and "dmesg" not in line]  # mount points there after the reason
        return f"No jail can be made here ({words[-1] if words else error})."
    return "" if said.split() == [b"1", b"[]"] else "The jail does not isolate here."


COMPILER_PROBE = (
    "import sys; sys.path.insert(0, {project!r})\n"
    "from autograder.lint.compiler import unavailable_reason\n"
    "print(unavailable_reason())"
)


@cache
def without_a_compiler() -> str:
    """Why a jail on this machine compiles no kernel; "" where it does. For machines on which a jail can be made."""
    try:
        said = exchange(["-c", COMPILER_PROBE.format(project=str(PROJECT))], b"", seconds=60)
    except (JailError, OSError) as error:
        return str(error)
    return said.decode(errors="replace").strip()


VERSIONS_PROBE = (
    "import importlib.metadata as found\n"
    "each = found.distributions(name={name!r})\n"
    "print(next((one.version for one in each), 'none'))"
)


def other_packages() -> list[str]:
    """What a jail on this machine computes with in another version than this process, as in "numpy 1.26.4, not 2.4.6":
    PYTHONPATH counts here, and not there. For machines on which a jail can be made.
    """
    found = []
    for name in ("numpy", "numba", *filter(None, [compilers.in_use()])):
        here = next((one.version for one in metadata.distributions(name=name)), "none")
        there = exchange(["-c", VERSIONS_PROBE.format(name=name)], b"", seconds=60).decode(errors="replace").strip()
        found += [f"{name} {there}, not {here}"] if there != here else []
    return found


def remedy() -> str:
    """What an instructor can do where there is no jail: the setting that forbids it, where one is known to."""
    if sys.platform != "linux":
        return f"Grade on Linux; {TRUST}"
    missing = [tool for tool in TOOLS if not _tool(tool)]
    if missing:
        return f"Install util-linux (apt install util-linux); {TRUST}"
    for path, (forbidding, command) in SETTINGS.items():
        if _content(path) == forbidding:
            return f"User namespaces are switched off ({path} is {forbidding}): {command}; {TRUST}"
    if any(os.path.exists(mark) for mark in CONTAINERS):
        return f"This is a container: {IN_A_CONTAINER}; {TRUST}"
    return f"Try `unshare --user --map-root-user --mount --pid --fork true`, which must work; {TRUST}"


def exchange(python_arguments: list[str], request: bytes, seconds: float) -> bytes:
    """Run the interpreter in a fresh jail, give it `request` on standard input, and return what it wrote to its output.

    Raises: JailError when it does not end in time, says or needs too much, or ends with an error.
    """
    limits = [f"--cpu={int(seconds) + 5}"]
    with running([str(CONFINE), *python_arguments], limits, stdin=subprocess.PIPE) as process:
        return converse(process, request, seconds)


@contextmanager
def running(
    python_arguments: list[str], limits: list[str], stdin: int, warden: bool = False
) -> Iterator[subprocess.Popen]:
    """The interpreter at work in a fresh jail; on leaving, the whole jail is gone.

    limits: more of prlimit's; warden: the program is ours and may divide its jail further, before it runs what is not.
    """
    with ScratchFolder("jail") as folder:
        process = subprocess.Popen(
            _command(folder, python_arguments, limits, warden),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": path()},
            cwd="/",
            start_new_session=True,
        )
        try:
            yield process
        finally:
            _end(process)


def _command(folder: str, python_arguments: list[str], limits: list[str], warden: bool) -> list[str]:
    shown = places()
    powerless = [] if warden else ["unshare", "--user", "setpriv", "--no-new-privs"]
    limits = [*limits, f"--as={MEMORY_BYTES}", f"--nproc={N_PROCESSES}", f"--fsize={FILE_BYTES}"]
    limits += ["--nofile=256", "--core=0"]
    return [
        *("setpriv", "--pdeathsig", "KILL"),  # no jail outlives the process that asked for it
        *("unshare", *NAMESPACES, "sh", "-c", FURNISH, "jail", folder, SCRATCH, str(len(shown)), *shown),
        *(*powerless, "prlimit", *limits),
        *("env", "-i", f"PATH={path()}", f"HOME={SCRATCH}", f"TMPDIR={SCRATCH}", f"NUMBA_CACHE_DIR={SCRATCH}"),
        *("LANG=C.UTF-8", "NUMBA_NUM_THREADS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"),
        *(
            "CUDA_VISIBLE_DEVICES=",
            *(f"CUDA_PATH={folder}" for folder in toolkit()),
            *(f"LD_LIBRARY_PATH={folders}" for folders in libraries(shown)),
            f"{own.VARIABLE}={os.environ.get(own.VARIABLE, '')}",
            f"{compilers.VARIABLE}={compilers.in_use()}",
            sys.executable,
            "-I",
            "-B",
            *python_arguments,
        ),
    ]


def places() -> list[str]:
    """Folders that the interpreter needs, outermost only: its installation, wherever packages or the CUDA compiler of
    it lie, and this project's packages."""
    wanted = ["/usr", sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent), *toolkit()]
    wanted += [place for place in sys.path if place.endswith("-packages") and os.path.isdir(place)]
    wanted += [str(PROJECT / package) for package in PACKAGES]
    wanted += [str(folder / module) for folder in own.folders() for module in own.modules_in(folder)]
    wanted = sorted({os.path.abspath(place) for place in wanted}, key=len)
    kept: list[str] = []
    for place in wanted:
        if not any(place == outer or place.startswith(f"{outer}/") for outer in kept):
            kept.append(place)
    return kept


def toolkit() -> list[str]:
    """The folder of the CUDA toolkit that the environment names, without a link in it: /usr/local/cuda often leads
    through /etc, which no jail shows. [] where none is named, since Python's own packages bring one.
    """
    named = (os.path.realpath(os.environ[name]) for name in TOOLKIT if os.environ.get(name))
    return [folder for folder in named if os.path.isdir(folder)][:1]


def libraries(shown: list[str]) -> list[str]:
    """What the environment says of where a Python's shared libraries lie, as modules of a cluster do; [] for none.

    Only folders below those that a jail shows anyway.
    """
    named = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    below = [each for each in named if any(each == place or each.startswith(f"{place}/") for place in shown)]
    return [os.pathsep.join(below)][: len(below)]


def _end(process: subprocess.Popen) -> None:
    """Kill the whole jail: its first process takes every other with it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _content(path: str) -> str:
    """What a small file says; "" where it cannot be read."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _tool(name: str) -> str | None:
    return shutil.which(name, path=path())


def path() -> str:
    return "/usr/sbin:/usr/bin:/sbin:/bin"
