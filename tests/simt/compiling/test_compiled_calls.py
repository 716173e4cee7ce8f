"""What numba compiles, the interpreter runs, or says truly that it does not."""

import contextlib
import io
import json
import re
from importlib.util import find_spec

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.errors import KernelError
from simt.refusals.names import ONLY_COMPILED
from tests.simt.compiling import compiled_calls
from tests.simt.compiling.compiled_calls import RECORD, kernel_of

CALLS = json.loads(RECORD.read_text())
RAISES = "compiled to raise an exception, whatever it is given"
REFUSED_ALL_THE_SAME = {  # pattern of calls -> why the interpreter may refuse them as numba refuses others
    r"np\.average\(.+, .+\)": RAISES,
    r"np\.(dsplit|vsplit)\(": RAISES,
    r"np\.(round|around)\(": "typed and lowered, and then NVVM refuses what numba made of it",
    r"(np|x)\.arg(min|max)\((x, )?n\)": "an axis of an array that has only one",
    r"np\.asarray\(\w, \w\)": "an array in place of an element type",
    r"np\.broadcast_shapes\(\)": "of no shapes",
    r"operator\.itruediv\([xm], ": "whole arrays in every thread, which divide in place",
    r"operator\.(eq|ne|contains)\(\w, '\w+'\)": "a number or an array and a text, which are never equal",
    r"x\.clip\(\)": "without limits",
    r"x\.fill\(\(1, 2\)\)": "a tuple for a number",
}

RUNS_ALL_THE_SAME = (r"operator\.iadd\(\(",)  # tuples that are joined in place


def tried() -> list[str]:
    """Every name in every form."""
    return [f"{name}({form})" for name in compiled_calls.names() for form in compiled_calls.FORMS]


def said(call: str) -> KernelError | None:
    """What the interpreter refuses a call with; None where it runs."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            simt.launch(cuda.jit(kernel_of(call)), 1, 1, np.arange(4, dtype="f4"), np.ones((2, 2), "f4"), 3)
    except KernelError as error:
        return error
    return None


def test_what_numba_compiles_is_never_refused_as_if_it_did_not():
    refused = {call: error for call in CALLS if (error := said(call)) is not None and error.reason}
    known = {call for call in refused for pattern in REFUSED_ALL_THE_SAME if re.match(pattern, call)}
    assert {} == {call: str(error) for call, error in refused.items() if call not in known}
    assert [] == [pattern for pattern in REFUSED_ALL_THE_SAME if not any(re.match(pattern, one) for one in known)]


def test_what_numba_refuses_is_refused():
    """One call in seven of those that it refuses."""
    refused = [call for call in tried() if call not in set(CALLS)][::7]
    runs = [call for call in refused if said(call) is None]
    assert [] == [call for call in runs if not any(re.match(pattern, call) for pattern in RUNS_ALL_THE_SAME)]


def test_what_is_only_compiled_is_listed_and_nothing_else_is():
    told = [call for call in CALLS if "numba compiles" in str(said(call))]
    named = {re.split(r"[.\s]", call.partition("(")[0] or "(1, 2).index")[-1] for call in told}
    assert ONLY_COMPILED | {"index"} == named


def test_the_record_is_what_the_compiler_here_says():
    """Every eighteenth call that it took, and one call in eight hundred of all."""
    if find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed")
    sample = {*CALLS[::18], *tried()[::802]}
    assert {call: call in CALLS for call in sample} == {call: compiled_calls.is_compiled(call) for call in sample}
