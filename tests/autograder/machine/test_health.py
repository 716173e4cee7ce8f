"""The doctor tells what works, and names the command for what does not."""

import subprocess
import sys
from pathlib import Path

from autograder.classroom.jail import namespaces as jail
from autograder.cli import main
from autograder.machine import health, report
from autograder.machine.health import BROKEN, LIMITED, OK, Check


def test_every_broken_check_names_the_command_that_mends_it(monkeypatch):
    monkeypatch.setattr(health.importlib.metadata, "version", lambda name: "2.5.1")
    monkeypatch.setattr(health.importlib.util, "find_spec", lambda name: object())
    check = health._numpy()

    assert BROKEN == check.status
    assert 'python -m pip install "numpy<2.5"' == check.mend


def test_a_driver_older_than_the_toolkit_is_recognised(monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "", "...\nCUDA_ERROR_UNSUPPORTED_PTX_VERSION")
    monkeypatch.setattr(health, "_probe", lambda program: failed)
    check = health._gpu()

    assert BROKEN == check.status
    assert "driver is older" in check.says
    assert check.mend.startswith('python -m pip install "numba-cuda[cu')


def test_no_gpu_is_a_limit_not_a_fault(monkeypatch):
    monkeypatch.setattr(health, "_probe", lambda program: subprocess.CompletedProcess([], 0, '{"gpu": null}\n', ""))

    assert LIMITED == health._gpu().status


def test_a_probe_that_hangs_counts_as_a_failure(monkeypatch):
    monkeypatch.setattr(health, "PROBE_TIMEOUT_S", 0.2)
    result = health._probe("while True: pass")

    assert 1 == result.returncode
    assert "no answer" in result.stderr


def test_json_says_ok_only_without_broken_checks():
    fine = health.as_document([Check("a", OK, ""), Check("GPU", LIMITED, "none")])
    broken = health.as_document([Check("a", BROKEN, "", "mend it")])

    assert (True, False) == (fine["ok"], fine["gpu"])
    assert not broken["ok"]
    assert "mend it" in health.to_text([Check("a", BROKEN, "", "mend it")])


def test_a_report_says_what_an_issue_needs_and_names_nobody(monkeypatch, capsys):
    says = f"in {Path.home()}/course of somebody-here on my-own-machine"
    checks = [Check("Python", OK, says), Check("nbgrader", LIMITED, "", f'source "{sys.prefix}/bin/activate"')]
    monkeypatch.setattr(health, "examine", lambda: checks)
    monkeypatch.setattr(report.getpass, "getuser", lambda: "somebody-here")
    monkeypatch.setattr(report.platform, "node", lambda: "my-own-machine")

    assert 0 == main(["doctor", "--report"])
    said = capsys.readouterr().out
    assert said.startswith("Warpbook ") and "in ~/course of USER on HOST" in said
    assert 'source "ENVIRONMENT/bin/activate"' in said


def test_without_a_jail_the_doctor_names_the_cause_and_the_setting_that_mends_it(monkeypatch):
    monkeypatch.setattr(jail, "unavailable", lambda: "No jail can be made here (unshare failed).")
    monkeypatch.setattr(jail, "_content", lambda path: "1" if "apparmor" in path else "x")

    check = health._jail()

    assert LIMITED == check.status
    assert "unshare failed" in check.says
    assert "sysctl kernel.apparmor_restrict_unprivileged_userns=0" in check.mend


def test_a_jail_in_which_nothing_compiles_is_told_with_what_mends_it(monkeypatch):
    monkeypatch.setattr(jail, "unavailable", lambda: "")
    monkeypatch.setattr(jail, "without_a_compiler", lambda: "NVVM cannot be loaded (No such file).")

    check = health._jail()

    assert LIMITED == check.status
    assert "NVVM cannot be loaded" in check.says
    assert "CUDA_HOME" in check.mend


def test_packages_that_a_jail_has_in_another_version_are_told_with_what_mends_it(monkeypatch):
    for name, found in (
        ("unavailable", ""),
        ("without_a_compiler", ""),
        ("other_packages", ["numpy 2.4.6, not 0.0.1"]),
    ):
        monkeypatch.setattr(jail, name, lambda found=found: found)

    check = health._jail()

    assert LIMITED == check.status
    assert "PYTHONPATH" in check.says and "numpy 2.4.6, not 0.0.1" in check.says
    assert sys.executable in check.mend


def test_the_doctor_looks_for_a_jail():
    assert health._jail in health.CHECKS


def test_the_doctor_says_what_it_looks_at_before_it_takes_long_and_what_it_found_before_the_next(monkeypatch, capsys):
    said = []

    def slow() -> Check:
        said.append(capsys.readouterr().out)
        return Check("slow", LIMITED, "found", "mend it")

    monkeypatch.setattr(health, "CHECKS", (lambda: Check("quick", OK, "there"), slow))
    monkeypatch.setattr(health, "SLOW", {slow: "looking far away"})
    health.doctor()

    assert ["Looking at this machine:", "ok       quick       there", "         looking far away ..."] == said[
        0
    ].splitlines()
    assert ["limited  slow        found", "", "To mend:", "  slow: mend it"] == capsys.readouterr().out.splitlines()
