"""Take from a cell's text what a kernel needs, by parsing alone: functions, constants and imports. Nothing is run.

The text that comes back keeps every line where the learner wrote it; what is not taken is blank and listed.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from dataclasses import dataclass

from autograder.answer.magics import python_of
from autograder.classroom.reading import allowed
from autograder.classroom.reading.constants import NotConstant, dotted, quoted
from autograder.classroom.reading.literals import as_literals
from autograder.classroom.reading.scope import SHORTER, NotAllowed, Scope, bound_names, single_imports
from autograder.classroom.reading.syntax_words import MAX_DEPTH, depth_of, in_words

MAX_CHARACTERS = 200_000  # of one cell
A_COMMAND = "a command of the notebook, which is no Python"


@dataclass(frozen=True)
class NotRun:
    """A statement of the cell that the judge leaves alone: its first line (1-based) and what it says, shortened."""

    line: int
    text: str
    why: str = ""


@dataclass(frozen=True)
class Extract:
    """What was taken. source: as many lines as the cell; missing: names it uses and does not define."""

    source: str
    not_run: tuple[NotRun, ...] = ()
    missing: frozenset[str] = frozenset()


def extract(text: str, wanted: frozenset[str], scope: Scope) -> Extract:
    """The definitions in a cell's text that `wanted` names need, and what those need in turn.

    scope: names in view before this cell, from the unit's setup and from the cells it builds on.
    Raises: NotAllowed when a needed name cannot be had without running code, or the text is not Python.
    """
    cell = python_of(text)
    tree = _parsed(cell.source)
    needed, missing = _needed(tree, wanted)
    taker = _Taker(cell.source, scope.copy(), needed)
    taker.not_run += commands_in(text)
    for statement in tree.body:
        taker.take(statement)
    defined = scope.functions | set(scope.values) | set(scope.modules) | scope.opaque
    return Extract(
        "\n".join(taker.lines), tuple(sorted(taker.not_run, key=lambda left: left.line)), frozenset(missing - defined)
    )


def needed_names(text: str, wanted: frozenset[str]) -> frozenset[str]:
    """The names that `wanted` ones need in a cell, directly or through each other. Raises: NotAllowed."""
    return frozenset(_needed(_parsed(python_of(text).source), wanted)[0])


def commands_in(text: str) -> tuple[NotRun, ...]:
    """The lines of a cell that are the notebook's and not Python's."""
    return tuple(NotRun(line, shortened(command), A_COMMAND) for line, command in python_of(text).commands)


def shortened(line: str) -> str:
    """What a list on a page quotes of a line."""
    return line if len(line) <= 80 else f"{line[:79]}…"


def _parsed(text: str) -> ast.Module:
    if len(text) > MAX_CHARACTERS:
        raise NotAllowed(f"{len(text):,} characters in one cell; at most {MAX_CHARACTERS:,} are read", mend=SHORTER)
    try:
        with warnings.catch_warnings():  # of an escape, or of `is` beside a literal: they are for the student to read
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        quoted = (error.text or "").strip()[:80]
        raise NotAllowed(f"text that is not Python: {error.msg}. It reads `{quoted}`", error.lineno or 0) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise NotAllowed(f"text that cannot be parsed ({error})") from None


def _needed(tree: ast.Module, wanted: frozenset[str]) -> tuple[set[str], set[str]]:
    """Names reachable from `wanted` through the statements that bind them; and those that nothing here binds."""
    binders: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in bound_names(statement):
            binders.setdefault(name, []).append(statement)
    needed: set[str] = set()
    looked_into: set[int] = set()  # a statement may bind thousands of names, and is read once for all of them
    pending = list(wanted)
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        for statement in binders.get(name, ()):
            if id(statement) not in looked_into:
                looked_into.add(id(statement))
                pending.extend(_uses(statement))
    return needed, needed - set(binders)


def kernel_names(text: str) -> frozenset[str]:
    """The functions that stand under a decorator at module level. Raises: NotAllowed where the text is not Python."""
    tree = _parsed(python_of(text).source)
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list)


def _uses(statement: ast.stmt) -> set[str]:
    """Module-level names that a statement reads; a function's parameters and the names it assigns are its own."""
    names = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    if isinstance(statement, ast.FunctionDef):
        stored = {
            part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        names -= stored | {part.arg for part in ast.walk(statement) if isinstance(part, ast.arg)}
    return names - set(dir(builtins))


class _Taker:
    """Goes through a cell top to bottom and copies what may be copied, on the lines where it stood."""

    def __init__(self, text: str, scope: Scope, needed: set[str]):
        self.original = text.split("\n")
        self.lines = [""] * len(self.original)
        self.scope, self.needed = scope, needed
        self.not_run: list[NotRun] = []

    def take(self, statement: ast.stmt) -> None:
        """Copy a statement, or list it as not run; refuse when it binds a needed name in a way that needs running."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return
        needed = bound_names(statement) & self.needed
        try:
            if depth_of(statement) > MAX_DEPTH:
                raise NotAllowed("an expression nested too deeply", statement.lineno, SHORTER)
            taken = self._copied(statement)
        except (RecursionError, ValueError, MemoryError):  # ast.unparse refuses numbers of 5,000 digits, for one
            error = NotAllowed("an expression too large to be read", statement.lineno, SHORTER)
            if needed:
                raise error from None
            return self._leave(statement, str(error))
        except (NotAllowed, NotConstant) as error:
            if needed:
                raise self._refusal(statement, sorted(needed)[0], error) from None
            return self._leave(statement, str(error))
        if not taken:
            if needed:
                raise self._refusal(statement, sorted(needed)[0], None)
            self._leave(statement, "")

    def _copied(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if bound_names(statement) & self.needed:
                return self._constants(statement)
            case ast.FunctionDef(name=name) if name in self.needed:
                self._function(statement)
            case _:
                return False
        return True

    def _constants(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
        """Bind and write down each constant that an assignment gives; False for one that gives something else."""
        given = _given(statement)
        if not all(isinstance(target, ast.Name | ast.Tuple) for target, _ in given):
            return False
        for target, value in given:
            written = as_literals(target, value, self.scope)
            self.scope.add_assignment(target, value)
            self._put(statement.lineno, written)
        return True

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Copy the names on the list; leave the others, of which none may be needed."""
        names: list[ast.alias] = []
        left: list[NotRun] = []
        for one in single_imports(statement):
            try:
                self.scope.add_import(one)
            except NotAllowed as error:
                if bound_names(one) & self.needed:
                    raise
                left.append(NotRun(one.lineno, ast.unparse(one)[:80], str(error)))
            else:
                names += one.names
        if names:
            statement.names = names
            self._put(statement.lineno, ast.unparse(statement))
        self.not_run += left

    def _put(self, line: int, text: str) -> None:
        """Place one line of text; statements that shared a line stay together."""
        before = self.lines[line - 1]
        self.lines[line - 1] = f"{before}; {text}" if before else text

    def _function(self, node: ast.FunctionDef) -> None:
        """Decorators and header made anew on one line each, the body as it was typed."""
        decorators = [_decorator(decorator, self.scope) for decorator in node.decorator_list]
        self.scope.add_function(node.name)
        first = node.body[0]
        for decorator, text in zip(node.decorator_list, decorators, strict=True):
            self._put(decorator.lineno, text)
        header = f"def {node.name}({_arguments(node.args)}):"
        if first.lineno == node.lineno:  # `def f(x): return x`
            body = "; ".join(ast.unparse(statement) for statement in node.body)
            if "\n" in body:
                raise NotAllowed("a function written on one line", node.lineno)
            return self._put(node.lineno, f"{header} {body}")
        self._put(node.lineno, header)
        header_end = _header_end(self.original, node)
        for line in range(header_end + 1, node.end_lineno + 1):
            self.lines[line - 1] = self.original[line - 1]

    def _leave(self, statement: ast.stmt, why: str) -> None:
        first = self.original[statement.lineno - 1].strip()
        self.not_run.append(NotRun(statement.lineno, shortened(first), why))

    def _refusal(self, statement: ast.stmt, name: str, error: Exception | None) -> NotAllowed:
        line = getattr(error, "line", 0) or statement.lineno
        if isinstance(error, NotAllowed):
            return NotAllowed(str(error), line)
        if isinstance(error, NotConstant):
            return NotAllowed(f"`{name}`, whose value needs code to run: {error}", line)
        return NotAllowed(f"`{name}`, made by {in_words(statement)} instead of a plain function or constant", line)


def _given(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment binds, and to what: ``A = B = 4``, ``A: int = 4`` and ``A *= 2`` as plain ones."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            return [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=value):
            return [(target, value)] if value is not None else []
        case ast.AugAssign(target=ast.Name(id=name) as target, op=operation, value=value):
            return [(target, ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), operation, value), statement))]
    return [(statement.target, statement.value)]


