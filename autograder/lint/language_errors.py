"""Python that does not exist on the GPU: return values, generators, exceptions, lists, text, recursion."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import called_functions, dotted_name, syntax_of


@rule("returns_value", r"void return type", misconception="returns_value", located=(ast.Return,))
def returns_value(context: Context) -> Answer:
    returns = str(getattr(context.error, "returns", "")).removeprefix("OptionalType(").removesuffix(")")
    what = f" ({returns})" if returns else ""
    return (
        f"The kernel returns a value{what}, and nobody receives it: every thread runs the kernel, none is its caller.",
        "Write the result into the output array, as in out[i] = value, and return nothing.",
    )


@rule("generator", r"", located=(ast.Yield, ast.YieldFrom))
def generator(context: Context) -> Answer:
    if not _contains(context, ast.Yield, ast.YieldFrom):
        return None
    return (
        "A kernel cannot yield: generators do not exist on the GPU.",
        "Write each value into an array instead.",
    )


@rule("recursion", r"insert_unresolved_ref|Untyped global name|recursi|type unification")
def recursion(context: Context) -> Answer:
    for function in (context.function, *(callee for _, callee in called_functions(context.function))):
        tree = syntax_of(function)
        if tree and any(call.func.id == function.__name__ for call in _plain_calls(tree)):
            says = f"`{function.__name__}` calls itself, and numba cannot compile recursion for the GPU."
            return says, "Write it as a loop."
    return None


def _plain_calls(tree: ast.AST) -> list[ast.Call]:
    """Calls of a bare name, as f(x); not of an attribute, as cuda.atomic.add(x)."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


@rule("exceptions", r"try_status|exception_match|SETUP_FINALLY|PUSH_EXC_INFO", located=(ast.Try,))
def exceptions(context: Context) -> Answer:
    if not _contains(context, ast.Try):
        return None
    return (
        "A kernel cannot catch exceptions: try and except do not exist on the GPU.",
        "Test with an if, before the operation that could fail.",
    )


_STATEMENTS = {
    "STORE_GLOBAL": (
        "A kernel cannot assign a global variable: globals are constants once it is compiled.",
        "Pass an array and write into it.",
    ),
    "IMPORT_NAME": ("A kernel cannot import modules.", "Move the import above the kernel."),
    "UNPACK_EX": ("Starred unpacking does not exist on the GPU.", "Take the elements by index."),
    "LOAD_BUILD_CLASS": ("A kernel cannot define a class.", "Use separate variables or arrays."),
    "with ": (
        "A kernel cannot use `with`: there are no files or contexts on the GPU.",
        "Do this on the host.",
    ),
}


@rule("statement", r"unsupported opcode|context manager", located=(ast.With,))
def statement(context: Context) -> Answer:
    found = next((word for word in _STATEMENTS if word in context.message), None)
    return _STATEMENTS[found] if found else ("This statement does not exist on the GPU.", "Write it another way.")


_PRINT = "print takes plain values, as in print('thread', i)."
_OBJECTS: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((ast.JoinedStr,), "an f-string", _PRINT),
    ((ast.Dict, ast.DictComp), "a dictionary", "Use an array, and compute the index."),
    ((ast.ListComp, ast.GeneratorExp), "a comprehension", "Use a loop over indices."),
    ((ast.List,), "a list", "Use cuda.local.array with a constant length, or separate variables."),
    ((ast.Set, ast.SetComp), "a set", "Compare with `or`, or use an array of flags."),
)
_OBJECT_MESSAGES = (
    r"of type list|DictType|build_set|build_map|reflected|<class '(?:str|list|dict|set)'>|unicode|Literal\[str\]"
)


@rule("python_object", _OBJECT_MESSAGES)
def python_object(context: Context) -> Answer:
    complaint = context.message.split("There are ")[0]  # what follows lists every candidate that did not fit
    if not re.search(_OBJECT_MESSAGES, complaint):
        return None
    for kinds, what, instead in _OBJECTS:
        nodes = [*context.expressions(*kinds), *replace(context, line=None).expressions(*kinds)]
        if nodes:
            return (
                f"The kernel builds {what}, `{ast.unparse(nodes[0])}`; a GPU thread has no such Python object.",
                instead,
            )
    if re.search(r"unicode|Literal\[str\]|<class 'str'>", complaint):
        prints = any(dotted_name(call.func) == "print" for call in context.expressions(ast.Call))
        remedy = _PRINT if prints else "Use integer codes."
        return "The kernel works with text, and there are no strings on the GPU.", remedy
    return None


def _contains(context: Context, *kinds: type) -> bool:
    return context.tree is not None and any(isinstance(node, kinds) for node in ast.walk(context.tree))


RULES = (returns_value, generator, recursion, exceptions, statement, python_object)
