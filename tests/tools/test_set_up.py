"""What `make lab`, `make demo` and `make test` do first: pick the CUDA extra, and install only when needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from autograder.machine.driver import extra_for
from tools import set_up
from tools.parts.units import ROOT


@pytest.mark.parametrize(
    ("system", "cuda_version", "expected"),
    [
        ("Linux", 13010, "cu13"),
        ("Linux", 12080, "cu12"),
        ("Linux", 11080, "cu13"),
        ("Linux", None, "cu13"),
        ("Windows", 12060, "cu12"),
        ("Darwin", None, "none"),
    ],
)
def test_the_driver_decides_the_extra(system, cuda_version, expected):
    assert expected == extra_for(system, cuda_version)[0]


def test_a_driver_too_old_for_numba_cuda_is_told_to_be_updated():
    assert "update it to one for CUDA 12 or newer" in extra_for("Linux", 11080)[1]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """A .venv in a temporary directory that looks installed for a learner with cu13."""
    monkeypatch.setattr(set_up, "VENV", tmp_path)
    monkeypatch.setattr(set_up, "STAMP", tmp_path / "warpbook.json")
    python = set_up.python_of(tmp_path)
    python.parent.mkdir()
    python.touch()
    set_up.STAMP.write_text(json.dumps(set_up.wanted("cu13", dev=False)))
    return tmp_path


def test_an_unchanged_installation_is_left_alone(environment):
    assert set_up.is_done(set_up.wanted("cu13", dev=False))


def test_a_developers_installation_serves_a_learner_and_not_the_other_way_round(environment):
    assert not set_up.is_done(set_up.wanted("cu13", dev=True))

    set_up.STAMP.write_text(json.dumps(set_up.wanted("cu13", dev=True)))
    assert set_up.is_done(set_up.wanted("cu13", dev=False))


def test_an_installation_without_the_drills_gets_them_and_then_serves_a_learner(environment):
    assert not set_up.is_done(set_up.wanted("cu13", dev=False, drills=True))

    set_up.STAMP.write_text(json.dumps(set_up.wanted("cu13", dev=False, drills=True)))
    assert set_up.is_done(set_up.wanted("cu13", dev=False))
    assert not set_up.is_done(set_up.wanted("cu13", dev=True))


def test_another_driver_another_pyproject_or_a_lost_interpreter_installs_again(environment):
    want = set_up.wanted("cu13", dev=False)

    assert not set_up.is_done({**want, "extra": "cu12"})
    assert not set_up.is_done({**want, "pyproject": "changed"})
    set_up.python_of(environment).unlink()
    assert not set_up.is_done(want)


def test_a_python_that_is_too_old_is_told_so_and_told_what_to_do(tmp_path):
    program = "import sys; sys.version_info = (3, 9, 2); exec(open(sys.argv[1]).read(), {'__file__': sys.argv[1]})"
    command = [sys.executable, "-c", program, str(ROOT / "tools" / "set_up.py")]
    said = subprocess.run(command, capture_output=True, text=True)

    assert 1 == said.returncode
    assert "needs Python 3.11 or newer" in said.stderr
    assert "make lab PYTHON=python3" in said.stderr


def test_a_python_without_venv_is_told_which_package_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)

    with pytest.raises(SystemExit, match="apt-get install python3.*-venv"):
        set_up.make_environment()


def test_an_environment_of_this_python_with_pip_is_kept(environment):
    set_up.python_of(environment).unlink()
    set_up.python_of(environment).symlink_to(sys.executable)
    (environment / "pyvenv.cfg").write_text(f"home = anywhere\nversion = {sys.version.split()[0]}\n")

    assert set_up.is_whole()


def test_an_environment_of_another_python_is_replaced(environment):
    (environment / "pyvenv.cfg").write_text("home = anywhere\nversion = 3.9.2\n")

    assert not set_up.is_whole()


def test_what_pip_is_told_uv_is_told_and_what_uv_cannot_do_leaves_the_installation_to_pip():
    settings = {"index-url": "https://a/simple", "extra-index-url": "https://b https://c", "cert": "ca.pem"}
    settings["constraint"] = "most.txt"
    flags = ["--default-index", "https://a/simple", "--index", "https://b", "--index", "https://c"]
    flags += ["--constraints", "most.txt"]

    assert (flags, {"SSL_CERT_FILE": "ca.pem"}) == set_up.settings_for_uv({**settings, "no-compile": "0"})
    assert set_up.settings_for_uv({**settings, "proxy": "http://proxy:3128"}) is None


def test_a_variable_comes_before_a_file_of_pips_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text("[global]\nretries = 1\n[install]\nfind-links =\n    one\n    two\n")
    monkeypatch.setenv("PIP_RETRIES", "7")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    found = set_up.settings_of_pip(sys.executable)

    assert ("7", ["one", "two"]) == (found["retries"], found["find-links"].split())


@pytest.mark.parametrize("fails", ["uv>=0.6", "unsafe-best-match"])
def test_without_uv_or_where_it_fails_pip_installs(environment, monkeypatch, fails):
    ran = []
    monkeypatch.setattr(set_up, "LOG", environment / "install.log")
    monkeypatch.setattr(set_up, "settings_of_pip", lambda python: {})
    monkeypatch.setattr(set_up, "runs", lambda command, variables=None: ran.append(command) or fails not in command)
    set_up.install(".[dev]")

    assert ["-m", "pip", "install", "--disable-pip-version-check", "-e", ".[dev]"] == ran[-1][1:]
    assert [fails in command for command in ran] == [command is ran[-2] for command in ran]


def test_an_installation_that_fails_shows_what_was_said_and_where_all_of_it_is(environment, monkeypatch):
    monkeypatch.setattr(set_up, "LOG", environment / "install.log")
    monkeypatch.setattr(set_up, "settings_of_pip", lambda python: {"proxy": "http://proxy:3128"})
    monkeypatch.setattr(set_up, "python_of", lambda folder: sys.executable)

    with pytest.raises(SystemExit, match="The installation failed; all that was said is in .*install.log"):
        set_up.install("no/such/folder")
