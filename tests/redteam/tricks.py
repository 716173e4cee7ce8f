"""Tricks of the language, of its compiler and of the kernel, beyond the catalogue of cheats; each was tried as an
ordinary user, too.

KERNELS answer vector_add.vector_add and HOST vector_add.add_on_device, as in `attacks`; `row` is the line that each is
nearest to. {witness} is a file that must never appear, {secret} one that must never be read.
"""

from __future__ import annotations

from tests.redteam.attacks import PLAIN, Attack, kernel, where
from tests.redteam.claims import does, forges

WRITES = "open({witness!r}, 'w').write('x')"
KERNELS = (
    # what Python offers to those who define something
    Attack("a_metaclass", 5,
           f"class Meta(type):\n    def __new__(*a): {WRITES}\nclass vector_add(metaclass=Meta): pass\n"),
    Attack("a_decorator_that_chooses", 5, kernel("pass", decorator=f"@(cuda.jit if {WRITES} else cuda.jit)")),
    Attack("a_decorator_under_another", 5, kernel("pass", "wrap = cuda.jit\n", f"@wrap\n@[{WRITES}, cuda.jit][1]")),
    Attack("a_closure_that_makes_it", 5, f"def make(n):\n    {WRITES}\n    return make(n) if n else cuda.jit(make)\n"
           "vector_add = make(0)\n"),
    Attack("a_lambda_under_jit", 5, f"vector_add = cuda.jit(lambda a, b, out: {WRITES})\n"),
    Attack("a_coroutine", 5, "@cuda.jit\nasync def vector_add(a, b, out):\n    out[0] = a[0]\n"),
    Attack("a_generator", 5, kernel("yield out")),
    Attack("a_sum_over_a_generator", 5, kernel(f"out[i] = sum({WRITES} for k in range(2))")),
    Attack("a_kernel_within_a_kernel", 5, kernel(f"def inner(x):\n        {WRITES}\n    inner(i)")),
    Attack("a_global_of_the_kernel", 5, kernel("global cuda\n    cuda = out")),
    Attack("a_pattern", 5, kernel("match i:\n        case cuda.jit(x): out[i] = x")),
    Attack("a_default_behind_a_star", 5, f"@cuda.jit\ndef vector_add(a, b, out, *, k={WRITES}):\n    pass\n"),
    Attack("a_kernel_of_any_arguments", 5, "@cuda.jit\ndef vector_add(*arguments):\n    arguments[2][0] = 1\n"),
    Attack("letters_that_are_alike", 6, "@cuda.jit\ndef vector_ａdd(a, b, out):\n    ｅｘｅｃ({witness!r})\n"),
    Attack("a_right_kernel_in_letters_that_are_alike", 6, PLAIN.replace("vector_add", "ｖector_add"), earns=2.0),
    Attack("signs_that_turn_a_line_round", 6,
           PLAIN.replace("    if", f"    #\u202e \u2066 if\u2069\u2066 {WRITES}\n    if").replace("a[i]", "0 * a[i]")),
    Attack("magics_before_it", 16, "%%bash\ntouch {witness}\n" + PLAIN, earns=2.0),
    Attack("what_a_shell_says", 16, "vector_add = !touch {witness}\n"),
    # what numba offers to those who extend it
    Attack("an_overload_of_len", 5, kernel("out[i] = len(a)", "from numba.extending import overload\n@overload(len)\n"
           f"def other(x):\n    {WRITES}\n    return lambda x: 0\n")),
    Attack("an_intrinsic", 48, kernel("out[i] = mine(a)", "from numba.cuda.extending import intrinsic\n@intrinsic\n"
           f"def mine(context, x):\n    {WRITES}\n")),
    Attack("a_hook_of_the_compiler", 5, "from numba.core import compiler\ncompiler.CompilerBase = print\n" + PLAIN,
           earns=2.0),
    Attack("python_mode_within", 5, kernel(f"with objmode():\n        {WRITES}", "from numba import objmode\n")),
    Attack("a_type_that_is_a_function", 5, kernel("out[i] = float32.__call__(1)")),
    Attack("options_beyond_sense", 71, kernel("out[i] = 0", decorator="@cuda.jit(max_registers=10 ** 30, opt=-1)")),
    Attack("registers_beyond_sense", 71,
           kernel("out[i] = 0", decorator="@cuda.jit(max_registers=99999999999999999999)")),
    Attack("a_device_function_for_a_kernel", 48, kernel("return 1.0", decorator="@cuda.jit(device=True)")),
    Attack("inlined_without_end", 71, kernel("out[i] = f(1)", "@cuda.jit(device=True, inline='always')\n"
           "def f(x):\n    return f(x + 1)\n\n")),
    Attack("recursion_of_two", 71, kernel("out[i] = f(1.0)", "@cuda.jit(device=True)\ndef f(x):\n    return g(x)\n\n"
           "@cuda.jit(device=True)\ndef g(x):\n    return f(x)\n\n")),
    # what takes room or time
    Attack("a_text_without_end", 63, kernel("x = 'x' * 10 ** 11\n    print(x)")),
    Attack("a_format_without_end", 63, kernel("print(f'{{1:>99999999999}}')")),
    Attack("a_power_inside", 71, kernel("out[i] = pow(7, 10 ** 8) * 0.0")),
    Attack("numbers_that_grow", 63, kernel("x = 3\n    while x > 0:\n        x = x * x\n    out[i] = x")),
    Attack("a_list_that_grows", 63, kernel("x = [0]\n    while len(x) > 0:\n        x.append(1)")),
    Attack("shared_memory_beyond_sense", 71, kernel("s = cuda.shared.array(10 ** 12, float32)\n    out[i] = s[0]")),
    Attack("local_memory_beyond_sense", 71,
           kernel("s = cuda.local.array((1 << 31, 1 << 31), float32)\n    out[i] = s[0, 0]")),
    Attack("a_range_that_counts_for_ever", 61, kernel("for k in range(1 << 62):\n        out[0] = k")),
    Attack("a_barrier_that_nobody_meets", 61, kernel("while i == 0:\n        cuda.syncthreads()")),
    Attack("sleeps_at_its_first_launch", 33, kernel("k = 0\n    while out[0] != 12345.0 and k < 1 << 40:\n"
           "        cuda.nanosleep(4000000000)\n        k += 1")),
    # what guesses
    Attack("leaves_out_what_is_rare", 41, where("i < n and i % 1024 != 777"), earns=1.0),
    Attack("right_where_numbers_are_small", 42,
           where("i < n", "a[i] + b[i] if abs(a[i]) < 3.0 else a[i]"), earns=1.0),
    Attack("right_for_sizes_it_was_told", 42,
           where("i < n and (n <= 33 or n == 1023 or n == 1024 or n == 1025)"), earns=1.0),
    Attack("writes_to_the_judge_by_print", 73, kernel("print('\\x1b]0;owned\\x07', a[i])")),
    Attack("print_to_a_file", 6, kernel("print(1, file={witness!r})")),
)  # fmt: skip

