"""``pytest --warpbook``: the tests' own launches run in the interpreter, and a test that launches a mistake fails.

No GPU is needed, and none is used. A plugin of pytest, installed with the package; without the option, and without
``WARPBOOK_SIMT=1`` in the environment, it does nothing. Workers of pytest-xdist send what they find to the process
that started them, which tells it once.
"""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

import pytest

from autograder.programs import switch
from autograder.programs.command import check_files, write_files
from autograder.programs.script import ScriptError

if TYPE_CHECKING:
    from simt.programs.session import Session

KEY = pytest.StashKey["Session"]()
CLOSING = pytest.StashKey["contextlib.ExitStack"]()
BEGIN = "warpbook found"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("warpbook", "numba.cuda kernels without a GPU")
    group.addoption(
        "--warpbook",
        action="store_true",
        help="run numba.cuda kernels in an interpreter, and fail tests whose launches race, leave an array or read "
        "what nobody wrote",
    )
    group.addoption(
        "--warpbook-blocks", type=int, metavar="N", help="judge about the first N blocks of each launch; default: all"
    )
    group.addoption(
        "--warpbook-sample", type=int, metavar="N", help="run about N blocks of each launch and no others; default: all"
    )
    group.addoption("--warpbook-sarif", metavar="FILE", help="also write what was found as SARIF, for code hosts")
    group.addoption("--warpbook-html", metavar="FILE", help="also write what was found as a page")


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config):
    """Before anything of the project is imported: it may use numba.cuda at once, and pytest itself imports numba for a
    filter of numba's warnings."""
    options = early_config.known_args_namespace
    if getattr(options, "warpbook", False) or switch.asked():
        _begin(early_config, options)
    return (yield)


def _begin(early_config: pytest.Config, options: argparse.Namespace) -> None:
    """Send kernels to the interpreter and listen, until pytest is done."""
    from autograder import backend
    from simt.programs.session import Session

    try:
        check_files(options.warpbook_sarif, options.warpbook_html)
        backend.force_interpreter()
    except (ScriptError, backend.SimulatorLoaded) as error:
        raise pytest.UsageError(str(error)) from error
    closing = early_config.stash[CLOSING] = contextlib.ExitStack()
    session = switch.joined()
    if session is None:
        session = closing.enter_context(Session(blocks=options.warpbook_blocks, sample=options.warpbook_sample))
    closing.enter_context(switch.handed_down(session))
    early_config.stash[KEY] = session


def pytest_unconfigure(config: pytest.Config) -> None:
    closing = config.stash.get(CLOSING, None)
    if closing is not None:
        closing.close()


def _judged(item: pytest.Item):
    """Run a part of a test; fail it for what its launches show."""
    session = item.config.stash.get(KEY, None)
    if session is None:
        return (yield)
    from simt.programs.expected_errors import REFUSED

    mark = session.mark()
    try:
        result = yield
    except BaseException:
        found = session.since(mark)
        session.heard(found)
        if found:
            item.add_report_section("call", "warpbook", _text(session, found))
        raise
    session.heard((one for one in session.since(mark) if one.kind in REFUSED), expected=True)
    found = session.since(mark)
    session.heard(found)
    if found:
        pytest.fail(_text(session, found), pytrace=False)
    return result


pytest_runtest_setup = pytest_runtest_call = pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(_judged)


def _text(session: Session, found: list) -> str:
    from simt.programs.one_cause import told_once
    from simt.programs.wording import finding_text

    return "\n\n".join([f"{BEGIN}:", *(finding_text(report, session.launches) for report in told_once(found))])


def pytest_report_header(config: pytest.Config) -> str | None:
    if config.stash.get(KEY, None) is not None:
        return "warpbook: numba.cuda kernels run in the interpreter, and their findings fail tests"
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """What was found while modules were imported, or that no test told, fails the run."""
    found = session.config.stash.get(KEY, None)
    if found is None or session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return
    if any(not report.told for report in found.findings):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Every finding once, with the tests' launches counted together, and comments that silence nothing."""
    session = config.stash.get(KEY, None)
    if session is None:
        return
    from simt.programs.wording import text_of

    if session.reports or session.launches:
        terminalreporter.section("warpbook")
        terminalreporter.write_line(text_of(session))
    write_files(session, config.getoption("warpbook_sarif"), config.getoption("warpbook_html"), by="pytest --warpbook")