def _header_end(original: list[str], node: ast.FunctionDef) -> int:
    """The last line of a function's header: comments before the first statement belong to the body."""
    first = node.body[0]
    line = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))]) - 1
    spans = [part.end_lineno for part in ast.walk(node.args) if hasattr(part, "end_lineno")]
    last = max([node.lineno, *spans, *([node.returns.end_lineno] if node.returns else [])])
    while line > last and original[line - 1].lstrip().startswith("#"):
        line -= 1
    return line


def _decorator(node: ast.expr, scope: Scope) -> str:
    """``@cuda.jit`` with its literal options; signatures and other options are dropped, other decorators refused."""
    target = node.func if isinstance(node, ast.Call) else node
    if scope.resolve(dotted(target)) != "numba.cuda.jit":
        raise NotAllowed(f"the decorator `@{quoted(node)}`", node.lineno)
    words = node.keywords if isinstance(node, ast.Call) else []
    options = [
        f"{word.arg}={word.value.value!r}"
        for word in words
        if word.arg in allowed.JIT_OPTIONS and isinstance(word.value, ast.Constant)
    ]
    return f"@{dotted(target)}({', '.join(options)})" if options else f"@{dotted(target)}"


def _arguments(arguments: ast.arguments) -> str:
    """The parameters without annotations. Raises NotAllowed for a default that is not a literal."""
    for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:
        if not isinstance(default, ast.Constant):
            raise NotAllowed(f"the default argument `{quoted(default)}`", default.lineno)
    plain = ast.parse(f"def f({ast.unparse(arguments)}): pass").body[0].args  # a copy to take annotations off
    for argument in [*plain.posonlyargs, *plain.args, *plain.kwonlyargs, *filter(None, (plain.vararg, plain.kwarg))]:
        argument.annotation = None
    return ast.unparse(plain)
