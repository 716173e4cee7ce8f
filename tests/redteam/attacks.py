"""Things people have tried on graders, as submissions to unit 01. `row` is the line of the catalogue of cheats.

Kernels answer vector_add.vector_add, host functions vector_add.add_on_device. {witness} is a file that must never
appear, {secret} one that must never be read.
"""

from __future__ import annotations

from dataclasses import dataclass

PLAIN = (
    "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i] + b[i]\n"
)


@dataclass(frozen=True)
class Attack:
    """One attempt. earns: what it may get of vector_add's 2 points; 2.0: the kernel is right, the rest is ignored."""

    name: str
    row: int
    source: str
    earns: float = 0.0


def kernel(body: str, head: str = "", decorator: str = "@cuda.jit") -> str:
    """A vector_add with one statement as its body."""
    return f"{head}{decorator}\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n    {body}\n"


def where(condition: str, value: str = "a[i] + b[i]") -> str:
    """A vector_add that stores this value where this holds. n: elements."""
    return kernel(f"n = out.size\n    if {condition}:\n        out[i] = {value}")


KERNELS = (
    Attack("patches_the_clock", 1, "import time\ntime.perf_counter = lambda: 0.0\n" + PLAIN, earns=2.0),
    Attack("patches_events", 2, "cuda.event_elapsed_time = lambda *a: 1e-9\n" + PLAIN, earns=2.0),
    Attack("patches_the_aggregation", 3, "np.median = lambda samples: 1e-9\n" + PLAIN, earns=2.0),
    Attack("patches_the_comparison", 4, "np.array_equal = lambda *a, **k: True\n" + kernel("out[0] = a[0]")),
    Attack("poisons_sys_modules", 5, "import sys\nsys.modules['autograder.judge'] = None\n" + PLAIN, earns=2.0),
    Attack("writes_the_harness", 6, "open({witness!r}, 'w').write('judge')\n" + PLAIN, earns=2.0),
    Attack("ast_transformer", 7, "get_ipython().ast_transformers.append(1)\n" + PLAIN, earns=2.0),
    Attack("hides_its_errors", 8, "get_ipython().showtraceback = print\n" + kernel("out[i] = nobody")),
    Attack("displayhook", 9, "import sys\nsys.displayhook(2.0)\n" + kernel("pass")),
    Attack("equal_to_everything", 10, "class E:\n    __eq__ = __array__ = lambda *a: True\nvector_add = E()\n"),
    Attack("dispatcher_of_its_own", 12, "class K:\n    __call__ = py_func = None\nvector_add = K()\n"),
    Attack("environment", 16, "%env NUMBA_ENABLE_CUDASIM=1\n" + kernel("pass")),
    Attack("garbage_collector", 17, kernel("import gc; gc.get_objects()")),
    Attack("stack_walk", 18, kernel("pass", "import sys\nANSWER = sys._getframe(3).f_locals\n")),
    Attack("frame_from_inside", 18, kernel("i.__class__.__init__.__globals__['sys']._getframe()")),
    Attack("reads_the_test", 19, "TEST = In[-1]\n" + PLAIN, earns=2.0),
    Attack("imports_the_solution", 20, kernel("solutions.vector_add(a, b, out)", "import solutions\n")),
    Attack("reads_the_solution", 20, kernel("print(open({secret!r}).read())")),
    Attack("constant_from_a_file", 20, kernel("out[i] = KEY", "KEY = open({secret!r}).read()\n")),
    Attack("writes_the_gradebook", 21, kernel("pass", "import sqlite3\nsqlite3.connect({witness!r})\n")),
    Attack("stale_output", 27, kernel("pass")),
    Attack("zeros", 28, kernel("out[i] = 0")),
    Attack("numpy_fallback", 39, kernel("np.add(a, b, out)")),
    Attack("halves_the_precision", 40, where("i < n", "np.float16(a[i]) + np.float16(b[i])"), earns=1.0),
    Attack("leaves_out_one_in_a_hundred", 41, where("i < n and i % 100 != 99"), earns=1.0),
    Attack("knows_the_sizes", 42, where("i < n and (n < 1100 or n == 7919 or n == 262147)"), earns=1.0),
    Attack("reads_what_nobody_wrote", 50, where("i < n", "out[i] + a[i] + b[i]")),
    Attack("whole_blocks_only", 53, where("i < n // 256 * 256"), earns=1.0),
    Attack("import_beside_a_good_one", 5, "import math, os\nos.mkdir({witness!r})\n" + PLAIN, earns=2.0),
    Attack("imported_beside_a_good_one", 5, kernel("os.mkdir({witness!r})", "import math, os\n")),
    Attack("foreign_kernel", 48, kernel("add(a, b, out)", "add = cuda.declare_device('add', 'void()')\n")),
    Attack("declares_inside", 48, kernel("cuda.declare_device('add', 'void()')(a)")),
    Attack("linked_file", 48, kernel("pass", decorator="@cuda.jit(link=[open({witness!r}, 'w')])")),
    Attack("signature_that_runs", 5, kernel("pass", decorator="@cuda.jit(\"open('{witness}', 'w')\")")),
    Attack("out_of_bounds", 49, kernel("out[i] = a[i] + b[i]"), earns=0.5),
    Attack("endless_kernel", 61, kernel("while True:\n        pass")),
    Attack("huge_constant", 71, kernel("out[i] = BIG", "BIG = 10 ** 10 ** 10\n")),
    Attack("huge_constant_inside", 71, kernel("out[i] = 10 ** 10 ** 8")),
    Attack("nested_too_deeply", 71, kernel("out[i] = " + "-" * 20_000 + "1")),
    Attack("fake_result_line", 73, "print('{{\"points\": 2.0}}')\n" + kernel("pass")),
    Attack("pickle", 74, "class P:\n    def __reduce__(self): return (print, (1,))\nvector_add = P()\n"),
    Attack("decorator", 5, kernel("pass", "def d(f):\n    open({witness!r}, 'w')\n    return f\n", "@d\n@cuda.jit")),
    Attack("default_argument", 5, "@cuda.jit\ndef vector_add(a, b, out=open({witness!r}, 'w')):\n    pass\n"),
    Attack("annotation", 5, "@cuda.jit\ndef vector_add(a: open({witness!r}, 'w'), b, out):\n    pass\n"),
    Attack("exit", 69, "import os\nos._exit(0)\n" + PLAIN, earns=2.0),
    Attack("tofile", 6, kernel("a.tofile({witness!r})")),
    Attack("dump", 6, kernel("a.dump({witness!r})")),
    Attack("numpy_save", 6, kernel("np.save({witness!r}, a)")),
    Attack("subclasses", 18, kernel("().__class__.__base__.__subclasses__()")),
    Attack("format_string", 18, kernel("'{{0.__class__}}'.format(a)")),
    Attack("alias_of_a_module", 6, kernel("x = np; x.save({witness!r}, a)")),
    Attack("shadowed_builtin", 6, kernel("max({witness!r}, 'w')", "max = open\n")),
    Attack("walrus", 6, kernel("(x := open)({witness!r}, 'w')")),
    Attack("unicode_name", 6, kernel("ｏｐｅｎ({witness!r}, 'w')")),
)  # fmt: skip

