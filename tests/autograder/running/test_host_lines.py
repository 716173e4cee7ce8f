"""What counting the lines of a host function leaves alone."""

from __future__ import annotations

import sys

from autograder.running.host_code.host_lines import counted, uncounted


def host(seen):
    seen.append(sys.gettrace())
    with uncounted():
        seen.append(sys.gettrace())
    seen.append(sys.gettrace())


def test_no_line_is_counted_of_what_a_host_function_launches():
    seen: list = []
    with counted(host):
        host(seen)
    before, inside, after = seen
    assert before is not None and inside is None and after is before
    assert sys.gettrace() is None


def test_who_traces_already_goes_on():
    def debugger(frame, event, argument):
        return None

    seen: list = []
    sys.settrace(debugger)
    try:
        with counted(host):
            host(seen)
    finally:
        sys.settrace(None)
    assert [debugger] * 3 == seen
