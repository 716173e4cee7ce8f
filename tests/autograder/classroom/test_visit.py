"""A visit to the jail finds what the first one found, whatever earlier visits left, and has its limits."""

import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

import simt
from autograder import exercises
from autograder.answer.program import Program
from autograder.classroom.jail import host_check, interpreter, visit
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.inside import warm
from autograder.classroom.messages import conversation, frames
from autograder.classroom.messages.conversation import JailError
from autograder.lint import lint, signature_of
from autograder.running.job import Job
from simt.tracing import Tracer
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


def says(expression: str, before: str = "", **limits: float) -> str:
    """What an expression is worth inside a visit, as text."""
    source = f"import os\n{before}\ndef add_on_device(a, b):\n    raise ValueError(repr({expression}))\n"
    program = Program(source, "add_on_device").to_json()
    given = {"dtype": "<f4", "shape": [1]}
    request = {"want": "plan", "exercise": "vector_add.add_on_device", "program": program, "answers": []}
    with visit.Visit() as there:
        reply, _ = there.ask({"visit": "plan", **request, "cases": [{"a": given, "b": given}]}, **limits)
    return reply["calls"][0]["error"]["message"] if "calls" in reply else reply["not_loaded"]


def test_a_file_that_one_visit_leaves_is_not_there_in_the_next():
    assert "['left']" == says("os.listdir('.')", "open('left', 'w').close()")
    assert "[]" == says("os.listdir('.')")


def test_no_visit_leaves_a_process():
    running = "[name for name in os.listdir('/proc') if name.isdigit()]"

    assert "PermissionError" in says("0", "os.fork()")
    assert "['1']" == says(running)


SHARED = """
import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
def refused(call, *arguments):
    return getattr(libc, call)(*arguments) == -1 and ctypes.get_errno() == 1
def files(n=0):
    try:
        while True:
            open(f"f{n}", "w").close()
            n += 1
    except OSError:
        return n
def limit():
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    except ValueError:
        return True
"""


def test_what_the_kernel_holds_for_a_visit_is_limited_and_what_a_user_s_processes_share_is_out_of_reach():
    shared = "refused('inotify_init'), refused('vmsplice', 1, None, 0, 0), limit()"

    said = says(f"({shared}, files() < 5000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] <= 64)", SHARED)

    assert "(True, True, True, True, True)" == said


@pytest.mark.parametrize("made", ["socket(socket.AF_UNIX)", "socketpair()", "create_connection(('127.0.0.1', 1), 1)"])
def test_a_visit_makes_no_sockets_whose_messages_would_be_memory_that_nobody_counts(made):
    assert "not permitted" in says("'made'", f"import socket\nsocket.{made}\n")


@pytest.mark.parametrize(
    "attempt",
    [
        "os.kill(2, 0)",
        "os.setuid(0)",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "open('/usr/x', 'w')",
        "os.memfd_create('x')",
        "__import__('socket').socket(40, 1)",
        "__import__('socket').socket(38, 5)",
        "__import__('socket').create_connection(('192.0.2.1', 80), 2)",
        "ctypes.CDLL(None).unshare(0x10000000) and 1 / 0",
        "ctypes.CDLL(None).syscall(250, 1, 0) < 0 and 1 / 0",
        "ctypes.CDLL(None).mount(b'x', b'/proc', b'tmpfs', 0, None) and 1 / 0",
        "open('/proc/1/environ').read(0) or [open(f'/proc/{n}/mem') for n in (2, 3)]",
    ],
)
def test_a_visit_has_no_way_to_what_it_should_not_reach(attempt):
    source = (
        f"import ctypes\ntry:\n    {attempt}\n    found = 'open'\nexcept Exception as error:\n    found = 'closed'\n"
    )

    assert "'closed'" == says("found", source)


def test_a_visit_that_takes_too_long_ends_and_the_next_one_works():
    with pytest.raises(JailError) as caught:
        says("0", "while True: pass", seconds=1.0)

    assert "timed_out" == caught.value.kind
    assert "0" == says("0")


@pytest.mark.parametrize("ends", ["os._exit(0)", "os.write(3, b'no frame'); os._exit(0)"])
def test_a_jail_stays_after_a_visit_that_ended_itself_and_the_next_one_works_there(ends):
    assert "0" == says("0")
    (before,) = visit._ready

    with pytest.raises(JailError):
        says("0", ends)

    assert "0" == says("0")
    assert [before] == visit._ready


def test_what_the_jail_compiles_and_runs_to_be_warm_is_all_right():
    assert lint(warm._usual, signature_of(warm.arguments())).error is None
    tracer, arguments = Tracer(), warm.arguments()
    simt.launch(warm._usual, 1, warm.THREADS, *arguments, listeners=tracer.listeners())
    assert not tracer.result().findings and arguments[2].any()


