"""Recurrent layers have a barrier wherever one warp needs what another wrote, and would race without any of them."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from minitrt.kernels import factories
from minitrt.kernels.plain import recurrent
from minitrt.tactics.plain.recurrent import candidates
from simt.analyses.races import Races
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.recurrent_operations import layer

SOURCE = Path(recurrent.__file__)
BARRIERS = [match.start() for match in re.finditer(r"cuda\.syncthreads\(\)", SOURCE.read_text())]


def races_of(kind: str) -> list[str]:
    """What the analysis of races says of two steps."""
    operation, rng, races = layer(kind, "b h", time=2), np.random.default_rng(0), Races()
    inputs = [None if v is None else rng.standard_normal(v.shape).astype(np.float32) for v in operation.inputs]
    (tactic,) = candidates(operation, H200)
    run(operation, tactic, inputs, listeners=[races])
    return [finding.message for finding in races.findings if not finding.note]


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
def test_no_warp_reads_what_another_may_not_have_written(kind):
    assert [] == races_of(kind)


@pytest.mark.parametrize("number", range(len(BARRIERS)))
def test_a_gru_without_one_of_its_barriers_races(number, monkeypatch, tmp_path):
    text, at = SOURCE.read_text(), BARRIERS[number]
    path = tmp_path / "mutant.py"
    path.write_text(text[:at] + "pass" + text[at + len("cuda.syncthreads()") :])
    mutant = ModuleType("mutant")
    exec(compile(path.read_text(), str(path), "exec"), vars(mutant))
    monkeypatch.setattr(recurrent, "recurrent", mutant.recurrent)

    assert races_of("gru")
    assert factories.FACTORIES["plain_recurrent"] == "plain.recurrent.recurrent"
