"""Whatever is typed wrong after `warpbook`, one sentence says what and where, and what to type; it ends with 2."""

import pytest

from autograder.cli import main, parser

KERNEL = "from numba import cuda\n\n@cuda.jit\ndef k(x):\n    x[0] = 1\n"
LAUNCH = ["--grid", "1", "--block", "1"]
OUT = ["--out", "graded"]
WRONG = [
    (["--json", "run", "k.py"], "--json stands before the command, and belongs behind it. Write warpbook run --json"),
    (["chek"], "there is no command 'chek'. Did you mean check?"),
    ([], "COMMAND is missing"),
    (["doctor", "now"], "now is one argument too many"),
    (["doctor", "--jsn"], "--jsn is no option of this command. Did you mean --json?"),
    (["list", "--own", "nowhere"], "nowhere is no folder"),
    (["list", "--own", "k.py"], "k.py is no folder"),
    (["new-exercise"], "DIR and NAME are missing"),
    (["new-exercise", "own", "Title"], "'Title' is no function's name. Use lower case"),
    (["check-exercises", "nowhere"], "nowhere is no folder"),
    (["check-exercises", "k.py"], "k.py is no folder"),
    (["check"], "id and file are missing"),
    (["check", "vector_add.vectr_add", "k.py"], "Did you mean vector_add.vector_add?"),
    (["check", "vector_add.vector_add", "missing.py"], "missing.py cannot be read: there is no such file. Pass"),
    (["check", "vector_add.vector_add", "folder"], "folder is a folder. Pass the Python file"),
    (["check", "vector_add.vector_add", "bytes.py"], "bytes.py is no text in UTF-8: its byte 0 is 0xff. Pass"),
    (["check", "vector_add.vector_add", "no\0file"], "cannot be read: embedded null byte. Pass"),
    (["check", "vector_add.vector_add", "k.py", "--device", "gpu"], "--device cannot be 'gpu'. Choose simt or cuda or"),
    (["check", "vector_add.vector_add", "k.py", "--devise", "simt"], "Did you mean --device?"),
    (["start", "k.py"], "k.py is a file. Name a folder, which need not exist yet"),
    (["demo", "there"], "there is one argument too many"),
    (["hint", "vector_add.vectr_add"], "Did you mean vector_add.vector_add?"),
    (["hint", "vector_add.vector_add", "missing.py"], "missing.py cannot be read: there is no such file. Pass"),
    (["hint", "vector_add.vector_add", "--level", "9"], "--level 9: the levels of this hint are 1 to"),
    (["log", "--unit", "99_nothing"], "there is no unit '99_nothing'. Units: 01_vector_add"),
    (["log", "--to", "k.py"], "k.py is there already. Name a new file"),
    (["log", "--to", "nowhere/log.jsonl"], "nowhere/log.jsonl cannot be written: No such file or directory"),
    (["trace", "k.py:k", "--grid", "1"], "--block is missing"),
    (["trace", "k.py", *LAUNCH], "'k.py' names no kernel. Write FILE.py:KERNEL"),
    (["trace", "missing.py:k", *LAUNCH], "missing.py cannot be read: there is no such file"),
    (["trace", "folder:k", *LAUNCH], "folder is a folder"),
    (["trace", "broken.py:k", *LAUNCH], "Line 1 is not Python"),
    (["trace", "empty.py:k", *LAUNCH], "empty.py defines no function named 'k'"),
    (["trace", "k.py:k", "--grid", "0", "--block", "1"], "--grid '0' is no launch shape. Give one to three"),
    (["trace", "k.py:k", *LAUNCH, "--arg", "none"], "--arg 'none' is no argument. Write"),
    (["lint", "k.py:k"], "--sig is missing"),
    (["lint", "k.py:kk", "--sig", "int32[:]"], "k.py defines no function named 'kk'"),
    (["lint", "folder:k", "--sig", "int32[:]"], "folder is a folder"),
    (["lint", "k.py:k", "--sig", "float31[:]"], "'float31' is no NumPy type. Use one such as"),
    (["run"], "SCRIPT.py"),
    (["run", "missing.py"], "missing.py cannot be read: there is no such file. Pass a Python program"),
    (["run", "folder"], "folder is a folder. Pass a Python program"),
    (["run", "broken.py"], "broken.py is not Python, so nothing of it ran"),
    (["bench", "--unit", "99_nothing"], "nothing is timed in '99_nothing'. Units with speed points: 01_vector_add"),
    (["bench", "--calibrate", "nothing"], "'nothing' has no speed points. There are:"),
    (["grade", "--submissions", "folder"], "--out is missing"),
    (["grade", "--submissions", "nowhere", *OUT], "There is no folder nowhere. Pass the one"),
    (["grade", "--submissions", "k.py", *OUT], "There is no folder k.py. Pass the one"),
    (["grade", "--submissions", "folder", "--unit", "99_nothing", *OUT], "There is no unit '99_nothing'"),
    (["grade", "--submissions", "folder", "--class", "missing.toml", *OUT], "missing.toml cannot be read: there"),
    (["grade", "--submissions", "folder", "--class", "folder", *OUT], "folder is a folder. Pass the class's file"),
    (["grade", "--submissions", "folder", "--class", "broken.py", *OUT], "broken.py cannot be read ("),
    (["grade", "--submissions", "folder", "--workers", "0", *OUT], "'0' is no number from 1 on"),
    (["replay"], "VERDICT is missing"),
    (["replay", "nowhere"], "There is no verdict at nowhere"),
    (["replay", "folder"], "There is no verdict at folder"),
    (["replay", "k.py"], "k.py is not a verdict"),
    (["similar", "--out", "nowhere"], "There is no answer in nowhere/verdicts. Pass the folder"),
    (["serve", "--out", "k.py"], "There is no k.py/gradebook.html. Pass the folder"),
    (["serve", *OUT, "--port", "many"], "invalid int value: 'many'"),
    (["regrade", "--submissions", "folder", *OUT], "--exercise is missing"),
    (["regrade", "--submissions", "folder", *OUT, "--exercise", "vector_add.vectr_add"], "vectr_add"),
    (["drill", "exprt"], "Choose export or progress"),
    (["drill", "--topics", "Z9"], "there is no topic 'Z9'"),
    (["drill", "--lang", "fr"], "--lang cannot be 'fr'. Choose en or zh or both"),
    (["drill", "export"], "name what to export"),
    (["drill", "export", "--anki", "nowhere/cards.apkg"], "Make it first"),
    (["drill", "progress", "--figure", "x.gif"], "name a file that ends in .svg"),
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with everything that somebody may name by mistake."""
    (tmp_path / "folder").mkdir()
    for name, text in {"k.py": KERNEL, "empty.py": "", "broken.py": "def f(:\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    monkeypatch.chdir(tmp_path)


def code_of(arguments) -> int:
    try:
        return main(arguments)
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize(("arguments", "says"), WRONG, ids=lambda value: " ".join(value) if type(value) is list else "")
def test_wrong_usage_is_one_sentence_and_ends_with_2(here, arguments, says, capsys):
    assert 2 == code_of(arguments)

    printed = capsys.readouterr()
    assert says in printed.err
    assert printed.err.startswith("warpbook")
    assert "Errno" not in printed.err and "Traceback" not in printed.err
    assert "" == printed.out


def test_every_subcommand_was_given_something_wrong():
    commands = next(action.choices for action in parser()._actions if action.choices)

    assert set(commands) == {arguments[0] for arguments, _ in WRONG[3:]}


def test_only_what_is_about_as_near_as_the_nearest_is_suggested():
    from autograder.answer.mistyped import close_to

    names = ["vector_add.vector_add", "vector_add.vector_add_unrolled", "vector_add.blend"]

    assert ["vector_add.vector_add"] == close_to("vector_add.vectr_add", names)
    assert [] == close_to("nothing", names)