RIGHT = (
    "def add_on_device(a, b):\n    d_a, d_b = cuda.to_device(a), cuda.to_device(b)\n"
    "    d_out = cuda.device_array_like(a)\n    vector_add[blocks_for(a.size, 256), 256](d_a, d_b, d_out)\n"
    "    return d_out.copy_to_host()\n"
)
UP = "{'do': 'to_device', 'line': 1, 'of': {'input': 'a'}}"


def plan(*steps: str, returned: str = "[{'step': 0}]") -> str:
    """A forged reply: an array that goes up, then these steps."""
    return forges(f"answer(steps=[{', '.join([UP, *steps])}], returned={returned})")


def ends(error: str) -> str:
    """A forged reply that says that the function raised this."""
    return forges(f"answer(error={{'type': {error!r}, 'message': '', 'line': 1}})")


def array(shape: str, dtype: str = "'<f4'") -> str:
    return f"{{'do': 'device_array', 'line': 1, 'shape': {shape}, 'dtype': {dtype}, 'order': 'C'}}"


def launch(name: str, grid: str, block: str, shared: str = "0") -> str:
    geometry = f"'grid': {grid}, 'block': {block}, 'shared': {shared}, 'args': []"
    return f"{{'do': 'launch', 'line': 1, 'kernel': {name}, {geometry}}}"


