"""A plugin of pytest: what came of each test, as a line of JSON in $OUTCOMES at once.

None uses more than $LIMIT_S of processor time, or waits ten times as long.

A process that is ended keeps what it said until then. It runs in a project's environment and imports pytest alone.
"""

from __future__ import annotations

import json
import os
import signal

import pytest

FILE, LIMIT_S = os.environ["OUTCOMES"], int(os.environ["LIMIT_S"])
FOUND = "warpbook found:"


class TookTooLongError(Exception):
    """A test that was ended."""


def _ended(*_) -> None:
    raise TookTooLongError(f"more than {LIMIT_S} s of processor time")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    for one in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(one, _ended)
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item):
    signal.alarm(10 * LIMIT_S)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)


def pytest_runtest_logreport(report) -> None:
    if report.when != "call" and report.passed:
        return
    why = str(report.longrepr or "")
    _say(test=report.nodeid, outcome=report.outcome, found=why.startswith(FOUND), why=_last_line(why))


def pytest_collectreport(report) -> None:
    if report.failed:
        _say(test=report.nodeid, outcome="not collected", found=False, why=_last_line(str(report.longrepr)))


def _last_line(text: str) -> str:
    errors = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return (errors or text.strip().splitlines() or [""])[0][:300]


def _say(**said: object) -> None:
    with open(FILE, "a", encoding="utf-8") as out:
        out.write(json.dumps(said) + "\n")
