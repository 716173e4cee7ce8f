"""A program that ran in this process leaves its place to whoever was there."""

import sys

from autograder.programs.script import run_script


def test_a_program_is_main_while_it_runs_and_no_longer(tmp_path, monkeypatch, capsys):
    """Processes that are started later read the file of `__main__` anew, and a program's may be gone by then."""
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", [*sys.path])
    ours = sys.modules["__main__"]
    (tmp_path / "program.py").write_text("import sys\nprint(sys.modules['__main__'].__file__)\nraise SystemExit(3)\n")

    assert 3 == run_script(str(tmp_path / "program.py"), [])
    assert f"{tmp_path / 'program.py'}\n" == capsys.readouterr().out
    assert ours is sys.modules["__main__"]


METHOD = """
from simt.cuda_api import cuda
import numpy as np


class Steps:
    {static}
    @cuda.jit
    def forward({self}x):
        x[cuda.grid(1)] += 1

    def run(self, x):
        self.{launched}[1, 4](x)
        print(x.sum())


Steps().run(np.zeros(4))
"""
PLAIN = {"static": "", "self": "self, ", "launched": "forward"}


def ran(program: str, tmp_path, monkeypatch, capsys) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "program.py").write_text(program)
    code, said = run_script(str(tmp_path / "program.py"), []), capsys.readouterr()
    return code, said.out + said.err


def test_a_kernel_that_is_a_method_is_told_what_to_do_about_it(tmp_path, monkeypatch, capsys):
    code, said = ran(METHOD.format(**PLAIN), tmp_path, monkeypatch, capsys)
    assert 1 == code and "line 13, in run" in said
    assert "`forward` is a kernel, and `self.forward` binds it to the object" in said


def test_one_that_is_static_runs_and_a_method_that_is_no_kernel_is_not_spoken_of(tmp_path, monkeypatch, capsys):
    static = {"static": "@staticmethod", "self": "", "launched": "forward"}
    assert (0, "4.0\n") == ran(METHOD.format(**static), tmp_path, monkeypatch, capsys)
    _, said = ran(METHOD.format(**PLAIN | {"launched": "run"}), tmp_path, monkeypatch, capsys)
    assert "'method' object is not subscriptable" in said and "is a kernel" not in said


def test_the_stand_in_binds_a_kernel_as_numba_does():
    from simt.cuda_api import cuda

    class Steps:
        forward = cuda.jit(lambda x: None)

    assert Steps().forward.__self__ and Steps.forward is vars(Steps)["forward"]
