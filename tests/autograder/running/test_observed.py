"""What a verdict observes first belongs to the cause that it tells."""

from __future__ import annotations

import dataclasses

from autograder.answer.program import Program
from autograder.contract import Case
from autograder.judge import check
from tests.autograder.answers import add_by
from tests.autograder.sample import HOST_ADD


def test_two_mistakes_are_not_mixed_what_is_observed_is_the_case_that_the_cause_is_of():
    kernel = add_by("a[i] + b[i] if i < 1024 else a[i]").source
    host = "\n\ndef host_add(a, b):\n    d_out = cuda.device_array_like(a)\n"
    host += "    add[math.ceil(a.size / THREADS), THREADS](a, b, d_out)\n    return d_out.copy_to_host()\n"
    cases = Case({"n": 0}), Case({"n": 33}), Case({"n": 1025}, trace=False)
    outcome = check(
        dataclasses.replace(HOST_ADD, cases=cases),
        Program(kernel + host, "host_add"),
        device="simt",
        isolate=False,
    )
    assert "wrong" == outcome.cases[0].status and "Wrong at n = 1025" in outcome.observed, outcome
