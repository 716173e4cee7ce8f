"""Make .venv and install Warpbook into it, editable, with the CUDA extra this machine's driver asks for.

Standard library only, and written so that an old Python can read it far enough to say that it is old.
Quick when nothing changed: a stamp in .venv records what was installed and from which pyproject.toml.
"""
# ruff: noqa: UP031, UP036

import shutil
import sys

if sys.version_info < (3, 11):
    newer = [name for name in ("python3.13", "python3.12", "python3.11") if shutil.which(name)]
    sys.exit(
        "Warpbook needs Python 3.11 or newer, and %s is %d.%d.\n%s, then name it, as in: make lab PYTHON=%s"
        % (
            sys.executable,
            sys.version_info[0],
            sys.version_info[1],
            "You have " + newer[0] if newer else "Install one (Debian, Ubuntu: apt-get install python3 python3-venv)",
            newer[0] if newer else "python3.12",
        )
    )

import argparse
import ast
import hashlib
import importlib.util
import json
import os
import subprocess
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "warpbook.json"
LOG = VENV / "install.log"
PARTS = ("dev", "drills")  # extras of pyproject.toml that an installation has or has not
SHOWN_LINES = 15  # of the log, when it fails

# What pip can be told, and uv by another name; what changes nothing of what is installed.
FLAGS_OF_UV = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraints",
    "trusted-host": "--allow-insecure-host",
}
VARIABLES_OF_UV = {"cert": "SSL_CERT_FILE", "timeout": "UV_HTTP_TIMEOUT", "default-timeout": "UV_HTTP_TIMEOUT"}
SAME_FOR_UV = """
    break-system-packages cache-dir compile config-file disable-pip-version-check no-cache-dir no-color no-compile
    no-input no-warn-script-location progress-bar quiet require-virtualenv retries root-user-action verbose
""".split()


def driver():
    """The module autograder/machine/driver.py, by its path: nothing else of the package can be imported yet."""
    spec = importlib.util.spec_from_file_location("warpbook_driver", ROOT / "autograder" / "machine" / "driver.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wanted(extra: str, dev: bool, drills: bool = False) -> dict:
    """What the stamp of a finished installation says. Developers have the drills, too, to test them."""
    described = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    parts = {"dev": dev, "drills": drills or dev}
    return {"pyproject": described, "extra": extra, "python": sys.version.split()[0], **parts}


def is_done(want: dict) -> bool:
    """True when .venv already holds `want`, or `want` with more parts on top."""
    try:
        have = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return False
    enough = all(have.get(part, False) >= want[part] for part in PARTS)
    same = {name: value for name, value in have.items() if name not in PARTS}
    return python_of(VENV).exists() and enough and same == {n: v for n, v in want.items() if n not in PARTS}


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def is_whole() -> bool:
    """True when .venv has this Python's version and a pip; then it stays, also while a notebook runs in it."""
    described, version = VENV / "pyvenv.cfg", f"version = {sys.version.split()[0]}"
    pip = [str(python_of(VENV)), "-c", "import pip"]
    return (
        described.exists()
        and version in described.read_text()
        and python_of(VENV).exists()
        and subprocess.run(pip, stderr=subprocess.DEVNULL).returncode == 0
    )


def make_environment() -> None:
    """Create .venv, or replace one that another Python made or that lost a part."""
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        sys.exit(
            f"{sys.executable} cannot make a virtual environment: it has no ensurepip.\n"
            f"Debian and Ubuntu keep it apart: apt-get install python{version}-venv, then repeat."
        )
    if not is_whole():
        venv.EnvBuilder(with_pip=True, clear=VENV.exists(), symlinks=os.name != "nt").create(VENV)


def install(requirement: str) -> None:
    """Install with uv, several times as fast; with pip where uv cannot be had, fails, or has no such settings."""
    python = str(python_of(VENV))
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    LOG.unlink(missing_ok=True)
    as_pip = settings_for_uv(settings_of_pip(python))
    if as_pip is not None and runs([*pip, "uv>=0.6"]):
        flags, variables = as_pip
        uv = [python, "-m", "uv", "pip", "install", "--python", python, "--index-strategy", "unsafe-best-match"]
        if runs([*uv, *flags, "-e", requirement], variables):
            print(flush=True)
            return
    done = runs([*pip, "-e", requirement])
    print(flush=True)
    if not done:
        tail = "\n".join(LOG.read_text().splitlines()[-SHOWN_LINES:])
        sys.exit(f"{tail}\nThe installation failed; all that was said is in {LOG}.\nRepeat the same make to try again.")


def runs(command: list[str], variables: dict[str, str] | None = None) -> bool:
    """Whether a command succeeds, its words at the end of the log, with a line of progress of how long it has taken."""
    began = time.monotonic()
    with open(LOG, "a") as log:
        environment = {**os.environ, **(variables or {})}
        running = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=environment)
        while running.poll() is None:
            report_progress(time.monotonic() - began)
            time.sleep(0.1)
    return running.returncode == 0


def settings_of_pip(python: str) -> dict[str, str]:
    """What pip's files and variables set, by option; a variable comes before a file."""
    listed = subprocess.run([python, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    found = dict(line.split("=", 1) for line in listed.splitlines() if "=" in line)
    scopes = ("global.", "install.", ":env:.")
    return {
        name.removeprefix(scope): ast.literal_eval(value)
        for scope in scopes
        for name, value in found.items()
        if name.startswith(scope)
    }


def settings_for_uv(settings: dict[str, str]) -> tuple[list[str], dict[str, str]] | None:
    """The flags and variables with which uv, which reads no settings of pip, does the same; None where it cannot."""
    flags, variables = [], {}
    for option, value in settings.items():
        if option in FLAGS_OF_UV:
            flags += [word for each in value.split() for word in (FLAGS_OF_UV[option], each)]
        elif option in VARIABLES_OF_UV:
            variables[VARIABLES_OF_UV[option]] = value
        elif option not in SAME_FOR_UV:
            return None
    return flags, variables


def report_progress(seconds: float) -> None:
    """A counting line on a terminal; a dot every ten seconds elsewhere."""
    if sys.stdout.isatty():
        print(f"\r  installing, {seconds:4.0f} s", end="", flush=True)
    elif int(seconds * 10) % 100 == 0:
        print(".", end="", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Install what is missing; say nothing when nothing is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dev", action="store_true", help="also install what tests and builds need")
    parser.add_argument("--drills", action="store_true", help="also install what `warpbook drill` needs")
    parser.add_argument("--extra", choices=("cu12", "cu13", "none"), help="not what the driver asks for")
    options = parser.parse_args(arguments)
    extra, why = (options.extra, "as you asked") if options.extra else driver().detect()
    want = wanted(extra, options.dev, options.drills)
    if is_done(want):
        return 0
    names = ["lab", *(name for name in (extra, *(part for part in PARTS if want[part])) if name != "none")]
    shown = "without numba-cuda" if extra == "none" else f"with {extra}"
    print(f"Setting up Warpbook in .venv {shown}: {why}.", flush=True)
    make_environment()
    STAMP.unlink(missing_ok=True)
    install(f".[{','.join(names)}]")
    STAMP.write_text(json.dumps(want))
    print("  ready", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
