"""The jail, tried with what people try. Skipped, visibly, where no jail can be made."""

import os
import shlex
import subprocess
import sys
import time

import pytest

from autograder.classroom.jail import namespaces as jail
from autograder.lint.compiler import unavailable_reason
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


def inside(code: str, seconds: float = 20, request: bytes = b"") -> str:
    """What a program says from inside a jail."""
    return jail.exchange(["-c", code], request, seconds).decode()


def fails(code: str, seconds: float = 20) -> jail.JailError:
    with pytest.raises(jail.JailError) as caught:
        jail.exchange(["-c", code], b"", seconds)
    return caught.value


def test_a_request_goes_in_and_a_reply_comes_out():
    assert "HELLO" == inside("import sys; print(sys.stdin.read().upper(), end='')", request=b"hello")


def test_a_large_request_and_a_large_reply_do_not_wait_for_each_other():
    assert 3_000_000 == len(inside("import sys; print(sys.stdin.read() * 3, end='')", request=b"x" * 1_000_000))


def test_only_the_interpreter_and_two_packages_are_there(tmp_path):
    (tmp_path / "secret").write_text("42")
    places = [str(tmp_path / "secret"), *(str(jail.PROJECT / name) for name in ("solutions", "tests")), "/etc/passwd"]
    code = f"import os; print([os.path.exists(p) for p in {[*places, str(jail.PROJECT / 'autograder')]!r}])"

    assert "[False, False, False, False, True]\n" == inside(code)


@pytest.mark.parametrize("place", ["/usr/x", f"{jail.PROJECT}/autograder/x", "/x", "/proc/sys/kernel/core_pattern"])
def test_nothing_outside_its_own_folder_can_be_written(place):
    assert fails(f"open({place!r}, 'w')").kind == "died"
    assert not os.path.exists("/usr/x")


def test_mounts_inside_usr_are_shown_but_cannot_be_written():
    """As where a driver's libraries are mounted into /usr: an inner namespace may not leave such a mount out."""
    below = "/usr/share/man"
    code = f"import os; print(os.listdir({below!r})); open({below + '/x'!r}, 'w')"
    ask = f"from autograder.classroom.jail import namespaces as jail\ntry: jail.exchange(['-c', {code!r}], b'', 20)\n"
    ask += "except jail.JailError as error: print(error.said)"
    outer = f"mount -t tmpfs inner {below} && touch {below}/page && exec {sys.executable} -c {shlex.quote(ask)}"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", outer]

    said = subprocess.run(command, cwd=jail.PROJECT, capture_output=True, text=True, timeout=PATIENCE_S)

    assert "Read-only file system" in said.stdout, said.stdout + said.stderr


def test_a_jail_can_be_made_where_the_project_and_its_environment_lie_below_home(tmp_path):
    """As for almost every instructor. Played in a namespace, where /home can be filled without being root."""
    binds = {str(jail.PROJECT): "/home/ada/warpbook", sys.prefix: "/home/ada/warpbook.venv"}
    furnish = f"mount -t tmpfs home {tmp_path}\n"
    furnish += "for own in /home/*/; do if [ -d $own ]; then "
    furnish += f"mkdir -p {tmp_path}/$own; mount --rbind $own {tmp_path}/$own; fi; done\n"
    for place, below_home in binds.items():
        furnish += f"mkdir -p {tmp_path}/{below_home}; mount --rbind {place} {tmp_path}/{below_home}\n"
    furnish += f"if [ -d {tmp_path}/home ]; then mount --rbind {tmp_path}/home /home; fi\n"
    ask = "from autograder.classroom.jail import namespaces as jail; import sys\n"
    ask += "print(sys.prefix, jail.PROJECT, [jail.unavailable()])"
    furnish += f"cd /home/ada/warpbook; unset PYTHONPATH; exec /home/ada/warpbook.venv/bin/python -c {shlex.quote(ask)}"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-e", "-c", furnish]

    said = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)

    assert "/home/ada/warpbook.venv /home/ada/warpbook ['']\n" == said.stdout, said.stderr


