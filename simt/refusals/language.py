"""Python that does not exist on the GPU: return values, generators, exceptions, lists, text, recursion."""

from __future__ import annotations

import ast

from simt.refusals import Refusal

PRINT = "print takes plain values, as in print('thread', i)."
OBJECTS: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((ast.JoinedStr,), "an f-string", PRINT),
    ((ast.Dict, ast.DictComp), "a dictionary", "Use an array, and compute the index."),
    ((ast.ListComp, ast.GeneratorExp), "a comprehension", "Use a loop over indices."),
    ((ast.List,), "a list", "Use cuda.local.array with a constant length, or separate variables."),
    ((ast.Set, ast.SetComp), "a set", "Compare with `or`, or use an array of flags."),
)
GLOBAL = Refusal(
    "statement",
    "A kernel cannot assign a global variable: globals are constants once it is compiled.",
    "Pass an array and write into it.",
)
IMPORT = Refusal("statement", "A kernel cannot import modules.", "Move the import above the kernel.")
STARRED = Refusal("statement", "Starred unpacking does not exist on the GPU.", "Take the elements by index.")
CLASS = Refusal("statement", "A kernel cannot define a class.", "Use separate variables or arrays.")
WITH = Refusal(
    "statement", "A kernel cannot use `with`: there are no files or contexts on the GPU.", "Do this on the host."
)
OTHER = Refusal("statement", "This statement does not exist on the GPU.", "Write it another way.")
EXCEPTIONS = Refusal(
    "exceptions",
    "A kernel cannot catch exceptions: try and except do not exist on the GPU.",
    "Test with an if, before the operation that could fail.",
)
ASSIGNED_INSIDE = Refusal(
    "statement",
    "numba cannot compile an assignment inside an expression, as in `if (i := cuda.grid(1)) < n`.",
    "Assign on a line of its own, above.",
)
GENERATOR = Refusal(
    "generator",
    "A kernel cannot yield: generators do not exist on the GPU.",
    "Write each value into an array instead.",
)
DEBUGGERS = ("pdb", "ipdb", "bdb", "pudb", "IPython")  # packages
STATEMENTS = {
    ast.Global: GLOBAL, ast.Nonlocal: GLOBAL, ast.Import: IMPORT, ast.ImportFrom: IMPORT, ast.ClassDef: CLASS,
    ast.With: WITH, ast.AsyncWith: WITH, ast.Try: EXCEPTIONS, ast.TryStar: EXCEPTIONS,
}  # fmt: skip


def returns_value(returned: str) -> Refusal:
    """returned: its type, as in "float32"; "" when it is not known."""
    what = f" ({returned})" if returned else ""
    return Refusal(
        "returns_value",
        f"The kernel returns a value{what}, and nobody receives it: every thread runs the kernel, none is its caller.",
        "Write the result into the output array, as in out[i] = value, and return nothing.",
    )


def returned_array(name: str) -> Refusal:
    """name: of a device function that returns an array which is not one of its parameters."""
    return Refusal(
        "returned_array",
        f"`{name}` returns an array of its own, and a device function can return only an array that it was given, by "
        "the parameter's name.",
        f"Make the array where `{name}` is called, with cuda.local.array, and hand it over to be filled; or return "
        "numbers, as in return x, y, z.",
    )


def recursion(name: str) -> Refusal:
    """name: of the function that calls itself."""
    return Refusal(
        "recursion",
        f"`{name}` calls itself, and numba cannot compile recursion for the GPU.",
        "Write it as a loop.",
    )


def debugger(written: str) -> Refusal:
    """written: "set_trace", or "from pdb import set_trace"."""
    return Refusal(
        "missing_device",
        f"`{written}` is for a debugger, and the threads of a kernel cannot stop in one.",
        "Print values instead, as in print(i, x[i]); `warpbook trace` shows line by line what a block does.",
    )


def statement(node: ast.stmt) -> Refusal:
    """A statement that numba does not compile."""
    imported = node.names if isinstance(node, ast.Import) else [node] if isinstance(node, ast.ImportFrom) else []
    names = [one.name if isinstance(one, ast.alias) else one.module or "" for one in imported]
    if any(name.partition(".")[0] in DEBUGGERS for name in names):
        return debugger(ast.unparse(node))
    known = STATEMENTS.get(type(node))
    if known is not None:
        return known
    text = ast.unparse(node).splitlines()[0]
    return Refusal("statement", f"`{text}` does not run on a GPU.", "Write it with assignments, if, for and while.")


def expression(node: ast.expr) -> Refusal | None:
    """An expression that numba does not compile; None for one that it does."""
    if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
        return GENERATOR
    if isinstance(node, ast.NamedExpr):
        return ASSIGNED_INSIDE
    for kinds, what, instead in OBJECTS:
        if isinstance(node, kinds):
            says = f"The kernel builds {what}, `{ast.unparse(node)}`; a GPU thread has no such Python object."
            return Refusal("python_object", says, instead)
    return None


def no_number_in(text: str) -> Refusal:
    """text: what `float` was given, such as "abc"."""
    return Refusal(
        "python_object",
        f"`float({text!r})` names no number.",
        'Write the number, or float("inf") for what is beyond all.',
    )


def no_letter() -> Refusal:
    """What `ord` was given is no text of one letter."""
    return Refusal(
        "python_object",
        "`ord` gives the code of one letter that the source names.",
        'Write the letter, as in ord("a").',
    )


def text(printed: bool) -> Refusal:
    """Work with a string. printed: for print."""
    return Refusal(
        "python_object",
        "The kernel works with text, and there are no strings on the GPU.",
        PRINT if printed else "Use integer codes.",
    )


def computed_message() -> Refusal:
    """`raise ValueError(n)` or `assert n > 0, n`: an argument that only the run knows."""
    return Refusal(
        "exceptions",
        "What an exception of a kernel says is fixed when it is compiled, and this line puts a value into it.",
        'Give it text alone, as in ValueError("too large").',
    )


def print_option(names: str) -> Refusal:
    """names: "end", an argument of Python's print that numba's has not."""
    remedy = "It prints its values as a line of their own."
    return Refusal("print_form", f"`print` takes no {names} in a kernel.", remedy)


def not_printed(what: str) -> Refusal:
    """what: "a whole array", which a kernel's print cannot show."""
    return Refusal("print_form", f"`print` in a kernel cannot show {what}.", "Print numbers, as in print(i, x[i]).")


def unread_attribute(written: str, kind: str, taught: bool = False) -> Refusal | str:
    """written: "SETTINGS.width", an attribute of an object of the host; kind: "an object" or "a class".

    taught: the program gave numba a type for it, so that a GPU may read it, and the interpreter does not.
    """
    name = written.rpartition(".")[2].strip("_").upper()
    remedy = f"Make it a constant of the module, as in `{name} = {written}` above the kernel."
    if taught:
        return f"`{written}` is read as the program taught numba, which the interpreter does not: {remedy}"
    return Refusal("host_object", f"numba cannot read `{written}` of {kind}.", remedy)


def linked_code(written: str) -> str:
    """written: what a program declared of CUDA C, or cffi's name for its memory."""
    return f"`{written}` is CUDA C, which numba links; the interpreter runs Python only"
