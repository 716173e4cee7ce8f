"""``pytest --warpbook``: the tests' own launches run in the interpreter, and a test that launches a mistake fails.

No GPU is needed, and none is used. A plugin of pytest, installed with the package; without the option it does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from simt.programs.session import Mark, Session

REFUSED_LAUNCHES = ("invalid_launch", "unsupported")
KEY = pytest.StashKey["Session"]()
TOLD = pytest.StashKey[set[int]]()  # reports that a test was shown: it fails for them, unless it is expected to
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


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before anything of the project is imported, as it may use numba.cuda at once."""
    options = early_config.known_args_namespace
    if not getattr(options, "warpbook", False):
        return
    from autograder import backend
    from simt.programs.session import Session

    backend.force_interpreter()
    early_config.stash[TOLD] = set()
    early_config.stash[KEY] = Session(blocks=options.warpbook_blocks, sample=options.warpbook_sample).__enter__()


def pytest_unconfigure(config: pytest.Config) -> None:
    session = config.stash.get(KEY, None)
    if session is not None:
        session.__exit__(None, None, None)


def _judged(item: pytest.Item):
    """Run a part of a test; fail it for what its launches show."""
    session = item.config.stash.get(KEY, None)
    if session is None:
        return (yield)
    mark, told = session.mark(), item.config.stash[TOLD]
    try:
        result = yield
    except BaseException:
        told |= {id(report) for report in session.since(mark)}
        if found := session.since(mark):
            item.add_report_section("call", "warpbook", _text(session, found))
        raise
    _expected(session, mark)
    told |= {id(report) for report in session.since(mark)}
    if found := session.since(mark):
        pytest.fail(_text(session, found), pytrace=False)
    return result


pytest_runtest_setup = pytest_runtest_call = pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(_judged)


def _expected(session: Session, mark: Mark) -> None:
    """A launch that a GPU or numba refuses raises there, too: a test that ends well expected the error."""
    for report in session.since(mark):
        if report.kind in REFUSED_LAUNCHES:
            report.expected = True


def _text(session: Session, found: list) -> str:
    from simt.programs.wording import finding_text

    return "\n\n".join([f"{BEGIN}:", *(finding_text(report, session.launches) for report in found)])


def pytest_report_header(config: pytest.Config) -> str | None:
    if config.stash.get(KEY, None) is not None:
        return "warpbook: numba.cuda kernels run in the interpreter, and their findings fail tests"
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """What was found while modules were imported belongs to no test, and fails the run."""
    found = session.config.stash.get(KEY, None)
    if found is None or session.exitstatus != pytest.ExitCode.OK:
        return
    if any(id(report) not in session.config.stash[TOLD] for report in found.findings):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Every finding once, with the tests' launches counted together, and comments that silence nothing."""
    session = config.stash.get(KEY, None)
    if session is None or not (session.launches or session.findings):
        return
    from simt.programs.wording import text_of

    terminalreporter.section("warpbook")
    terminalreporter.write_line(text_of(session))
