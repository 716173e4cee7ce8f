"""Recognises, in a kernel's syntax and values, what numba does not compile. The words for it are in `simt.refusals`."""

from __future__ import annotations

import ast
import builtins
import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling.operands.misfits import miscounted, misfit_of, unanswered
from simt.errors import KernelError, OperandError, UnsupportedError
from simt.memory.arrays import Array
from simt.refusals import Refusal, calls, language, names, numbers, types
from simt.source.folding import folded
from simt.source.host_objects import HostObject
from simt.source.overloads import is_taught
from simt.source.recognise import NUMBER_NAMES, CudaName, is_cuda_module
from simt.source.trees import means_a_power, names_stored, takes_several
from simt.source.walking import walk
from simt.threads.names import CUDA_PATHS, INTRINSICS
from simt.threads.positions import REGISTERS
from simt.values import UNDEFINED
from simt.values.unasked import is_a

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env
    from simt.values import Value

FACTORIES = frozenset({"zeros", "ones", "empty", "full", "array", "zeros_like", "ones_like", "empty_like", "arange"})
STUBS = tuple(  # numba has these for kernels; a name there is no host function
    f"{package}.cuda.{module}" for package in ("numba", "numba_cuda_mlir") for module in ("stubs", "types.ext_types")
)
OWNERS = (builtins, np, np.linalg)  # of `names.ONLY_COMPILED`
OPERATOR_NODES = {"<<": ast.LShift, ">>": ast.RShift, "&": ast.BitAnd, "|": ast.BitOr}


# Names


def undefined_name(compiler: Compiler, name: str) -> Refusal:
    """A name that neither the kernel nor its module knows."""
    function = compiler.function
    known = {*function.__code__.co_varnames, *function.__globals__} - {function.__name__}
    return names.undefined(name, sorted(known))


def host_object(value: Value, name: str) -> Refusal | None:
    """The refusal of a value of the surrounding program; None for what a kernel may read."""
    if isinstance(value, (list, set)):
        return names.host_list(name)
    if isinstance(value, HostObject):
        return names.host_value(name, value.kind)
    return names.host_value(name, "dict") if isinstance(value, dict) else None


def unknown_cuda_name(compiler: Compiler, node: ast.expr, path: str) -> Refusal | None:
    """The refusal of `cuda.threadidx` or `cuda.threadIdx.w`; None for what the cuda module has."""
    first, _, rest = path.partition(".")
    if first in REGISTERS and rest and path not in CUDA_PATHS:
        return types.no_axis(rest)
    module = _cuda_module(compiler, node)
    if module is None or path in CUDA_PATHS or first in NUMBER_NAMES:
        return None
    if not hasattr(module, first):
        return names.misspelt(first, f"cuda.{first}", dir(module))
    below = [known.partition(".")[2] for known in CUDA_PATHS if known.startswith(f"{first}.")]
    if rest and below and not hasattr(getattr(module, first), rest):
        return names.misspelt(rest, f"cuda.{path}", below)
    return None


def _cuda_module(compiler: Compiler, node: ast.expr):
    """The cuda module at the root of `cuda.atomic.add`, or None."""
    while isinstance(node, ast.Attribute):
        node = node.value
        found = compiler.static(node)
        if not isinstance(found, CudaName) and is_cuda_module(found):
            return found
    return None


# Calls


def wrong_arguments(node: ast.Call, function) -> Refusal | None:
    """The refusal of an intrinsic that is given too few arguments, or too many; None when they fit, or may."""
    intrinsic = INTRINSICS.get(function.path) if isinstance(function, CudaName) else None
    spread = any(isinstance(argument, ast.Starred) for argument in node.args)
    if intrinsic is None or spread or any(keyword.arg is None for keyword in node.keywords):
        return None
    name = function.path.rpartition(".")[2]
    if function.path.startswith("atomic."):
        wanted = 4 if name == "cas" else 3
        fits = name == "compare_and_swap" or len(node.args) + len(node.keywords) == wanted
        return None if fits else calls.atomic_form(ast.unparse(node.func), node)
    given = [None] * (len(node.args) + 3)  # env, mask and place come first
    try:
        inspect.signature(intrinsic).bind(*given, **{keyword.arg: None for keyword in node.keywords})
    except TypeError as error:
        return calls.wrong_arguments(ast.unparse(node), name, f"{name}() {error}")
    except ValueError:  # an intrinsic without a signature
        return None
    return None


