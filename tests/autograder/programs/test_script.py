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
