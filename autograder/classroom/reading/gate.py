"""The last look before a submission's text reaches a compiler: only what is known may be in it.

`extract` builds the text; this file does not trust it. Whatever passes may be given to ``exec``: the only code that
runs at module level is imports from a short list, constant expressions, and ``cuda.jit`` round functions.
"""

from __future__ import annotations

import ast
import builtins

from autograder.classroom.reading import allowed
from autograder.classroom.reading.constants import NotConstant, dotted, quoted
from autograder.classroom.reading.scope import SHORTER, NotAllowed, Scope, bound_names, known_member
from autograder.classroom.reading.syntax_words import MAX_DEPTH, depth_of, in_words

MAX_NODES = 20_000  # of one cell; a hand-written kernel has a few hundred

STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Expr, ast.Return, ast.Break, ast.Continue,
    ast.Pass, ast.Raise, ast.Assert,
)  # fmt: skip
EXPRESSIONS = (
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword, ast.BinOp, ast.UnaryOp,
    ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.NamedExpr, ast.JoinedStr, ast.FormattedValue,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip


def check(source: str, scope: Scope, host: bool = False) -> Scope:
    """Pass a cell's text and return the scope after it, or raise NotAllowed with the line and what stands there.

    scope: the names in view before the text; it is left as it is. host: functions without a decorator are host code,
    which may use what `allowed` lists for it.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAllowed(f"text that is not Python ({error})", getattr(error, "lineno", 0) or 0) from None
    for count, node in enumerate(ast.walk(tree)):
        if count > MAX_NODES:
            raise NotAllowed(f"more than {MAX_NODES:,} names, numbers and signs", getattr(node, "lineno", 0), SHORTER)
    for statement in tree.body:
        if depth_of(statement) > MAX_DEPTH:
            raise NotAllowed("an expression nested too deeply", statement.lineno, SHORTER)
    scope = scope.copy()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            scope.add_function(statement.name)
    for statement in tree.body:
        _top_level(statement, scope, host)
    return scope


def _top_level(statement: ast.stmt, scope: Scope, host: bool) -> None:
    match statement:
        case ast.Import() | ast.ImportFrom():
            scope.add_import(statement)
            for name in (alias.asname or alias.name for alias in statement.names):
                _plain(name, statement.lineno)
                _its_own(name, statement)
        case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
            for name in bound_names(statement):
                _plain(name, statement.lineno)
                _its_own(name, statement)
            _no_call_of_python(value, scope)
            try:
                scope.add_assignment(target, value)
            except NotConstant as error:
                what = f"`{quoted(target)}`, whose value would need code to run"
                raise NotAllowed(what, statement.lineno) from error
        case ast.FunctionDef():
            _function(statement, scope, host)
        case _:
            raise NotAllowed(in_words(statement), statement.lineno)


def _function(node: ast.FunctionDef, scope: Scope, host: bool) -> None:
    """A function may take plain arguments with literal defaults, and be wrapped by cuda.jit only."""
    arguments = node.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if arguments.vararg or arguments.kwarg or node.returns or any(argument.annotation for argument in everything):
        raise NotAllowed("a parameter with * or an annotation", node.lineno)
    if any(
        not isinstance(default, ast.Constant) for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    ):
        raise NotAllowed("a default argument that is not a literal", node.lineno)
    for decorator in node.decorator_list:
        _decorator(decorator, scope)
    local = _locals_of(node)
    _its_own(node.name, node)
    for name in (node.name, *local):
        _plain(name, node.lineno)
    body = (_HostBody if host and not node.decorator_list else _Body)(scope, local)
    for statement in node.body:
        body.statement(statement)


def _decorator(node: ast.expr, scope: Scope) -> None:
    """``cuda.jit`` or ``cuda.jit(option=literal)``; nothing else may wrap a function."""
    target = node.func if isinstance(node, ast.Call) else node
    if scope.resolve(dotted(target)) != "numba.cuda.jit":
        raise NotAllowed(f"the decorator `@{quoted(node)}`", node.lineno)
    if isinstance(node, ast.Call):
        literal = all(
            isinstance(word.value, ast.Constant) and word.arg in allowed.JIT_OPTIONS for word in node.keywords
        )
        if node.args or not literal:
            raise NotAllowed(f"the options of `@{quoted(node)}`", node.lineno)


class _Body:
    """Looks through a kernel's body. local: its parameters and the names it assigns."""

    where = "a kernel"
    statements: tuple[type[ast.AST], ...] = STATEMENTS
    expressions: tuple[type[ast.AST], ...] = EXPRESSIONS
    values = allowed.VALUES

    def __init__(self, scope: Scope, local: set[str]):
        self.scope, self.local = scope, local

    def statement(self, node: ast.stmt) -> None:
        if not isinstance(node, self.statements):
            raise NotAllowed(f"{in_words(node)} inside {self.where}", node.lineno)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            else:
                self.expression(child)

    def expression(self, node: ast.AST) -> None:
        line = getattr(node, "lineno", 0)
        if not isinstance(node, self.expressions):
            raise NotAllowed(f"{in_words(node)} inside {self.where}", line)
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Name):
            return self.name(node.id, line)
        if isinstance(node, ast.keyword) and node.arg is None:
            raise NotAllowed("`**` in a call", line)
        for child in ast.iter_child_nodes(node):
            self.expression(child)

    def attribute(self, node: ast.Attribute) -> None:
        """A chain of names leads to a known member of an imported module, or reads plain attributes of a value."""
        if not isinstance(node.ctx, ast.Load):
            raise NotAllowed(f"an assignment to `{quoted(node)}`", node.lineno)
        if node.attr.startswith("_"):
            raise NotAllowed(f"`.{node.attr}`, a name that Python keeps for itself", node.lineno)
        name = dotted(node)
        root = name.partition(".")[0]
        if name and root not in self.local and root in self.scope.modules:
            if not self.known(self.scope.resolve(name)):
                raise NotAllowed(f"`{name}`, which is not among the names {self.where} may use", node.lineno)
            return
        if node.attr not in self.values:
            raise NotAllowed(
                f"`.{node.attr}`; arrays in {self.where} have .shape, .size, .ndim and .dtype", node.lineno
            )
        self.expression(node.value)

    def known(self, target: str) -> bool:
        """Whether a full name may be used."""
        return known_member(target)

    def name(self, name: str, line: int) -> None:
        """Anything may be named but builtins off the list and what the unit keeps for itself."""
        _plain(name, line)
        known = name in self.local or name in self.scope.functions or name in self.scope.values
        if known or name in allowed.BUILTINS:
            return
        target = self.scope.modules.get(name, "")
        if name in self.scope.opaque or hasattr(builtins, name) or (target and not self.known(target)):
            raise NotAllowed(f"`{name}`, which is not among the names {self.where} may use", line)