def not_callable(compiler: Compiler, node: ast.Call, function) -> Refusal | str:
    """Why a host object that a kernel calls is nothing it can call; plain text where only the interpreter lacks it."""
    written = ast.unparse(node.func)
    if isinstance(function, CudaName):
        if function.path in CUDA_PATHS and function.path.partition(".")[0] in REGISTERS:
            return types.not_callable(ast.unparse(node))
        return unknown_cuda_name(compiler, node.func, function.path) or _of_cuda(compiler, node, function.path)
    if isinstance(function, HostObject):
        return names.host_value(written, function.kind)
    if isinstance(function, (Array, np.ndarray, np.generic, int, float)):
        return types.not_callable(ast.unparse(node))
    if type(function).__name__ == "_Intrinsic":
        return (
            f"the interpreter cannot run `{written}`, which @intrinsic teaches numba as LLVM code: write it as a "
            "device function, or check this kernel on a GPU"
        )
    name = getattr(function, "__name__", "")
    if name in names.ONLY_COMPILED and function in (getattr(owner, name, None) for owner in OWNERS):
        return names.only_compiled(written)
    if name and getattr(builtins, name, None) is function:
        return names.host_builtin(name)
    owner = compiler.static(node.func.value) if isinstance(node.func, ast.Attribute) else None
    module = owner.__name__ if inspect.ismodule(owner) else getattr(function, "__module__", "") or ""
    if isinstance(function, np.ufunc):
        return calls.numpy_operator(node)
    if module == "numpy" or module.startswith("numpy._"):
        return types.allocates(ast.unparse(node)) if name in FACTORIES else calls.numpy_call(written)
    if module == "math":
        return names.not_in_math(name)
    if inspect.ismodule(owner) and not module.startswith(("numba", "operator")):
        return names.of_another_module(f"{module}.{ast.unparse(node.func).rpartition('.')[2]}")
    if module.startswith(("numba", "operator")):
        return f"the interpreter does not know `{written}`: write it out, or check this kernel on a GPU"
    if is_taught(function):
        return f"the interpreter does not know `{written}`, which the program teaches numba: check this kernel on a GPU"
    return names.host_value(written, type(function).__name__)


def _of_cuda(compiler: Compiler, node: ast.Call, path: str) -> Refusal | str:
    """A name that the cuda module has, and that the interpreter cannot run."""
    value = _cuda_module(compiler, node.func)
    for part in path.split("."):
        value = getattr(value, part, None)
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    if value is None or str(module).startswith(STUBS):
        return f"the interpreter does not know `cuda.{path}`: write it out, or check this kernel on a GPU"
    return names.host_of_cuda(f"cuda.{path}")


# Statements


def complete(error: KernelError, compiler: Compiler, node: ast.stmt | None) -> None:
    """Put in what only the statement shows: the call that is unpacked, the part of an array, a literal operand."""
    if error.reason == "unpacking" and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        function = compiler.static(node.value.func)
        if isinstance(function, CudaName) and function.path in ("grid", "gridsize"):
            error.become(types.unpacking_position(ast.unparse(node.value)))
    elif error.reason == "python_object" and any(
        isinstance(one, ast.Name) and one.id == "print" for one in _header(node)
    ):
        error.become(language.text(printed=True))
    elif error.reason == "array_in_element" and isinstance(node, ast.Assign):
        parts = [one for one in walk(node.value) if isinstance(one, ast.Subscript) and takes_several(one)]
        if parts:
            error.become(types.slice_for_number(ast.unparse(parts[0])))
    elif error.reason == "index_type" and "/ always" in str(error) and not _has_floats(compiler, node):
        error.become(numbers.mixed_index(str(error).partition("An index of `")[2].partition("`")[0]))
    elif isinstance(error, OperandError):
        if error.operator == "^" and not any(map(means_a_power, _header(node))):
            error.become(types.no_float_there())
            return
        operands = _literal_operands(error, node)
        if operands is not None:
            error.become(types.operator(error.operator, *operands))


def _has_floats(compiler: Compiler, node: ast.stmt | None) -> bool:
    """Whether a statement, or what gives its variables their values, divides, calls something or names a float."""
    pending, seen = list(_header(node)), set[str]()
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Div) or isinstance(one, ast.Constant) and isinstance(one.value, float):
            return True
        if isinstance(one, ast.Call) and not isinstance(compiler.static(one.func), CudaName):
            return True
        if isinstance(one, ast.Name) and one.id in compiler.locals and one.id not in seen:
            seen.add(one.id)
            values = (part for part in compiler.own_nodes if isinstance(part, ast.Assign | ast.AugAssign))
            pending += [below for part in values if one.id in names_stored(part) for below in walk(part)]
    return False


