"""What works on this machine, and the exact command that mends what does not."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.machine import driver, namesake
from autograder.machine.check import BROKEN, LIMITED, OK, Check
from simt import compilers, cuda_api

NO_COMPILER = (
    "install numba-cuda with its own compiler, pip install 'numba-cuda[cu13]', or let CUDA_HOME name the toolkit"
)
NOT_SEEN = "install the packages where {python} finds them without PYTHONPATH, as `pip install` in a .venv does"
LAB = 'python -m pip install "warpbook[lab]"'
PROBE_TIMEOUT_S = 120
NAME_WIDTH = 10  # of the longest name of a check
IN_BROWSER = sys.platform == "emscripten"


def examine() -> list[Check]:
    """Run every check, in the order in which one depends on another. Takes a few seconds; changes nothing."""
    return [check() for check in CHECKS]


def doctor(as_json: bool = False) -> list[Check]:
    """Print what works here, each check as soon as it is done. Returns the checks, for programs."""
    if as_json:
        checks = examine()
        print(json.dumps(as_document(checks), indent=2))
        return checks
    print("Looking at this machine:", flush=True)
    checks = []
    for check in CHECKS:
        if check in SLOW:
            print(f"         {SLOW[check]} ...", flush=True)
        checks.append(check())
        print(_line(checks[-1]), flush=True)
    print(_mends(checks), end="")
    return checks


def to_text(checks: list[Check]) -> str:
    """One line a check, then the commands that mend what needs it."""
    return "\n".join([*map(_line, checks), *_mends(checks).splitlines()])


def _line(check: Check) -> str:
    marks = {OK: "ok     ", LIMITED: "limited", BROKEN: "BROKEN "}
    return f"{marks[check.status]}  {check.name:<{NAME_WIDTH}}  {check.says}"


def _mends(checks: list[Check]) -> str:
    """The commands that mend what needs it, after an empty line; "" where nothing does."""
    mends: dict[str, list[str]] = {check.mend: [] for check in checks if check.mend}
    for check in checks:
        if check.mend:
            mends[check.mend].append(check.name)
    lines = ["", "To mend:", *(f"  {', '.join(names)}: {mend}" for mend, names in mends.items())]
    return "\n".join(lines) + "\n" if mends else ""


def as_document(checks: list[Check]) -> dict[str, Any]:
    """{"ok": bool, "gpu": bool, "checks": [{name, status, says, mend}]}"""
    broken = any(check.status == BROKEN for check in checks)
    gpu = any(check.name == "GPU" and check.status == OK for check in checks)
    return {"ok": not broken, "gpu": gpu, "checks": [asdict(check) for check in checks]}


def _python() -> Check:
    return Check("Python", OK, f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _package(name: str, purpose: str) -> Callable[[], Check]:
    """A check that a distribution of the extra `lab` is installed: programs are run and traced without it."""

    def check() -> Check:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return Check(name, LIMITED, f"not installed; needed {purpose}", LAB)
        return Check(name, OK, version)

    return check


def _numpy() -> Check:
    version = importlib.metadata.version("numpy")
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) >= (2, 5) and _in_use() == compilers.NUMBA_CUDA:
        return Check(
            "numpy",
            BROKEN,
            f"{version}: numba-cuda uses names that NumPy 2.5 removed, so nothing compiles",
            'python -m pip install "numpy<2.5"',
        )
    return Check("numpy", OK, version)


def _numba() -> Check:
    cuda_api.install()
    if not cuda_api.is_stand_in(importlib.import_module("numba")):
        return _package("numba", "to compile kernels")()
    says = "not installed; a stand-in takes its place, and kernels run in the interpreter"
    return Check("numba", LIMITED, says, "" if IN_BROWSER else LAB)


def _in_use() -> str:
    """The compiler in use; "" where there is none, or none that can be used."""
    try:
        return compilers.in_use()
    except compilers.CompilerError:
        return ""


def _numba_cuda() -> Check:
    try:
        name = compilers.in_use()
    except compilers.CompilerError as error:
        return Check("numba-cuda", BROKEN, str(error), f"unset {compilers.VARIABLE}")
    if name == compilers.MLIR:
        return Check("numba-cuda", OK, f"its successor {name} {importlib.metadata.version(name)} is in use")
    if importlib.util.find_spec("numba_cuda") is None:
        extra, why = driver.detect()
        if extra == "none":
            return Check("numba-cuda", LIMITED, why)
        return Check(
            "numba-cuda",
            LIMITED,
            "not installed: no compile facts, no GPU",
            f'python -m pip install "warpbook[{extra}]"',
        )
    return Check("numba-cuda", OK, importlib.metadata.version("numba-cuda"))


def _installs_numba_cuda(extra: str) -> str:
    return f'python -m pip install "numba-cuda[{extra}]"'


COMPILE_PROBE = """
from autograder.lint.compiler import lower, to_ptx, unavailable_reason
assert not unavailable_reason(), unavailable_reason()
from numba import float32
def probe(x):
    x[0] = float32(1)