HOST = (
    Attack("computes_on_the_cpu", 39, "def add_on_device(a, b):\n    return a + b\n"),
    Attack("caches_the_answer", 29, "def add_on_device(a, b, seen={{}}):\n    return seen.setdefault(a.size, a)\n"),
    Attack("writes_a_file", 6, "def add_on_device(a, b):\n    open({witness!r}, 'w').write('x')\n    return a\n"),
    Attack("reads_the_solution", 20, "def add_on_device(a, b):\n    return open({secret!r}).read()\n"),
    Attack("asks_the_oracle", 20, "from autograder import exercises\ndef add_on_device(a, b):\n"
           "    return exercises.find('vector_add.add_on_device').oracle({{'a': a, 'b': b}})['out']\n"),
    Attack("hands_in_a_catalogued_answer", 20, "def add_on_device(a, b):\n"
           "    from autograder.exercises.u01_vector_add.answers.add_on_device import add_on_device as theirs\n"
           "    return theirs(a, b)\n"),
    Attack("leaves_early", 69, "import os\ndef add_on_device(a, b):\n    os._exit(0)\n"),
    Attack("leaves_a_daemon", 82, "import os, time\ndef add_on_device(a, b):\n    if os.fork() == 0:\n"
           "        os.setsid(); time.sleep(20); open({witness!r}, 'w')\n    return a\n"),
    Attack("forks_without_end", 62, "import os\ndef add_on_device(a, b):\n    while True:\n        os.fork()\n"),
    Attack("phones_home", 26, "import socket\nsocket.create_connection(('192.0.2.1', 80), 2)\n"
           "def add_on_device(a, b):\n    return a\n"),
    Attack("floods", 65, "import os\ndef add_on_device(a, b):\n    while True:\n        os.write(3, b'x' * 65536)\n"),
    Attack("forges_the_reply", 73, "import os, json\nos.write(3, json.dumps({{'calls': []}}).encode())\nos._exit(0)\n"),
    Attack("kills_the_judge", 70, "import os\ndef add_on_device(a, b):\n    os.kill(os.getppid(), 9)\n"),
    Attack("eats_memory", 63, "def add_on_device(a, b):\n    return bytearray(64 << 30)\n"),
    Attack("a_lazy_result", 11, "class Lazy(np.ndarray):\n    pass\n"
           "def add_on_device(a, b):\n    return np.add(a, b).view(Lazy)\n"),
    Attack("patches_native_code", 13, "import ctypes\nctypes.memmove(id(len), id(max), 16)\n"
           "def add_on_device(a, b):\n    return a + b\n"),
    Attack("filters_its_own_calls", 14, "import ctypes, signal\nsignal.signal(signal.SIGSYS, lambda *a: None)\n"
           "ctypes.CDLL(None).prctl(22, 2, 0)\ndef add_on_device(a, b):\n    return a + b\n"),
    Attack("searches_its_memory", 15, "def add_on_device(a, b):\n    with open('/proc/self/mem', 'rb') as memory:\n"
           "        memory.seek(id(a))\n        print(memory.read(1 << 20))\n    return a + b\n"),
    Attack("reads_the_judges_environment", 22, "import os\ndef add_on_device(a, b):\n"
           "    print(open(f'/proc/{{os.getppid()}}/environ').read())\n    return a + b\n"),
    Attack("leaves_it_in_shared_memory", 25, "def add_on_device(a, b):\n"
           "    open('/dev/shm/sum', 'ab').write(b'x')\n    return a + b\n"),
    Attack("all_in_the_first_call", 30, "seen = []\ndef add_on_device(a, b):\n"
           "    seen.append(a + b)\n    return seen[0]\n"),
    Attack("in_a_thread", 35, "import threading\ndef add_on_device(a, b):\n    out = np.empty(a.shape, a.dtype)\n"
           "    threading.Thread(target=lambda: np.add(a, b, out)).start()\n    return out\n"),
    Attack("later_than_it_returns", 36, "import atexit\ndef add_on_device(a, b):\n"
           "    out = np.empty(a.shape, a.dtype)\n    atexit.register(np.add, a, b, out)\n    return out\n"),
    Attack("returns_its_input", 38, "def add_on_device(a, b):\n    return a\n"),
    Attack("equal_result", 10, "class E:\n    __array__ = __eq__ = lambda *a, **k: True\n"
           "def add_on_device(a, b):\n    return E()\n"),
)  # fmt: skip