def _literal_operands(error: OperandError, node: ast.stmt | None) -> tuple[str, str] | None:
    """Both operands in numba's words, where one is written as an integer."""
    kind = OPERATOR_NODES.get(error.operator)
    for one in _header(node):
        if isinstance(one, (ast.BinOp, ast.AugAssign)) and kind is not None and isinstance(one.op, kind):
            left, right = (one.target, one.value) if isinstance(one, ast.AugAssign) else (one.left, one.right)
            return _operand(left, error.left), _operand(right, error.right)
    return None


def _operand(node: ast.expr, dtype) -> str:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return f"the integer {node.value}"
    return str(dtype)


def statement_of(compiled: list, step: Any, line: int) -> ast.stmt | None:
    """The statement that a step was made of, or the first one of its line. compiled: (statement, step), in order."""
    made = [node for node, closure in compiled if closure is step]
    return next(iter(made), None) or next((node for node, _ in compiled if node.lineno == line), None)


def unexpected(error: Exception, compiler: Compiler, env: Env, node: ast.stmt | None) -> UnsupportedError:
    """What to raise where Python or NumPy could not work with the values of a statement."""
    line = node.lineno if node is not None else 0
    for one in _header(node):
        refusal = _of_whole_array(compiler, env, one) or _of_text(compiler, env, one, node)
        if refusal is not None:
            return UnsupportedError(refusal, compiler.name, line)
    nodes = list(_header(node))
    misfit = misfit_of(compiler, env, nodes) or miscounted(error, nodes) or unanswered(error, nodes)
    if misfit is not None:
        return UnsupportedError(misfit, compiler.name, line)
    return UnsupportedError(
        f"the interpreter cannot run this statement ({type(error).__name__}: {error}): write it in simpler steps, or "
        "check this kernel on a GPU",
        compiler.name,
        line,
    )


def _header(node: ast.stmt | None):
    """The syntax that a statement itself evaluates, outermost first: of a loop or an if, not its body."""
    parts = {ast.If: ("test",), ast.While: ("test",), ast.For: ("target", "iter")}.get(type(node))
    roots = [node] if parts is None else [getattr(node, part) for part in parts]
    for root in roots:
        yield from walk(root) if root is not None else ()


def _of_whole_array(compiler: Compiler, env: Env, node: ast.AST) -> Refusal | None:
    """An array among the operands of an operator, or the arguments of a call."""
    if isinstance(node, ast.Call) and any(_is_array(compiler, env, argument) for argument in node.args):
        return types.array_for_number(ast.unparse(node))
    if isinstance(node, ast.BinOp) and any(_is_array(compiler, env, side) for side in (node.left, node.right)):
        return types.allocates(ast.unparse(node))
    if isinstance(node, ast.Compare) and any(_is_array(compiler, env, s) for s in (node.left, *node.comparators)):
        return types.array_for_number(ast.unparse(node))
    if isinstance(node, ast.UnaryOp) and _is_array(compiler, env, node.operand):
        return types.array_for_number(ast.unparse(node))
    return None


def _of_text(compiler: Compiler, env: Env, node: ast.AST, statement: ast.stmt | None) -> Refusal | None:
    """A string among the operands of an operator."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    if not any(isinstance(_value(compiler, env, side), str) for side in sides):
        return None
    return language.text(any(isinstance(one, ast.Name) and one.id == "print" for one in _header(statement)))


def _is_array(compiler: Compiler, env: Env, node: ast.expr) -> bool:
    return isinstance(_value(compiler, env, node), (Array, np.ndarray))


def _value(compiler: Compiler, env: Env, node: ast.expr):
    """The value of a name or a literal, UNDEFINED for anything that would have to be computed. Lanes count as none."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in compiler.locals:
        value = env.get(node.id)
        return UNDEFINED if isinstance(value, np.ndarray) else value
    return compiler.static(node) if isinstance(node, (ast.Name, ast.Attribute)) else UNDEFINED


def compile_global(compiler: Compiler, node: ast.Global | ast.Nonlocal):
    """`global name`: harmless while the kernel only reads it."""
    for one in compiler.own_nodes:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id in node.names:
            raise compiler.unsupported(one, language.GLOBAL)
    return None


def default_values(compiler: Compiler, node: ast.FunctionDef | ast.Lambda) -> tuple:
    """Those of a function inside a kernel. Raises: UnsupportedError for one that is no number."""
    values = tuple(map(compiler.constant, map(folded, node.args.defaults)))
    if not all(is_a(value, bool, int, float, complex) for value in values):
        says = "a function inside a kernel has numbers for default values, and no others: pass every argument"
        raise compiler.unsupported(node, says)
    return values
