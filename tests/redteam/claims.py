"""Host functions that own their copy of the jail and use it: on who is blamed, on what nobody counts, on who looks.

Each answers vector_add.add_on_device. FORGES answers the judge in the jail's place, by way of the socket that it finds.
Some take seconds or gigabytes for a moment, so that a release tries them; what stopped each has a test of its own.
"""

from __future__ import annotations

from tests.redteam.attacks import Attack

FORGES = """
import json, os, socket, stat, struct, sys
def channel():
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return socket.socket(fileno=os.dup(fd))
        except OSError:
            pass
def answer(**changed):
    frame = sys._getframe()
    while "request" not in frame.f_locals:
        frame = frame.f_back
    call = {"steps": [], "returned": [], "many": False, "error": None, "beyond": "", "long": False, **changed}
    document = {"calls": [call] * len(frame.f_locals["request"]["cases"])}
    text = json.dumps({"document": document, "arrays": []}).encode()
    channel().sendall(struct.pack(">QQ", len(text), 0) + text)
    os._exit(0)
"""


def does(body: str, head: str = "") -> str:
    """A cell whose function does this."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"import os, time\n{head}\ndef add_on_device(a, b):\n{lines}    return a\n"


def forges(body: str) -> str:
    return does(body, FORGES)


EATS = """for _ in range(4):
    if os.fork() == 0:
        x = [b'x' * (100 << 20) for _ in range(14)]
        time.sleep(60)
"""
CLAIMS = (
    Attack("says_that_somebody_killed_it", 69, does("os._exit(137)")),
    Attack("has_its_time_run_out_by_a_limit_of_its_own", 69,
           does("resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass", "import resource")),
    Attack("says_that_it_did_what_no_record_holds", 73,
           forges("answer(beyond='reads or writes memory that the device may use meanwhile')")),
    Attack("writes_to_the_terminal_of_whoever_grades", 73, forges("answer(beyond='x\\x1b[2J\\nNEEDS REVIEW ada')")),
    Attack("raises_half_a_character", 69, does("raise RuntimeError('half \\udcff of one')")),
    Attack("raises_a_name_without_end", 65, does("raise type('E' * 200_000, (Exception,), {})('x' * 200_000)")),
    Attack("answers_with_lines_beyond_any_file", 73,
           forges("answer(steps=[{'do': 'to_device', 'line': 10 ** 4000, 'of': {'input': 'a'}}])")),
    Attack("answers_with_its_input_as_the_output", 73, forges("answer(returned=[{'input': 'out'}])")),
    Attack("answers_with_noise", 73, forges("channel().sendall(os.urandom(100_000))")),
    Attack("sends_files_along", 66,
           forges("for _ in range(99):\n    socket.send_fds(channel(), [b'x'], [0] * 50)")),
    Attack("sends_a_gibibyte", 66, forges(
        "channel().sendall(struct.pack('>QQ', 30, 1 << 30) + b'{\"document\": {}, \"arrays\": []}')\n"
        "while True: channel().sendall(bytes(1 << 20))")),
    Attack("drips_while_its_children_eat", 63, forges(
        f"{EATS}channel().sendall(struct.pack('>QQ', 8 << 20, 0))\n"
        "while True:\n    channel().sendall(b' ')\n    time.sleep(0.05)")),
    Attack("fills_sockets", 63, does(
        "pairs = []\nfor _ in range(16): os.fork()\nwhile True:\n    one, other = socket.socketpair()\n"
        "    pairs += [one, other]\n    one.setblocking(False)\n    try:\n        while True: one.send(bytes(65536))\n"
        "    except BlockingIOError: pass", "import socket")),
    Attack("stops_everybody", 70, does(
        "for process in (1, -1, 0, os.getppid()):\n    os.kill(process, 19)")),
    Attack("leaves_a_core", 65, does("for _ in range(20):\n    if os.fork() == 0: os.abort()\nos.abort()")),
    Attack("types_into_a_terminal", 70, does(
        "import fcntl, termios\nfor fd in range(9):\n    fcntl.ioctl(fd, termios.TIOCSTI, b'x')")),
)  # fmt: skip
