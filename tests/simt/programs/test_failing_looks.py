"""An analysis that fails is left out, and said to have failed; the program goes on, and the others are heard."""

import numpy as np
import pytest

from simt import launch
from simt.cuda_api import cuda
from simt.errors import ListenerError
from simt.events import Listener
from simt.programs.progress import Progress
from simt.programs.session import FAILED, Session


@cuda.jit
def add(x, total):
    x[cuda.grid(1)] += 1
    total[0] += 1


def test_a_program_goes_on_and_what_others_found_is_told(monkeypatch):
    calls = []

    def fails(self, event):
        calls.append(event)
        raise KeyError("of the inside")

    monkeypatch.setattr(Progress, "access", fails)
    x, total = np.zeros(64), np.zeros(1)
    with Session() as session:
        add[1, 64](x, total)
        add[1, 64](x, total)
    assert (x == 2).all() and ["race"] == [report.kind for report in session.findings]
    assert 2 == len(calls), "once in each launch"
    assert [f"{FAILED} ("] == [remark[: len(FAILED) + 2] for remark in session.remarks]
    assert "fails: KeyError: 'of the inside'" in next(iter(session.remarks))


def test_outside_a_session_its_error_is_raised():
    class Failing(Listener):
        def access(self, event):
            raise KeyError("of the inside")

    with pytest.raises(ListenerError, match="access failed: KeyError"):
        launch(add, 1, 64, np.zeros(64), np.zeros(1), listeners=[Failing()])
