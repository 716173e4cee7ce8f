"""Ways out of the jail, and points without a kernel: host functions that work by way of the plan they leave behind.

Each answers vector_add.add_on_device. The first kind defines, in one cell, what the jail runs and what the judge reads
from the same text, and tries to make these differ. The second kind has the judge carry out a plan, sees what comes
back, and lets Python do the addition. {witness} is a file that must never appear.
"""

from __future__ import annotations

from tests.redteam.attacks import Attack

KERN = "@cuda.jit\ndef kern(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i]\n\n"
NOTHING = "@cuda.jit\ndef nothing(a):\n    if a.size < 0:\n        a[0] = 0\n\n"
PUT = "@cuda.jit\ndef put(out, i, v):\n    out[i] = v\n\n"
COPY = "@cuda.jit\ndef copy(a, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i]\n\n"
RUN = "def add_on_device(a, b):\n    kern[1100, 256](a, b, a)\n    return a\n"


def helper(body: str, name: str = "max") -> str:
    """A plain function under a builtin's name, a constant that seems to call the builtin, and a launch of that name."""
    return (
        f"def {name}(a, b):\n    {body}\n    return 1\n\nX = {name}(1, 2)\n\n{KERN}"
        f"globals().pop({name!r}); globals()[{name!r}] = kern\n\n{RUN}"
    )


def member(expression: str) -> str:
    """An attribute that leads out of a module of device functions, first looked up while the cell is loaded."""
    return f"L = {expression}\n\n{KERN.replace('a[i]', 'L', 1)}{RUN}"


WRITE = "open({witness!r}, 'w').write('outside')"
OUTSIDE = (
    Attack("libdevice_builtins", 5, helper(f'cuda.libdevice.__builtins__["exec"]("{WRITE}")')),
    Attack("a_helper_that_never_ends", 71, helper("while True:\n        pass")),
    Attack("min_instead_of_max", 5, helper(f'cuda.fp16.__builtins__["exec"]("{WRITE}")', "min")),
    Attack("len_instead_of_max", 5, helper(f'math.sin.__self__.__loader__("{WRITE}")', "len")),
    Attack("sys_by_way_of_fp16", 18, member("cuda.fp16.sys")),
    Attack("loader_of_libdevice", 18, member("cuda.libdevice.__loader__")),
    Attack("a_method_of_a_constant", 18, member("(1).__class__")),
    Attack("an_alias_named_as_a_builtin", 5, f"max = open\nX = max({{witness!r}}, 'w')\n\n{KERN}{RUN}"),
    Attack("a_kernel_that_is_no_kernel", 73,
           f"def helper(a, b, out):\n    {WRITE}\n\n{KERN}globals()['helper'] = kern; kern = None\n\n"
           "def add_on_device(a, b):\n    helper[1100, 256](a, b, a)\n    return a\n"),
    Attack("a_builtin_as_a_kernel", 73,
           f"{KERN}globals()['exec'] = kern\n\ndef add_on_device(a, b):\n    exec[1100, 256](a, b, a)\n    return a\n"),
)  # fmt: skip

UP = "def add_on_device(a, b):\n    d_a, d_b, d_out = cuda.to_device(a), cuda.to_device(b), cuda.device_array_like(a)\n"
SEE = "    nothing[1, 32](d_a)\n    x, y = d_a.copy_to_host(), d_b.copy_to_host()\n"
SEE_A_COPY = "    copy[1100, 256](d_a, d_out)\n    x = d_out.copy_to_host()\n    copy[1100, 256](d_b, d_out)\n"
SEE_A_COPY += "    y = d_out.copy_to_host()\n"
DOWN = "    return d_out.copy_to_host()\n"
BY_ELEMENT = "    for i in range(min(a.size, 8)):\n        "
WITHOUT_A_KERNEL = (
    Attack("returns_what_numpy_added", 39, NOTHING + UP + SEE + "    return x + y\n"),
    Attack("returns_it_after_a_kernel_copied_the_inputs", 39, COPY + UP + SEE_A_COPY + "    return x + y\n"),
    Attack("only_at_the_end_a_literal", 39, NOTHING + UP + SEE + "    return np.add(x, y).tolist() and x + y\n"),
    Attack("uploads_what_numpy_added", 39, NOTHING + UP + SEE + "    return cuda.to_device(x + y).copy_to_host()\n"),
    Attack("copies_it_into_the_output", 39,
           NOTHING + UP + SEE + "    d_out.copy_to_device(x + y)\n    return d_out.copy_to_host()\n"),
    Attack("sets_element_by_element", 39,
           NOTHING + UP + SEE + BY_ELEMENT + "d_out[i] = x[i] + y[i]\n    return d_out.copy_to_host()\n"),
    Attack("passes_each_sum_to_a_kernel", 39,
           NOTHING + PUT + UP + SEE + BY_ELEMENT + "put[1, 1](d_out, i, x[i] + y[i])\n" + DOWN),
    Attack("says_the_sum_by_the_size_of_the_grid", 39,
           NOTHING + PUT.replace("= v", "= cuda.gridDim.x") + UP + SEE + BY_ELEMENT
           + "put[1 + int(abs(x[i] + y[i])) % 99, 1](d_out, i, 0)\n    return d_out.copy_to_host()\n"),
    Attack("has_said_every_number_before", 39,
           NOTHING + PUT + UP
           + "    for v in range(-32, 33):\n        put[1, 1](d_a, 0, float(v))\n" + UP.split("\n")[1] + "\n"
           + SEE + BY_ELEMENT + "put[1, 1](d_out, i, float(x[i] + y[i]))\n" + DOWN, earns=0.4),
)  # fmt: skip
