"""The `warpbook` command: one JSON document and nothing else, 0 when judging worked, 2 for bad usage."""

import json
import signal
import subprocess
import sys

import pytest

from autograder.cli import UNHEARD, main

RIGHT = """
from numba import cuda

@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
"""
RACY = """
from numba import cuda

@cuda.jit
def count(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0] += x[i]
"""


@pytest.fixture
def answer(tmp_path):
    def write(source):
        path = tmp_path / "answer.py"
        path.write_text(source)
        return str(path)

    return write


def document_of(capsys):
    captured = capsys.readouterr()
    return json.loads(captured.out)


def test_check_prints_one_json_document_and_exits_0_whatever_the_verdict(answer, capsys):
    right = answer(RIGHT)
    assert 0 == main(["check", "vector_add.vector_add", right, "--device", "simt", "--json"])
    assert "pass" == document_of(capsys)["status"]

    wrong = answer(RIGHT.replace("i < out.size", "i <= out.size"))
    assert 0 == main(["check", "vector_add.vector_add", wrong, "--device", "simt", "--json"])
    document = document_of(capsys)
    assert "fail" == document["status"]
    assert "off_by_one" == document["warpbook"]["misconception"]


def test_a_program_that_prints_does_not_spoil_the_json(answer, capsys):
    main(["check", "vector_add.vector_add", answer("print('hello')" + RIGHT), "--device", "simt", "--json"])

    assert "pass" == document_of(capsys)["status"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "vector_add.nothing", "x.py"], "vector_add."),
        (["check", "vector_add.vector_add", "missing.py"], "cannot be read"),
        (["trace", "missing.py", "--grid", "1", "--block", "1"], "FILE.py:KERNEL"),
        (["trace", "missing.py:k", "--grid", "1", "--block", "1"], "cannot be read"),
    ],
)
def test_bad_usage_exits_2_and_says_what_to_do(arguments, says, capsys):
    assert 2 == main(arguments)
    captured = capsys.readouterr()
    assert says in captured.err
    assert "" == captured.out


def test_an_unknown_command_exits_2():
    with pytest.raises(SystemExit) as exit_:
        main(["frobnicate"])

    assert 2 == exit_.value.code


def test_trace_counts_and_finds_in_any_kernel(answer, capsys):
    where = f"{answer(RACY)}:count"
    command = ["trace", where, "--grid", "4", "--block", "64", "--arg", "float32[256]", "--arg", "float32[1]"]
    assert 0 == main([*command, "--json"])
    document = document_of(capsys)

    assert "race" in {finding["kind"] for finding in document["findings"]}
    assert 8 * 2 <= document["counters"]["global_load_requests"]
    assert any(row["line"] == 8 for row in document["by_line"])
    assert 0 == main(command)
    assert "out[0] += x[i]" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "starts"), [("race.svg", b"<svg"), ("race.png", b"\x89PNG")])
def test_trace_draws_what_explains_most_into_a_file_and_says_it_in_words(name, starts, answer, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    where, picture = f"{answer(RACY)}:count", tmp_path / name
    command = ["trace", where, "--grid", "4", "--block", "64", "--arg", "float32[256]", "--arg", "float32[1]"]
    assert 0 == main([*command, "--draw", str(picture)])

    assert picture.read_bytes().startswith(starts)
    out = capsys.readouterr().out
    assert "one of the updates can be lost" in out
    assert f"Drawn in {picture}." in out


def test_a_file_that_reads_its_arguments_has_none_of_the_commands(answer, capsys):
    where = (
        f"{answer('import sys' + chr(10) + 'n = int(sys.argv[1]) if len(sys.argv) > 1 else 1' + chr(10) + RACY)}:count"
    )

    assert 0 == main(["trace", where, "--grid", "1", "--block", "32", "--arg", "float32[32]", "--arg", "float32[1]"])


def test_trace_of_a_kernel_with_too_few_arguments_traces_nothing_and_says_so(answer, capsys):
    assert 2 == main(["trace", f"{answer(RACY)}:count", "--grid", "1", "--block", "32"])
    assert "Give one --arg for each parameter" in capsys.readouterr().err


def test_trace_of_a_kernel_that_is_given_a_number_for_an_array_says_so_and_does_not_exit_0(answer, capsys):
    source = "from numba import cuda\n\n\n@cuda.jit\ndef scale(x):\n    x[cuda.grid(1)] *= x.size\n"

    assert 1 == main(["trace", f"{answer(source)}:scale", "--grid", "1", "--block", "32", "--arg", "7"])
    assert "Here x is the number 7. For an array, write --arg 'float32[1024]'." in capsys.readouterr().out
    assert 0 == main(["trace", f"{answer(source)}:scale", "--grid", "1", "--block", "32", "--arg", "float32[32]"])


def test_trace_draws_into_no_other_kind_of_file(answer, capsys):
    command = ["trace", f"{answer(RACY)}:count", "--grid", "1", "--block", "32", "--arg", "float32[32]"]
    assert 2 == main([*command, "--arg", "float32[1]", "--draw", "race.doc"])
    assert "ends in .svg or .png" in capsys.readouterr().err


def test_lint_reports_facts_of_the_real_compiler(answer, capsys):
    pytest.importorskip("numba_cuda")
    where = f"{answer(RIGHT)}:vector_add"
    signature = "float32[:], float32[:], float32[:]"
    assert 0 == main(["lint", where, "--sig", signature, "--arch", "sm_80", "--json"])
    document = document_of(capsys)

    assert document["ok"]
    assert 0 < document["facts"]["sm_80"]["registers"]


def test_list_names_every_exercise_with_its_points(capsys):
    assert 0 == main(["list", "--json"])
    rows = document_of(capsys)["exercises"]

    assert {"vector_add.vector_add", "reductions.device_sum"} <= {row["id"] for row in rows}
    assert all(row["points"] > 0 for row in rows)


def test_what_the_jail_s_remedy_names_is_an_option_of_grade(monkeypatch, tmp_path):
    from autograder.classroom import grade
    from autograder.classroom.jail import namespaces as jail

    asked = {}
    monkeypatch.setattr(grade, "grade_class", lambda source, out, unit, how: asked.update(vars(how)) or ({}, "done"))
    option = next(word for word in jail.TRUST.split() if word.startswith("--")).rstrip(".")
    assert 0 == main(["grade", "--submissions", str(tmp_path), "--out", str(tmp_path), option])
    assert asked["trusted"] is True


@pytest.mark.parametrize(("name", "code"), [("list", 0), ("doctor", UNHEARD)])  # speaks at its end; and on its way
def test_whoever_stops_reading_is_told_of_no_error(name, code):
    command = [sys.executable, "-m", "autograder.cli", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()

        assert "" == process.stderr.read()

    assert code == process.returncode


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_class_that_is_stopped_is_told_how_to_go_on(how, code, tmp_path, monkeypatch, capsys):
    def stopped(*_arguments):
        signal.raise_signal(how)

    monkeypatch.setattr("autograder.classroom.grade.grade_class", stopped)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # dask_jobqueue, imported, sets its own

    try:
        assert code == main(["grade", "--submissions", str(tmp_path), "--out", str(tmp_path / "out")])
    finally:
        signal.signal(signal.SIGINT, before)
    assert "go on with --resume" in capsys.readouterr().err
