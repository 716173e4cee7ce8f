"""Compiles a kernel once into closures ``f(env, mask)``, one per syntax node.

A statement's closure returns the mask of the lanes that survive it, None when nobody is left; so break, continue and
return are lanes that do not come back. An expression's closure returns a value.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling import expressions, refused, statements
from simt.compiling.compiled import CompiledFunction, kept_of
from simt.compiling.counting import Told
from simt.compiling.schedule.interleaving import pieces, run_in_turns
from simt.compiling.schedule.spinning import Held, one_by_one
from simt.errors import KernelError, UnsupportedError
from simt.events.inspection import assigned_names, last_line
from simt.lanes.masks import remaining
from simt.refusals import Refusal, language, names
from simt.source.dead_sides import UNKNOWN, without_dead_sides
from simt.source.folding import folded
from simt.source.host_objects import HostObject, for_kernels
from simt.source.reaching import Assignments
from simt.source.recognise import (
    LIBRARIES,
    CudaName,
    cuda_name,
    has_readable_attributes,
    is_cuda_module,
    is_device_array,
    is_from,
    is_of_cffi,
    is_unread_by_numba,
    python_function,
)
from simt.source.sites import Place, branches_of, loops_around, loops_of, new_site
from simt.source.trees import Source, find_source
from simt.source.updates import updates_of
from simt.source.walking import of_one_function, walk
from simt.threads.names import CUDA_PATHS
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.closures import Body, Run
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

Located = ast.expr | ast.stmt | ast.pattern  # syntax that has a line


def compile_function(function, traced: Told) -> CompiledFunction:
    """The closure of a Python function. It is compiled once: globals are constants from then on, as in numba.

    The function keeps its closures itself, so that they go when it goes.
    """
    kept = kept_of(function)
    if (known := kept.closures.get(traced)) is None:
        known = kept.closures[traced] = CompiledFunction(compiler_of(function, traced), function.__defaults__ or ())
    return known


def compiler_of(function, traced: Told) -> Compiler:
    """The compiler of a Python function, which is made once, too: callers look into what they call."""
    kept = kept_of(function)
    if traced not in kept.compilers:
        kept.compilers[traced] = Compiler(function, traced)
    return kept.compilers[traced]


class Compiler:
    """What the compilers of statements and expressions share: the function, its names, its places.

    node: None for `function` itself, or the syntax of a function defined inside it; outer: the compiler around that.
    """

    def __init__(self, function, traced: Told, node=None, outer: Compiler | None = None):
        self.function, self.traced = function, traced
        self.source: Source = find_source(function) if node is None else replace(outer.source, node=node)
        self.name: str = getattr(self.source.node, "name", "<lambda>")
        code = function.__code__
        self.cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        arguments = self.source.node.args
        self.parameters: list[str] = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        self.own_nodes = of_one_function(self.source.node)
        self.met: dict[int, tuple[Value, Value]] = {}  # host objects by identity, with what kernels meet
        self.frozen: dict[str, tuple[ast.expr, Value]] = {}  # host values that are constants now, by how they are named
        self.locals = self._local_names()
        self.source = replace(self.source, node=without_dead_sides(self.source.node, self.constant))
        self.own_nodes = of_one_function(self.source.node)
        self.loops, self.branches = loops_of(self.own_nodes), branches_of(self.own_nodes)
        self.updates = updates_of(self.own_nodes)
        self.captured = () if outer is None else self._captured(outer)
        self.locals |= set(self.captured)

    def constant(self, node: ast.expr) -> Any:
        """The host object that an expression is, or UNKNOWN: one of the kernel's own, or of no type."""
        if isinstance(node, ast.Constant):
            return node.value
        try:
            value = self.static(node)
        except UnsupportedError:
            return UNKNOWN
        return UNKNOWN if value is UNDEFINED else value

    @cached_property
    def assignments(self) -> Assignments:
        """Where variables of this function have their values from."""
        body = self.source.node.body
        return Assignments(body if isinstance(body, list) else [ast.copy_location(ast.Return(body), body)])

    def _local_names(self) -> set[str]:
        arguments = self.source.node.args
        if arguments.kwarg or arguments.kwonlyargs:
            raise self.unsupported(
                self.source.node, "numba.cuda takes no keyword-only parameters: pass them by position"
            )
        names = {*self.parameters, *([arguments.vararg.arg] if arguments.vararg else [])}
        for node in self.own_nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.FunctionDef):
                names.add(node.name)
        return names

    def _captured(self, outer: Compiler) -> tuple[str, ...]:
        """Variables of the function around this one that it reads."""
        read = {node.id for node in walk(self.source.node) if isinstance(node, ast.Name)}
        return tuple(sorted((read & outer.locals) - self.locals))

    def compile_inner(self, node) -> tuple[CompiledFunction, tuple[str, ...]]:
        """A function defined inside this one, and the variables of this one that it reads."""
        inner = Compiler(self.function, self.traced, node, self)
        return CompiledFunction(inner, refused.default_values(self, node)), inner.captured

    def body(self) -> Body:
        """The closure of the whole function."""
        node = self.source.node
        if isinstance(node, ast.Lambda):
            return self.block([ast.copy_location(ast.Return(node.body), node)])
        return self.block(node.body)

    def place(self, node: Located, **knowledge) -> Place:
        """The place of a node."""
        around = loops_around(node.lineno, self.loops)
        below_if = any(first <= node.lineno <= last for first, last in self.branches)
        update = self.updates.get((node.lineno, node.col_offset), "")
        site = new_site(self.name, node.lineno, node.col_offset, self.source.segment(node), around, below_if, update)
        return Place(site, **knowledge)

    def unsupported(self, node: Located, message: str | Refusal) -> UnsupportedError:
        """An error at a node, to be raised."""
        return UnsupportedError(message, self.name, node.lineno)

    def static(self, node: ast.AST):
        """The host object an expression names, or UNDEFINED when a local variable is involved."""
        if isinstance(node, ast.Name):
            return UNDEFINED if node.id in self.locals else self._host_name(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.static(node.value)
            if owner is UNDEFINED:
                return UNDEFINED
            if isinstance(owner, CudaName):
                return CudaName(f"{owner.path}.{node.attr}")
            if is_cuda_module(owner):
                return getattr(owner, node.attr, UNDEFINED) if node.attr == "random" else CudaName(node.attr)
            if isinstance(owner, np.ndarray) or is_device_array(owner):  # has the attributes of kernel arrays
                return UNDEFINED
            self._check_readable(node, owner)
            return self._known(getattr(owner, node.attr, UNDEFINED))
        return UNDEFINED

    def _check_readable(self, node: ast.Attribute, owner) -> None:
        """Raises: UnsupportedError for an attribute that numba does not read at compile time."""
        written = ast.unparse(node)
        if is_of_cffi(owner):
            raise UnsupportedError(language.linked_code(written))
        if isinstance(owner, HostObject):
            raise self.unsupported(node, language.unread_attribute(written, "an object", owner.taught))
        if inspect.ismodule(owner) and not hasattr(owner, node.attr):
            raise self.unsupported(node, names.misspelt(node.attr, written, dir(owner)))
        if not has_readable_attributes(owner) or is_unread_by_numba(owner, node.attr):
            kind = "a class" if isinstance(owner, type) else "an object"
            raise self.unsupported(node, language.unread_attribute(written, kind))

    def _host_name(self, name: str):
        if name in self.cells:
            try:
                return self._known(self.cells[name].cell_contents)
            except ValueError:
                return UNDEFINED
        found = self.function.__globals__.get(name, UNDEFINED)
        return self._known(getattr(builtins, name, UNDEFINED) if found is UNDEFINED else found)

    def _known(self, value: Value):
        """A host object as kernels meet it, or the CudaName it stands for. Looked up once a function, as source names
        few objects often; arrays are not kept alive for that."""
        if type(value) is np.ndarray:
            return value
        if id(value) not in self.met:
            self.met[id(value)] = value, cuda_name(value, CUDA_PATHS) or for_kernels(value)
        return self.met[id(value)][1]

    @cached_property
    def named(self) -> list[tuple[str, object]]:
        """(name, host object) of every global that this function itself names."""
        parts = (node for node in walk(self.source.node) if isinstance(node, (ast.Name, ast.Attribute)))
        found = [(node, value) for node in parts if (value := self.static(node)) is not UNDEFINED]
        return [(ast.unparse(node).rpartition(".")[2], value) for node, value in found]

    @cached_property
    def functions(self) -> dict[int, Callable]:
        """The functions of the program that this one names, by the ids of what names them."""
        found = ((id(one), python_function(one)) for _, one in self.named if not isinstance(one, CudaName))
        return {key: one for key, one in found if one is not None and not is_from(one, LIBRARIES)}

    def reached(self, seen: set) -> Iterator[tuple[str, object]]:
        """(name, host object) of every global that this function, or one that it calls, names. seen: functions."""
        for name, value in self.named:
            yield name, value
            function = self.functions.get(id(value))
            if function is None or function in seen:
                continue
            seen.add(function)
            try:
                yield from self.compiler_of(function).reached(seen)
            except UnsupportedError:  # not a device function, or it says so when it is called
                continue

    def compile(self, function) -> CompiledFunction:
        """A device function that this one calls."""
        return compile_function(function, self.traced)

    def compiler_of(self, function) -> Compiler:
        """The compiler of a device function that this one calls."""
        return compiler_of(function, self.traced)

    def expression(self, node: ast.expr, result_used: bool = True, target: str = "") -> Run:
        """The closure of an expression."""
        if isinstance(node, ast.Call):
            return expressions.compile_call(self, node, result_used, target)
        node = folded(node)
        compile_node = expressions.COMPILERS.get(type(node))
        if compile_node is None:
            raise self.unsupported(node, language.expression(node) or language.OTHER)
        return compile_node(self, node)

    def block(self, nodes: list[ast.stmt]) -> Body:
        """The closure of consecutive statements. An error gets the line of the statement it came from."""
        compiled = [(node, closure) for node in nodes if (closure := self._statement(node)) is not None]
        return self._in_order(one_by_one(self, compiled, self._in_order))

    def _in_order(self, compiled: list) -> Body:
        whole = tuple((closure, node.lineno, (last_line(node), assigned_names(node))) for node, closure in compiled)
        name, traced, n_statements = self.name, self.traced, max(len(whole), 1)
        apart = None  # the pieces that run in turns, once somebody wants that

        def run(env: Env, mask: Mask, steps=None):
            nonlocal apart
            if steps is None and env.batch.apart:
                apart = apart or pieces(self, [node for node, _ in compiled], whole)
                return run_in_turns(env, mask, apart, run)
            step, line, steps = None, 0, whole if steps is None else steps
            env.batch.meter.count(n_statements, env)
            try:
                for step, line, more in steps:
                    if env.batch.raised and (mask := remaining(env, mask)) is None:
                        return None
                    if traced and type(step) is not Held:
                        env.batch.emit.statement(env, mask, name, line, *more)
                    mask = step(env, mask)
                    if mask is None:
                        return None
                return remaining(env, mask) if env.batch.raised else mask
            except KernelError as error:
                if not error.line:
                    refused.complete(error, self, refused.statement_of(compiled, step, line))
                error.locate(name, line)
                raise
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise refused.unexpected(error, self, env, refused.statement_of(compiled, step, line)) from error

        return run

    def _statement(self, node: ast.stmt):
        compile_node = statements.COMPILERS.get(type(node))
        if compile_node is None:
            raise self.unsupported(node, language.statement(node))
        try:
            return compile_node(self, node)
        except KernelError as error:
            error.locate(self.name, node.lineno)
            raise
