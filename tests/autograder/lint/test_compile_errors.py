"""What numba refuses is told in plain words, with the line and something to do."""

import linecache
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba.cuda")

from numba import cuda

from autograder.lint import lint, signature_of
from autograder.lint.compiler import unavailable_reason
from autograder.lint.source import syntax_of
from tests.autograder.lint.refused import REFUSED
from tests.autograder.lint.refused.entry import skip_after_njit
from tests.patience import PATIENCE_S
from tools.parts.units import ROOT

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
GENERAL = {"shared_shape": "shared_shape", "returns_value": "returns_value"}  # misconceptions with hints of their own


def _name(one):
    return one.kernel.py_func.__name__


def error_of(one):
    skip_after_njit(one)
    return lint(one.kernel, signature_of(one.arguments), architectures=("sm_75",)).error


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_the_error_is_told_in_plain_words(one):
    error = error_of(one)
    assert (one.kind, GENERAL.get(one.kind, "not_compiled")) == (error.kind, error.misconception)
    assert one.says in error.says and one.remedy in error.remedy, error


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_the_line_of_the_mistake_is_named(one):
    assert (syntax_of(one.where.py_func).lineno + one.line,) == error_of(one).lines


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_no_message_shows_memory_addresses_or_the_insides_of_numba(one):
    error = error_of(one)
    assert not any(word in error.says + error.remedy for word in ("0x7", "numba/cuda", "Literal[", "Function("))
    assert error.original


def test_an_error_that_no_rule_knows_still_says_what_numba_said():
    from autograder.lint.compile_errors import explain

    error = explain(RuntimeError("something quite new\nDuring: lowering"), REFUSED[0].kernel.py_func)
    assert "numba cannot compile this kernel: something quite new" == error.says


def test_colours_that_numba_writes_where_colorama_is_installed_change_no_words():
    from autograder.lint.compile_errors import explain

    error = explain(
        RuntimeError("\x1b[1m\x1b[1msomething \x1b[34;1mquite\x1b[0m new\x1b[0m"), REFUSED[0].kernel.py_func
    )
    assert "numba cannot compile this kernel: something quite new" == error.says and "\x1b" not in error.original


COLORAMA = """
import sys
from types import SimpleNamespace
__version__ = "0.4.6"
found = []
Fore = Style = SimpleNamespace(**{name: "" for name in (
    "BLACK BLUE CYAN GREEN MAGENTA RED WHITE YELLOW BRIGHT RESET_ALL").split()})

def init():
    found.append(sys.stdout)
    print(end="")

def reinit():
    pass

def deinit():
    sys.stdout = found[-1]
"""
REDIRECTS_MEANWHILE = """
import contextlib, io, sys, threading
import colorama
import numpy as np

started, ended = threading.Event(), threading.Event()

def init():
    colorama.found.append(sys.stdout)
    started.set()
    ended.wait(10)  # until the other thread prints where it did before

colorama.init = init
from numba import cuda  # which takes the name from colorama
from autograder.lint import lint, signature_of

@cuda.jit
def refused(out):
    out.nothing()

with contextlib.redirect_stdout(io.StringIO()):
    compiling = threading.Thread(target=lint, args=(refused, signature_of([np.zeros(4, np.float32)])))
    compiling.start()
    started.wait(5)
ended.set()
compiling.join()
print("heard")
"""


def test_what_is_printed_while_numba_colours_a_message_is_not_lost(tmp_path):
    """Its thread has put another `sys.stdout` there and takes it away when ours has long ended its own."""
    (tmp_path / "colorama.py").write_text(COLORAMA)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", REDIRECTS_MEANWHILE],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
    )  # fmt: skip

    assert ("heard\n", "") == (done.stdout, done.stderr)


class Driver:
    """Takes any name for a call of CUDA's, as numba's own, which raises where CUDA's library sees no GPU."""

    def __getattr__(self, name):
        raise OSError(f"no device, and so no {name}")

    def start(self):
        raise RuntimeError("something quite new")


def test_an_object_of_numbas_that_takes_any_name_for_a_call_is_not_asked_for_its_place():
    from autograder.lint.compile_errors import explain

    with pytest.raises(RuntimeError) as raised:
        Driver().start()
    assert "something quite new" in explain(raised.value, REFUSED[0].kernel.py_func).says


AFTER_NJIT = """
import sys
import numpy as np, pytest
from numba import njit

njit(lambda x: np.clip(x, 0.0, 1.0).sum())(np.ones(3, np.float32))
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


@pytest.mark.release
def test_what_numba_loads_for_a_cpu_changes_no_words():
    """A learner may use njit first: then numba knows NumPy functions that a GPU does not have."""
    tests = [__file__ + "::test_the_error_is_told_in_plain_words", "tests/pitfalls"]

    done = subprocess.run(
        [sys.executable, "-c", AFTER_NJIT, *tests], capture_output=True, text=True, timeout=PATIENCE_S
    )

    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-1000:]


def test_what_numba_takes_after_njit_is_refused_before():
    files = [__file__, str(ROOT / "tests/simt/test_refusals.py")]
    names = " or ".join(_name(one) for one in REFUSED if one.before_njit)

    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names, *files]
    done = subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE_S, cwd=ROOT)

    assert 0 == done.returncode and "skipped" not in done.stdout, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.parametrize(("letter", "name", "line"), [("ö", "größer", 3), ("Δ", "Δ", 3)])
def test_a_symbol_that_nvvm_refuses_is_named_with_its_letter_and_line(letter, name, line):
    from autograder.lint.compile_errors import explain

    text = f"def k(out):\n    i = out.size\n    {name} = i + 1\n    out[0] = {name}\n"
    file = f"<symbol {name}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space = {}
    exec(compile(text, file, "exec"), space)
    error = explain(RuntimeError("LLVM ERROR: Symbol name with unsupported characters"), space["k"])

    assert f"does not take the letter {letter!r} in the name `{name}`" in error.says
    assert (line,) == error.lines


@cuda.jit
def increment_of_int32(dst):
    cuda.atomic.inc(dst, 0, 100)


def test_an_increment_of_int32_is_told_which_types_it_takes_and_how_one_counts():
    error = lint(increment_of_int32, signature_of([np.zeros(4, np.int32)]), architectures=("sm_75",)).error

    assert "`cuda.atomic.inc` does not work on these types" in error.says
    assert "uint32 or uint64" in error.remedy and "cuda.atomic.add(array, index, 1)" in error.remedy


@cuda.jit
def atomic_with_a_tuple(dst):
    cuda.atomic.add(dst, (0,), 1)


@cuda.jit
def operator_of_numpy(dst):
    dst[0] = np.add(dst[1], dst[2])


@pytest.mark.parametrize(
    ("kernel", "remedy"),
    [(atomic_with_a_tuple, "Write cuda.atomic.add(dst, 0, 1)."), (operator_of_numpy, "Write dst[1] + dst[2].")],
    ids=["tuple", "operator"],
)
def test_the_line_is_written_as_it_compiles(kernel, remedy):
    error = lint(kernel, signature_of([np.zeros(4, np.int32)]), architectures=("sm_75",)).error

    assert remedy == error.remedy
