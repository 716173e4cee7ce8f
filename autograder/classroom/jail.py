"""A process with nothing to steal and nothing to break: no network, no other processes, no files but the interpreter's.

Made of Linux namespaces by util-linux alone, without privileges. What is inside: the Python installation and this
project's `autograder` and `simt`, read-only, and an empty folder in memory. What is not: solutions, submissions,
grades, other users' files, the GPU, and any expected value.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("autograder", "simt")
MEMORY_BYTES = 4 << 30
FILE_BYTES = 64 << 20
N_PROCESSES = 64
MAX_REPLY_BYTES = 512 << 20
MAX_ERRORS_BYTES = 64 << 10

REMEDY = (
    "Grade on Linux with util-linux and user namespaces (sysctl kernel.unprivileged_userns_clone=1); or, for students "
    "whom you would give a shell on this machine, pass --trust-host-code."
)
NAMESPACES = "--user --map-root-user --mount --net --ipc --uts --pid --fork --kill-child=KILL".split()

# $1: an empty folder; $2: how many places follow; then the places to show, then the command. A place is shown with all
# that is mounted below it, since a machine with a GPU, or a container, has mounts inside /usr which may not be lifted.
FURNISH = """
set -e
root=$1; places=$2; shift 2
mount --make-rprivate /
mount -t tmpfs -o size=64m,mode=755,nosuid,nodev jail "$root"
mkdir "$root/proc" "$root/dev" "$root/home" "$root/old"
for link in bin sbin lib lib32 lib64; do
  if [ -L "/$link" ]; then cp -P "/$link" "$root/$link"; elif [ -d "/$link" ]; then
    mkdir "$root/$link"; mount --rbind "/$link" "$root/$link"; fi
done
while [ "$places" -gt 0 ]; do
  mkdir -p "$root$1"; mount --rbind "$1" "$root$1"
  places=$((places - 1)); shift
done
while read -r _ _ _ _ point options _; do
  case $point in "$root"/*) mount -o "remount,bind,$options,nosuid,ro" "$(printf %b "$point")";; esac
done < /proc/self/mountinfo
for device in null zero urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root/proc"
cd "$root"; pivot_root . old; cd /home; umount -l /old; rmdir /old
mount -t tmpfs -o size=64m,mode=777,nosuid,nodev home /home; cd /home
mount -o remount,bind,ro /
exec "$@"
"""


class JailError(RuntimeError):
    """The inmate gave no reply that can be used. `kind`: "timed_out", "too_much" or "died"; `said`: its last words."""

    def __init__(self, kind: str, message: str, said: str = ""):
        super().__init__(message)
        self.kind, self.said = kind, said


@cache
def unavailable() -> str:
    """Why no jail can be made on this machine, in one sentence; "" where it can."""
    if sys.platform != "linux":
        return f"This is {sys.platform}, which has no user namespaces."
    missing = [tool for tool in ("unshare", "prlimit", "setpriv", "mount", "pivot_root", "sh") if not _tool(tool)]
    if missing:
        return f"{' and '.join(missing)} from util-linux is missing."
    try:
        said = exchange(["-c", "import os; print(os.getpid(), os.listdir('/home'))"], b"", seconds=30)
    except (JailError, OSError) as error:
        said = getattr(error, "said", "").strip().splitlines()
        words = [line.strip() for line in said if "dmesg" not in line]  # mount points there after the reason
        return f"User namespaces do not work here ({words[-1] if words else error})."
    return "" if b"[]" in said else "The jail does not isolate here."


def exchange(python_arguments: list[str], request: bytes, seconds: float) -> bytes:
    """Run the interpreter in a fresh jail, give it `request` on standard input, and return what it wrote to its output.

    Raises: JailError when it does not end in time, says too much, or ends with an error.
    """
    with tempfile.TemporaryDirectory(prefix="warpbook-jail-") as folder:
        process = subprocess.Popen(
            _command(folder, python_arguments, seconds),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": _path()},
            cwd="/",
            start_new_session=True,
        )
        try:
            return _converse(process, request, seconds)
        finally:
            _end(process)


def _command(folder: str, python_arguments: list[str], seconds: float) -> list[str]:
    places = _places()
    limits = [f"--as={MEMORY_BYTES}", f"--nproc={N_PROCESSES}", f"--fsize={FILE_BYTES}", "--nofile=256"]
    limits += [f"--cpu={int(seconds) + 5}", "--core=0"]
    return [
        *("unshare", *NAMESPACES, "sh", "-c", FURNISH, "jail", folder, str(len(places)), *places),
        *("unshare", "--user", "setpriv", "--no-new-privs", "prlimit", *limits),
        *("env", "-i", f"PATH={_path()}", "HOME=/home", "TMPDIR=/home", "NUMBA_CACHE_DIR=/home", "LANG=C.UTF-8"),
        *("NUMBA_NUM_THREADS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "CUDA_VISIBLE_DEVICES="),
        *(sys.executable, "-I", "-B", *python_arguments),
    ]


def _places() -> list[str]:
    """Folders that the interpreter needs, outermost only: its installation and this project's two packages."""
    wanted = ["/usr", sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)]
    wanted += [str(PROJECT / package) for package in PACKAGES]
    wanted = sorted({os.path.abspath(place) for place in wanted}, key=len)
    kept: list[str] = []
    for place in wanted:
        if not any(place == outer or place.startswith(f"{outer}/") for outer in kept):
            kept.append(place)
    return kept


def _converse(process: subprocess.Popen, request: bytes, seconds: float) -> bytes:
    """Write the request and read both outputs side by side, with a limit on time and on each."""
    deadline = time.monotonic() + seconds
    heard = {process.stdout: bytearray(), process.stderr: bytearray()}
    to_send = memoryview(request)
    with selectors.DefaultSelector() as selector:
        for stream in heard:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                raise JailError("timed_out", f"It did not end within {seconds:g} s.")
            for key, _ in selector.select(left):
                if key.fileobj is process.stdin:
                    to_send = _send(selector, process.stdin, to_send)
                else:
                    _hear(selector, key.fileobj, heard)
            if len(heard[process.stdout]) > MAX_REPLY_BYTES:
                raise JailError("too_much", f"It wrote more than {MAX_REPLY_BYTES >> 20} MiB.")
            del heard[process.stderr][:-MAX_ERRORS_BYTES]
    said = bytes(heard[process.stderr]).decode("utf-8", "replace")
    if process.wait(timeout=max(deadline - time.monotonic(), 1.0)) != 0:
        raise JailError("died", f"It ended with code {process.returncode}.", said)
    return bytes(heard[process.stdout])


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


def _end(process: subprocess.Popen) -> None:
    """Kill the whole jail: its first process takes every other with it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def _tool(name: str) -> str | None:
    return shutil.which(name, path=_path())


def _path() -> str:
    return "/usr/sbin:/usr/bin:/sbin:/bin"