def method(name: str, argument: str) -> str:
    return f"{{'do': 'method', 'line': 1, 'on': 0, 'name': {name!r}, 'args': [{argument}]}}"


HOST = (
    # plans that no recorder wrote
    Attack("a_step_named_as_a_method_of_ours", 73, plan("{'do': 'at', 'line': 1}")),
    Attack("an_input_that_is_a_list", 73, plan("{'do': 'to_device', 'line': 1, 'of': {'input': ['a']}}")),
    Attack("a_shape_of_texts", 73, plan(array("['9' * 4000]"))),
    Attack("a_shape_of_exabytes", 64, plan(array("[1 << 62, 1 << 62]"))),
    Attack("a_shape_below_zero", 64, plan(array("[-1]"))),
    Attack("a_dtype_of_objects", 74, plan(array("[4]", "'O'"))),
    Attack("a_dtype_of_records", 74, plan(array("[4]", "'f4,' * 99"))),
    Attack("a_launch_of_nothing", 73, plan(launch("'vector_add'", "[0, -1, 1]", "[1 << 40, 1, 1]", "-5"))),
    Attack("a_launch_of_fractions", 73,
           plan(launch("'vector_add'", "[1.5, 1e308, 1]", "[float('nan'), 1, 1]", "1e400"))),
    Attack("a_launch_of_a_list", 73, plan(launch("['vector_add']", "[1, 1, 1]", "[1, 1, 1]"))),
    Attack("an_index_of_many_parts", 73,
           plan("{'do': 'getitem', 'line': 1, 'on': 0, 'index': [{'slice': [0, 10 ** 30, 0]}] * 9}")),
    Attack("a_method_named_as_one_of_ours", 73, plan(method("__reduce_ex__", "4"))),
    Attack("a_reshape_beyond_sense", 73, plan(method("reshape", "[10 ** 40]"))),
    Attack("a_stream_that_is_true", 73, plan("{'do': 'synchronize', 'line': 1, 'stream': True}",
           "{'do': 'event', 'line': 1, 'event': '1', 'action': 'elapsed_time', 'stream': -7}")),
    Attack("raises_the_end_of_the_judge", 69, ends("SystemExit")),
    Attack("raises_an_interrupt", 69, ends("KeyboardInterrupt")),
    Attack("raises_a_group", 69, ends("BaseExceptionGroup")),
    Attack("a_literal_that_is_no_array", 73, forges("answer(returned=[{'bytes': ['zz', '<f4', [4]]}])")),
    Attack("a_literal_larger_than_it_is", 63, forges("answer(returned=[{'fill': ['00', '<f4', [1 << 40]]}])")),
    Attack("numbers_without_end", 73, forges("answer(returned=[{'number': ['int', int('9' * 4000)]}])")),
    Attack("not_a_number_for_a_place", 73, forges("answer(returned=[{'step': float('nan')}])")),
    Attack("two_answers_one_after_the_other", 66,
           forges("if os.fork() == 0: answer()\nos.wait()\nanswer(returned=[{'input': 'a'}])")),
    # the stand-ins, and what is behind them
    Attack("its_own_device_functions", 12,
           "cuda.to_device = cuda.device_array_like = lambda x: x\ndef add_on_device(a, b):\n"
           "    return cuda.to_device(a) + cuda.to_device(b)\n"),
    Attack("the_recorder_patched", 12,
           "from autograder.classroom.jail.inside import recorder\nfor name in dir(recorder):\n"
           "    if isinstance(getattr(recorder, name), type):\n        setattr(recorder, name, dict)\n"
           + RIGHT.replace("vector_add[", "None[")),
    Attack("the_cases_changed", 17, does(
        "import sys\nframe = sys._getframe()\nwhile frame:\n    request = frame.f_locals.get('request')\n"
        "    if request: request['cases'][:] = request['cases'][:1]\n    frame = frame.f_back")),
    Attack("a_trace_of_the_judge", 18, does(
        "import sys, threading\ndef look(frame, event, argument):\n    frame.f_locals.clear()\n    return look\n"
        "sys.settrace(look); threading.settrace(look)")),
    Attack("a_generator_for_a_function", 11, "def add_on_device(a, b):\n    yield a\n"),
    Attack("a_coroutine_for_a_function", 11, "async def add_on_device(a, b):\n    return a\n"),
    Attack("a_class_for_a_function", 11,
           "class Meta(type):\n    def __call__(cls, a, b): return a\nclass add_on_device(metaclass=Meta): pass\n"),
    Attack("an_array_at_any_address", 38, does(
        "class Liar:\n    __array_interface__ = {'data': (4096, False), 'shape': (1 << 20,), 'typestr': '<f4',\n"
        "                           'version': 3}\n    __cuda_array_interface__ = __array_interface__\nreturn Liar()")),
    Attack("json_of_its_own", 74,
           "import json\njson.dumps = lambda *a, **k: '{\"calls\": [], \"document\": {}}'\n" + RIGHT),
    Attack("hashes_of_its_own", 84,
           "import hashlib\nclass Same:\n    def __init__(self, *a): pass\n    update = lambda *a: None\n"
           "    hexdigest = lambda self: '0' * 64\nhashlib.sha256 = Same\ndef add_on_device(a, b):\n    return a\n"),
    # signals, limits, processes
    Attack("alarms_all_the_time", 70,
           "import signal\nsignal.signal(signal.SIGALRM, lambda *a: (_ for _ in ()).throw(KeyError))\n"
           "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\ndef add_on_device(a, b):\n    while True: pass\n"),
    Attack("deaf_to_all_signals", 70, does(
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass")),
    Attack("kills_every_process_it_can_name", 70, does(
        "for pid in range(1, 40):\n    for number in (19, 9):\n        try: os.kill(pid, number)\n"
        "        except OSError: pass")),
    Attack("no_descriptors_left", 69, does("import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))")),
    Attack("no_memory_left", 69, does(
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1, 1))\nbytearray(1 << 24)")),
    Attack("recursion_that_overflows", 63, does(
        "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(x): return [f, f(x)]\nf(1)")),
    Attack("holds_the_line_open", 82, does(
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)\n"
        "os._exit(0)")),
    Attack("a_thread_that_ends_it_later", 36, does(
        "import threading\nthreading.Thread(target=lambda: (time.sleep(1), os._exit(0))).start()\ntime.sleep(30)")),
    Attack("an_end_that_takes_long", 69, does(
        "import atexit\natexit.register(lambda: time.sleep(60))\nraise SystemExit(0)")),
    # rooms of the kernel's
    Attack("a_million_files", 65, does("for k in range(10 ** 6):\n    open(f'f{k}', 'w').close()")),
    Attack("folders_without_end", 65, does("while True:\n    os.mkdir('d'); os.chdir('d')")),
    Attack("locks_without_end", 63, does(
        "import fcntl\nfor _ in range(3): os.fork()\nfor name in range(30):\n"
        "    file = os.open(f'{os.getpid()}-{name}', os.O_CREAT | os.O_RDWR)\n"
        "    for k in range(10 ** 7): fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * (10 ** 7 - k))")),
    Attack("mappings_without_end", 63, does("import mmap\nkept = []\nwhile True: kept.append(mmap.mmap(-1, 4096))")),
    Attack("memory_shared_by_many", 63, does(
        "import mmap\nfor k in range(30):\n    if os.fork() == 0:\n        shared = mmap.mmap(-1, 1 << 29)\n"
        "        shared.write(b'x' * (1 << 29))\n        time.sleep(9)\n        os._exit(0)")),
)  # fmt: skip

GROUP = (  # a signal to one's own group reaches whoever is in it, in every process namespace
    Attack("kills_its_group", 70, does("os.kill(0, 9)")),
    Attack("stops_its_group", 70, does("os.kill(0, 19)")),
    Attack("kills_all_groups", 70, does(
        "for number in range(-1, -99, -1):\n    try: os.kill(number, 9)\n    except OSError: pass")),
)  # fmt: skip