assert ".entry" in to_ptx(lower(probe, (float32[::1],), "sm_75", lines=False), "sm_75")
"""

LAUNCH_PROBE = """
import json, numpy as np
from simt import compilers
compilers.install()
from numba import cuda
if not cuda.is_available():
    print(json.dumps({"gpu": None}))
else:
    @cuda.jit
    def probe(x):
        x[0] = 7
    x = cuda.to_device(np.zeros(1, np.float32))
    probe[1, 1](x)
    device = cuda.get_current_device()
    assert x.copy_to_host()[0] == 7
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    print(json.dumps({"gpu": name, "cc": device.compute_capability}))
"""


def _compiler() -> Check:
    """Compile one kernel for sm_75 in a child process: needs NVVM, no GPU."""
    result = _probe(COMPILE_PROBE)
    if result.returncode == 0:
        return Check("compiler", OK, "NVVM compiles for sm_75 and newer: registers, spills and typing errors are real")
    if not _in_use():
        return Check("compiler", LIMITED, "needs numba-cuda; checks run without compile facts")
    return Check(
        "compiler",
        BROKEN,
        _last_line(result),
        _installs_numba_cuda(driver.detect()[0]),
    )


def _gpu() -> Check:
    """Launch one thread in a child process, so that a broken driver cannot take this process with it."""
    if IN_BROWSER:
        return Check("GPU", LIMITED, "none in a browser: kernels run in the interpreter; speed is not graded here")
    result = _probe(LAUNCH_PROBE)
    if result.returncode and not _is_installed("numba"):
        return Check("GPU", LIMITED, "not looked at: numba is not installed; kernels run in the interpreter")
    if result.returncode == 0:
        found = json.loads(result.stdout.strip().splitlines()[-1])
        if found["gpu"] is None:
            return Check("GPU", LIMITED, "none: kernels run in the interpreter; speed is not graded here")
        return Check("GPU", OK, f"{found['gpu']}, compute capability {found['cc'][0]}.{found['cc'][1]}")
    if importlib.util.find_spec("numba_cuda") is None:
        return Check("GPU", LIMITED, "needs numba-cuda; kernels run in the interpreter")
    if "UNSUPPORTED_PTX_VERSION" in result.stderr:
        says = "the driver is older than the installed CUDA toolkit"
        return Check("GPU", BROKEN, says, _installs_numba_cuda(driver.detect()[0]))
    return Check("GPU", LIMITED, f"not usable: {_last_line(result)}", "nvidia-smi")


def _nbgrader_command() -> Check:
    if not _is_installed("nbgrader"):
        return Check("nbgrader", LIMITED, "not installed; needed to collect and hand back a class's notebooks", LAB)
    if shutil.which("nbgrader"):
        return Check("nbgrader", OK, importlib.metadata.version("nbgrader"))
    bin_folder = Path(sys.executable).parent
    activate = f'source "{bin_folder / "activate"}"' if os.name == "posix" else str(bin_folder / "activate")
    return Check("nbgrader", LIMITED, "its command is not on PATH; classes need it", activate)


def _is_installed(name: str) -> bool:
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False


def _jail() -> Check:
    """Make a jail, as grading a class does for every answer."""
    from autograder.classroom.jail import namespaces as jail

    if why := jail.unavailable():
        says = f"{why} No class is graded here, but with --trust-submissions"
        return Check("jail", LIMITED, says, jail.remedy())
    from autograder.lint.compiler import unavailable_reason

    if not unavailable_reason() and (why := jail.without_a_compiler()):
        says = f"it is there, but compiles no kernel, so that a GPU is given none: {why.splitlines()[0]}"
        return Check("jail", LIMITED, says, NO_COMPILER)
    if others := jail.other_packages():
        says = f"it is there, but does not see PYTHONPATH, and judges a class with {'; '.join(others)}"
        return Check("jail", LIMITED, says, NOT_SEEN.format(python=sys.executable))
    return Check("jail", OK, "a class's answers run without network, files, GPU or other processes")


def _probe(program: str) -> subprocess.CompletedProcess:
    """Run a short program in a fresh interpreter; a hang counts as a failure."""
    command = [sys.executable, "-c", program]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer within {PROBE_TIMEOUT_S} s")
    except OSError as error:  # a browser starts no processes
        return subprocess.CompletedProcess(command, 1, "", str(error))


def _last_line(result: subprocess.CompletedProcess) -> str:
    lines = (result.stderr or result.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit code {result.returncode}"


SLOW = {  # checks that take seconds, and what they do meanwhile
    _compiler: "compiling a kernel",
    _gpu: "looking for a GPU, and launching a kernel there",
    _jail: "making a jail, as for a class's answers",
}
CHECKS: tuple[Callable[[], Check], ...] = (
    _python,
    namesake.check,
    _numpy,
    _numba,
    _numba_cuda,
    _compiler,
    _gpu,
    *(() if IN_BROWSER else (_package("jupyterlab", "to open the course"), _nbgrader_command, _jail)),
    _package("matplotlib", "to draw pictures"),
    _package("ipywidgets", "to step through kernels"),
)