class _HostBody(_Body):
    """Looks through the body of a host function: also what manages memory, streams and events, and more of NumPy."""

    where = "host code"
    statements = (*STATEMENTS, ast.With)
    expressions = (*EXPRESSIONS, ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.withitem, ast.Starred)
    values = allowed.VALUES | allowed.HOST_VALUES

    def known(self, target: str) -> bool:
        return known_member(target) or target in allowed.HOST

    def statement(self, node: ast.stmt) -> None:
        if not isinstance(node, ast.FunctionDef):
            return super().statement(node)
        self.inner_names(_locals_of(node), node.lineno)
        _function(node, self.scope, host=True)

    def expression(self, node: ast.AST) -> None:
        if isinstance(node, ast.comprehension):
            self.inner_names(_stored_in(node.target), node.target.lineno)
        super().expression(node)

    def inner_names(self, names: set[str], line: int) -> None:
        """Names bound in a part only, where the rest of the function still has Python's own or the unit's by them."""
        for name in sorted(names):
            if hasattr(builtins, name) or name in self.scope.opaque or name in self.scope.modules:
                raise NotAllowed(f"`{name}`, which has a meaning of its own; choose another name", line)

    def attribute(self, node: ast.Attribute) -> None:
        root, _, _ = (name := dotted(node)).partition(".")
        if not (name in allowed.HOST_CLOCKS and root in self.scope.opaque and root not in self.local):
            super().attribute(node)

    def name(self, name: str, line: int) -> None:
        if not (name in self.scope.opaque and name in allowed.HOST_HELPERS and name not in self.local):
            super().name(name, line)


def _locals_of(node: ast.FunctionDef) -> set[str]:
    """A function's parameters and the names that it assigns."""
    arguments = node.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {argument.arg for argument in everything} | _stored_in(node)


def _stored_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _its_own(name: str, statement: ast.stmt) -> None:
    """A module-level name may not be one of Python's: what is computed here with Python's would run with the other."""
    if hasattr(builtins, name) and not (isinstance(statement, ast.ImportFrom)):
        raise NotAllowed(f"`{name}`, which is Python's own name; choose another one", statement.lineno)


def _no_call_of_python(value: ast.expr, scope: Scope) -> None:
    """The text to load computes nothing: what a constant calls is NumPy's or numba's, by an imported name."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and not scope.resolve(dotted(node.func)):
            raise NotAllowed(f"`{quoted(node.func)}(...)` in a constant", node.lineno)


def _plain(name: str, line: int) -> None:
    if "__" in name:
        raise NotAllowed(f"`{name}`; names with two underscores are not taken from a submission", line)