def test_what_it_writes_at_home_is_gone_afterwards():
    assert "[]\n" == inside("import os; print(os.listdir('.')); open('x', 'w').write('x')")
    assert "[]\n" == inside("import os; print(os.listdir('.'))")


def test_what_compiles_outside_compiles_inside():
    assert unavailable_reason() == jail.without_a_compiler()


def test_packages_that_only_pythonpath_shows_are_told(monkeypatch, tmp_path):
    assert [] == jail.other_packages()
    (there := tmp_path / "numpy-0.0.1.dist-info").mkdir()
    (there / "METADATA").write_text("Name: numpy\nVersion: 0.0.1\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    (said,) = jail.other_packages()

    assert said.startswith("numpy ") and said.endswith(", not 0.0.1")


def test_a_python_finds_libraries_of_its_own_where_the_loader_or_a_module_of_a_cluster_has_them(monkeypatch):
    lib = f"{sys.base_prefix}/lib"
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere/shown:{lib}:{sys.base_prefix}-not/lib")

    assert "['ld.so.cache']\n" == inside("import os; print(os.listdir('/etc'))")
    assert f"{lib}\n" == inside("import os; print(os.environ['LD_LIBRARY_PATH'])")
    monkeypatch.delenv("LD_LIBRARY_PATH")
    assert "False\n" == inside("import os; print('LD_LIBRARY_PATH' in os.environ)")


def test_a_toolkit_behind_a_link_is_shown_where_it_lies(tmp_path, monkeypatch):
    (tmp_path / "cuda-13").mkdir()
    (tmp_path / "cuda").symlink_to(tmp_path / "cuda-13")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "cuda"))
    monkeypatch.delenv("CUDA_PATH", raising=False)

    assert [str(tmp_path / "cuda-13")] == jail.toolkit()
    assert str(tmp_path / "cuda-13") in jail.places()
    assert f"CUDA_PATH={tmp_path / 'cuda-13'}" in jail._command("folder", [], [], warden=False)


def test_there_is_no_network():
    assert "unreachable" in fails("import socket; socket.create_connection(('192.0.2.1', 80), 5)").said


def test_it_sees_no_process_but_its_own_and_no_environment_of_ours(monkeypatch):
    monkeypatch.setenv("A_SECRET", "42")

    said = inside("import os; print(sorted(p for p in os.listdir('/proc') if p.isdigit()), 'A_SECRET' in os.environ)")

    assert "['1'] False\n" == said


def test_it_has_no_privileges_to_lose():
    code = "print([l for l in open('/proc/self/status') if l.startswith(('CapEff', 'NoNewPrivs'))])"

    assert "CapEff:\\t0000000000000000" in inside(code)
    assert "NoNewPrivs:\\t1" in inside(code)


def test_an_endless_loop_is_ended_in_time():
    assert "timed_out" == fails("while True: pass", seconds=2).kind


def test_a_fork_bomb_and_a_daemon_end_with_the_jail(tmp_path):
    before = _processes_named("warpbook_ghost")
    code = "import os, time, sys\nfor _ in range(200):\n  try:\n    if os.fork() == 0:\n"
    code += "      os.setsid(); time.sleep(60)\n  except OSError: break\nprint('forked')  # warpbook_ghost"

    assert "forked\n" == inside(code)
    deadline = time.monotonic() + PATIENCE_S
    while before != _processes_named("warpbook_ghost") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert before == _processes_named("warpbook_ghost")


def test_memory_and_output_are_limited():
    assert "MemoryError" in fails("x = bytearray(8 << 30)").said


def test_what_it_says_is_limited(monkeypatch):
    monkeypatch.setattr("autograder.classroom.messages.conversation.MAX_REPLY_BYTES", 1 << 20)

    assert "too_much" == fails("while True: print('x' * 100000)").kind


def test_an_exit_code_of_zero_is_no_reply():
    assert "" == inside("import os; os._exit(0)")


def _processes_named(word: str) -> int:
    """How many processes have a word in their command line."""
    found = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found += word.encode() in file.read()
            except OSError:
                continue
    return found
