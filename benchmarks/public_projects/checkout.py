"""A project at its commit, and a Python that has what its tests import. Nothing of it stays in this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from benchmarks.public_projects.projects import Project

HOST = "https://github.com"
OVERLAY = "import site; site.addsitedir({here!r})\n"  # what is installed here, numba among it, is seen there, too


class CheckoutError(RuntimeError):
    """A repository or a package that could not be had."""


def check_out(project: Project, folder: Path, mirrors: Path | None) -> None:
    """The files of one commit into `folder`. mirrors: bare repositories named OWNER+NAME, asked before the network.

    Files that a mirror lacks are left out. Raises: CheckoutError.
    """
    bare = (mirrors or Path()) / project.repository.replace("/", "+")
    if mirrors is None or not bare.exists():
        bare = folder.with_name(f"{folder.name}.git")
        _run("git", "init", "--bare", "-q", str(bare))
        _run("git", "-C", str(bare), "fetch", "-q", "--depth", "1", f"{HOST}/{project.repository}", project.commit)
    listed = _run("git", "-C", str(bare), "ls-tree", "-r", "-z", "--name-only", project.commit).split(b"\0")
    names = [name for name in listed if name and name.decode().startswith(project.paths)]
    have = subprocess.run(
        ["git", "-C", str(bare), "cat-file", "--batch-check=%(objecttype)"],
        input=b"\n".join(project.commit.encode() + b":" + name for name in names),
        capture_output=True,
    ).stdout.splitlines()
    there = b"\0".join(name for name, kind in zip(names, have, strict=True) if kind == b"blob")
    folder.mkdir(parents=True, exist_ok=True)
    tree = ("git", f"--git-dir={bare}", f"--work-tree={folder}", "checkout", "-q", project.commit)
    index = {"GIT_INDEX_FILE": str(folder.with_name(f"{folder.name}.index"))}
    _run(*tree, "--pathspec-from-file=-", "--pathspec-file-nul", told=there, more=index)
    for at, text in project.adds.items():
        (folder / at).parent.mkdir(parents=True, exist_ok=True)
        (folder / at).write_text(text)


def python_for(project: Project, folder: Path) -> str:
    """A virtual environment over this one with the packages that the project's tests need. Returns: its interpreter.

    Raises: CheckoutError where one of them cannot be installed.
    """
    if not project.needs:
        return sys.executable
    if not (folder / "bin" / "python").exists():
        _run(sys.executable, "-m", "venv", str(folder))
        python = folder / "bin" / "python"
        there = _run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").decode().strip()
        (Path(there) / "overlay.pth").write_text(OVERLAY.format(here=sysconfig.get_path("purelib")))
        _run(str(python), "-m", "pip", "install", "-q", "--no-compile", *project.needs)
    return str(folder / "bin" / "python")


def _run(*command: str, told: bytes | None = None, more: dict[str, str] | None = None) -> bytes:
    if shutil.which(command[0]) is None:
        raise CheckoutError(f"{command[0]} is not installed here.")
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", **(more or {})}
    done = subprocess.run(command, input=told, capture_output=True, env=environment)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise CheckoutError(f"{' '.join(command[:4])} ...: {' '.join(said)}")
    return done.stdout