def test_what_a_visit_holds_is_limited(monkeypatch):
    monkeypatch.setattr(conversation, "MAX_TREE_BYTES", 700 << 20)

    with pytest.raises(JailError) as caught:
        says("__import__('time').sleep(30)", "x = bytearray(900 << 20)")

    assert "too_much" == caught.value.kind


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        frames.HEADER.pack(1 << 60, 0),
        frames.HEADER.pack(2, 0) + b"[]",
        frames.HEADER.pack(4, 0) + b"null",
        frames.HEADER.pack(60, 0) + b'{"document": {}, "arrays": [["x", "O", [1], "C"]]}'.ljust(60),
        frames.HEADER.pack(60, 0) + b'{"document": {}, "arrays": [["x", "<f4", [9], "C"]]}'.ljust(60),
        frames.HEADER.pack(60, 4) + b'{"document": {}, "arrays": [["x", "<f4", [-1], "C"]]}'.ljust(60) + bytes(4),
        frames.HEADER.pack(60, 8) + b'{"document": {}, "arrays": [["x", "<f4", [true], "C"]]}'.ljust(60) + bytes(8),
        frames.HEADER.pack(90_000, 0) + b"[" * 90_000,
    ],
)
def test_what_is_no_message_is_told_and_never_believed(sent):
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.sendall(sent)
        with pytest.raises((frames.FrameError, frames.Closed)):
            frames.receive(ours, PATIENCE_S)


def test_a_large_message_arrives_at_a_reader_that_takes_its_time():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.send(theirs, {"ready": True})
        frames.receive(ours, PATIENCE_S)  # leaves a short timeout on the socket
        heard: list = []

        def slowly():
            time.sleep(2 * frames.TURN_S)
            heard.append(frames.receive(theirs, PATIENCE_S)[1]["x"])

        reader = threading.Thread(target=slowly)
        reader.start()
        frames.send(ours, {}, {"x": np.arange(1 << 20)})
        reader.join()

    np.testing.assert_array_equal(np.arange(1 << 20), heard[0])


def test_who_does_not_read_is_waited_for_so_long_and_no_longer():
    ours, theirs = socket.socketpair()
    looked: list = []
    with ours, theirs, pytest.raises(frames.TooLate):
        frames.send(ours, {}, {"x": np.arange(1 << 20)}, 0.1, lambda: looked.append(1))

    assert looked


def test_arrays_come_back_as_they_were_sent_whatever_their_order():
    arrays = {
        "c": np.arange(6, dtype=np.float32).reshape(2, 3),
        "f": np.asfortranarray(np.arange(6, dtype=np.int64).reshape(2, 3)),
        "none": np.zeros((0, 4), np.uint8),
        "one": np.array(3.5),
    }
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.send(theirs, {"a": 1}, arrays)
        document, back = frames.receive(ours, PATIENCE_S)

    assert {"a": 1} == document
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, back[name])
        assert array.dtype == back[name].dtype
        assert array.flags.f_contiguous == back[name].flags.f_contiguous


def test_a_jail_in_which_something_is_missing_says_what_and_is_nobodys_zero(monkeypatch):
    @contextmanager
    def broken(_arguments, _limits, stdin, warden):
        program = [sys.executable, "-c", "import no_such_compiler"]
        with subprocess.Popen(program, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            yield process

    visit.stop()
    monkeypatch.setattr(jail, "running", broken)
    exercise = exercises.find("vector_add.vector_add")

    kernel = interpreter.interpret(
        Job(exercise, Program("@cuda.jit\ndef vector_add(a, b, out):\n    pass\n", "vector_add"))
    )
    host = host_check.check(exercises.find("vector_add.add_on_device"), Program("def f(): pass\n", "add_on_device"))

    for found in (kernel, host):
        assert "NotCheckable" == found.status
        assert "No module named 'no_such_compiler'" in found.observed
        assert "warpbook doctor" in found.next_step


def dripping(channel) -> None:
    """One byte after the other of a message that never ends."""
    with channel:
        channel.sendall(frames.HEADER.pack(1 << 20, 0))
        try:
            while True:
                channel.sendall(b" ")
                time.sleep(0.01)
        except OSError:
            return


def test_memory_is_watched_while_a_message_drips_in():
    ours, theirs = socket.socketpair()
    threading.Thread(target=dripping, args=(theirs,), daemon=True).start()

    def too_much() -> None:
        raise JailError("too_much", "It held a lot.")

    with ours, pytest.raises(JailError, match="a lot"):
        frames.receive(ours, PATIENCE_S, too_much)


def test_a_reply_with_more_arrays_than_were_asked_for_is_not_read():
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(frames.FrameError, match="too long"):
        theirs.sendall(frames.HEADER.pack(2, 1 << 30))
        frames.receive(ours, PATIENCE_S, most_bytes=0)


def test_what_comes_from_a_jail_can_be_written_into_a_file():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.send(theirs, {"says \ud800": ["half \udcff, whole \U0001f600"]})
        document, _ = frames.receive(ours, PATIENCE_S, from_a_jail=True)

    assert {"says \\ud800": ["half \\udcff, whole \U0001f600"]} == document
