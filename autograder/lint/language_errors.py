"""Python that does not exist on the GPU: return values, generators, exceptions, lists, text, recursion."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import called_functions, dotted_name, syntax_of
from simt.refusals import language
from simt.source.trees import returned_array_at


@rule(r"void return type", misconception="returns_value", located=(ast.Return,))
def returns_value(context: Context) -> Answer:
    returns = str(getattr(context.error, "returns", "")).removeprefix("OptionalType(").removesuffix(")")
    return language.returns_value(returns)


@rule(r"^(?:Failed in [^\n]*\n)?\s*Only accept returning of array", misconception="returns_value")
def returns_array(context: Context) -> Answer:
    return language.returns_value("array")


@rule(r"Only accept returning of array")
def returned_array(context: Context) -> Answer:
    for function in (context.function, *(callee for _, callee in called_functions(context.function))):
        tree = syntax_of(function)
        if tree and returned_array_at(tree):
            return language.returned_array(function.__name__)
    return None


@rule(r"", located=(ast.Yield, ast.YieldFrom))
def generator(context: Context) -> Answer:
    return language.GENERATOR if _contains(context, ast.Yield, ast.YieldFrom) else None


@rule(r"insert_unresolved_ref|Untyped global name|recursi|type unification")
def recursion(context: Context) -> Answer:
    for function in (context.function, *(callee for _, callee in called_functions(context.function))):
        tree = syntax_of(function)
        if tree and any(ast.unparse(call.func) == function.__name__ for call in _plain_calls(tree)):
            return language.recursion(function.__name__)
    return None


def _plain_calls(tree: ast.AST) -> list[ast.Call]:
    """Calls of a bare name, as f(x); not of an attribute, as cuda.atomic.add(x)."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


@rule(r"try_status|exception_match|SETUP_FINALLY|PUSH_EXC_INFO", located=(ast.Try,))
def exceptions(context: Context) -> Answer:
    return language.EXCEPTIONS if _contains(context, ast.Try) else None


@rule(r"return_dynamic_user_exc")
def computed_message(context: Context) -> Answer:
    return language.computed_message()


@rule(r"Type of variable .* cannot be determined", located=(ast.NamedExpr,))
def assigned_inside(context: Context) -> Answer:
    return language.ASSIGNED_INSIDE if _contains(context, ast.NamedExpr) else None


_STATEMENTS = {
    "STORE_GLOBAL": language.GLOBAL,
    "IMPORT_NAME": language.IMPORT,
    "UNPACK_EX": language.STARRED,
    "LOAD_BUILD_CLASS": language.CLASS,
    "with ": language.WITH,
}


@rule(r"terminator_types")
def with_statement(context: Context) -> Answer:
    return language.WITH if _contains(context, ast.With) else None


@rule(r"unsupported opcode|context manager", located=(ast.With,))
def statement(context: Context) -> Answer:
    return next((said for word, said in _STATEMENTS.items() if word in context.message), language.OTHER)


_OBJECT_MESSAGES = (
    r"yield in a closure|of type list|DictType|build_set|build_map|reflected|<class '(?:str|list|dict|set)'>|unicode"
    r"|Literal\[str\]"
)


@rule(_OBJECT_MESSAGES)
def python_object(context: Context) -> Answer:
    complaint = context.message.split("There are ")[0]  # what follows lists every candidate that did not fit
    if not re.search(_OBJECT_MESSAGES, complaint):
        return None
    for kinds, _, _ in language.OBJECTS:
        nodes = [*context.expressions(*kinds), *replace(context, line=None).expressions(*kinds)]
        if nodes:
            return language.expression(nodes[0])
    if re.search(r"unicode|Literal\[str\]|<class 'str'>", complaint):
        return language.text(any(dotted_name(call.func) == "print" for call in context.expressions(ast.Call)))
    return None


def _contains(context: Context, *kinds: type) -> bool:
    return context.tree is not None and any(isinstance(node, kinds) for node in ast.walk(context.tree))


RULES = (
    returns_value,
    returns_array,
    returned_array,
    generator,
    recursion,
    exceptions,
    computed_message,
    assigned_inside,
    with_statement,
    statement,
    python_object,
)
