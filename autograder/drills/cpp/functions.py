"""Kernels and device functions of an answer in C++, put together as one program in Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.contract import Argument
from autograder.drills.cpp import outside, records
from autograder.drills.cpp.body import Body, DeviceFunction, Variable
from autograder.drills.cpp.declarations import kind_of, words_of
from autograder.drills.cpp.instances import parsed, template_of
from autograder.drills.cpp.parsing import CppError, field, line_of, named, parse, refused, text_of
from autograder.drills.cpp.statements import CHANGES

HELPERS = """from numba import boolean, uint8, uint16, uint64
from numba.cuda import libdevice


@cuda.jit(device=True)
def c_quotient(a, b):
    q = a // b
    return q + int64((q * b != a) and ((a < 0) != (b < 0)))


@cuda.jit(device=True)
def c_remainder(a, b):
    return a - c_quotient(a, b) * b
"""
SPELLED = {
    "int8": "int8_t", "uint8": "uint8_t", "int32": "int", "uint32": "unsigned", "int64": "long long",
    "float32": "float", "float64": "double",
}  # fmt: skip


@dataclass(frozen=True)
class Translated:
    """A program in Python. places: the C++ line of each of its lines, the first one first."""

    source: str
    places: tuple[int, ...]


def sizes_of(arguments: Sequence[Argument]) -> dict[str, tuple[int, int]]:
    """The sizes that a kernel in C++ is handed after its arrays: name -> argument and axis. A size has one name."""
    found: dict[str, tuple[int, int]] = {}
    for number, argument in enumerate(arguments):
        for axis, name in enumerate(re.findall(r"[^(),]+", argument.shape)):
            if name.strip().isidentifier():
                found.setdefault(name.strip(), (number, axis))
    return found


def signature(name: str, arguments: Sequence[Argument]) -> str:
    """The kernel's first line in C++, as a learner is shown it."""
    said = []
    for argument in arguments:
        kind = SPELLED[argument.dtype]
        const = "const " if argument.role == "in" else ""
        said.append(f"{const}{kind}* {argument.name}" if argument.shape else f"{kind} {argument.name}")
    return f"__global__ void {name}({', '.join([*said, *(f'int {size}' for size in sizes_of(arguments))])})"


def translate(source: str, name: str, arguments: Sequence[Argument]) -> Translated:
    """The answer in Python: `name` with the contract's arguments, and what it calls.

    Raises: CppError, with the line, for what is no C++, left out of the subset, or does not fit the task.
    """
    functions: dict[str, DeviceFunction] = {}
    world = Body(functions, depth=0, outside=True, shared_bytes=outside.bytes_of_the_launch(source))
    made = Body(functions, depth=0, records=world.records, templates=world.templates)
    world.build = made.build = lambda text: _instance(world, made, text)
    kernels, devices = [], []
    for node, template in _definitions(parse(source)):
        head = text_of(node).split("{")[0]
        if node.type == "struct_specifier":
            records.define(world, node)
        elif node.type == "declaration":
            outside.constant(world, node)
        elif "__global__" in head:
            kernels.append((node, template))
        elif template is not None and "__device__" in head:
            world.templates[_name(node)] = template_of(node, template)
        elif "__device__" in head or "<<<" not in text_of(node):  # the host's code that launches says nothing new
            functions[_name(node)] = _announced(node)
            devices.append(node)
    wanted = [kernel for kernel in kernels if _name(kernel[0]) == name]
    if not wanted:
        raise CppError(1, f"there is no kernel called `{name}`: {signature(name, arguments)}")
    for node in devices:
        _device(world, node, functions[_name(node)])
    _kernel(world, *wanted[-1], arguments)
    first = len(world.constants)
    lines = [*world.lines[:first], *made.lines, *world.lines[first:]]
    return Translated("\n".join(lines) + "\n", (*world.places[:first], *made.places, *world.places[first:]))


def _instance(world: Body, made: Body, text: str) -> None:
    """A template's function, written before what calls it."""
    node = parsed(text)
    function = world.functions[_name(node)] = _announced(node)
    inside = Body(world.functions, depth=0, scopes=world.scopes, records=world.records, constants=world.constants)
    inside.templates, inside.build = world.templates, world.build
    _device(inside, node, function)
    made.lines += inside.lines
    made.places += inside.places


def _definitions(root):
    """Functions and constants of a file, each with its template's parameters."""
    for node in named(root):
        if node.type == "template_declaration":
            inner = [child for child in named(node) if child.type == "function_definition"]
            if not inner:
                raise refused(node, f"`{text_of(node)[:60]}` is left out")
            yield inner[0], field(node, "parameters")
        elif node.type == "linkage_specification":
            yield from _definitions_in(field(node, "body"))
        elif node.type in ("function_definition", "declaration", "struct_specifier"):
            yield node, None
        elif node.type != "expression_statement" or text_of(node) != ";":
            raise refused(node, f"`{text_of(node)[:60]}` is left out of the C++ that is interpreted here")


def _definitions_in(node):
    """extern "C" { ... }, or of one function."""
    yield from ([(node, None)] if node.type == "function_definition" else _definitions(node))


def _declarator(node):
    """The name and parameters of a definition, past the stars and marks."""
    found = field(node, "declarator")
    while found.type != "function_declarator":
        inner = found.child_by_field_name("declarator")
        if inner is None:
            raise refused(node, f"`{text_of(node)[:60]}` is left out")
        found = inner
    return found


def _name(node) -> str:
    return text_of(field(_declarator(node), "declarator"))


def _parameters(node) -> list[Variable]:
    """Numbers and pointers to them, by their own names. Raises: CppError for others."""
    found = []
    for child in named(field(_declarator(node), "parameters")):
        declarator = field(child, "declarator")
        form = "number"
        if declarator.type in ("pointer_declarator", "array_declarator"):
            form, declarator = "pointer", field(declarator, "declarator")
        if declarator.type != "identifier":
            raise refused(child, f"`{text_of(child)}`: a parameter is a number, or a pointer to numbers")
        found.append(Variable(text_of(declarator), kind_of(child), form, const="const" in words_of(child)))
    return found


def _announced(node) -> DeviceFunction:
    """A device function before its body is read."""
    if "__device__" not in text_of(node).split("{")[0]:
        raise refused(node, f"`{_name(node)}` is for the host: write __device__ before it, or leave it away")
    kind = text_of(field(node, "type"))
    returns = "" if kind == "void" else kind_of(node)
    name = _name(node)
    return DeviceFunction(
        f"{name}_" if name in ("min", "max", "abs", "sum", "round") else name, tuple(_parameters(node)), returns
    )


def _written(node) -> frozenset[str]:
    """Names that are set anywhere in a function."""
    found = set()
    if node.type in CHANGES:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        found |= {text_of(target)} if target.type == "identifier" else set()
    return frozenset(found.union(*(_written(child) for child in node.named_children)))


def _body(world: Body, node, returns: str) -> Body:
    """A function's own state, in which the file's constants are known."""
    body = Body(world.functions, returns, _written(node), world.lines, world.places, records=world.records)
    body.templates, body.build, body.constants = world.templates, world.build, world.constants
    body.shared_bytes = world.shared_bytes
    body.scopes = [dict(world.scopes[0]), {}]
    body.line = line_of(node)
    return body


def _device(world: Body, node, function: DeviceFunction) -> None:
    body = _body(world, node, function.returns)
    names = []
    for parameter in function.parameters:
        found = body.declare(node, parameter.name, parameter.kind, form=parameter.form, const=parameter.const)
        names.append(found.name)
        if parameter.form == "pointer":
            at = body.declare(node, f"{parameter.name}_at", "int64").name
            body.scopes[-1][parameter.name] = Variable(found.name, found.kind, "pointer", at=at, const=found.const)
            names.append(at)
    _head(body, "@cuda.jit(device=True)", f"def {function.name}({', '.join(names)}):", node)


def _head(body: Body, decorator: str, head: str, node, first: Sequence[str] = ()) -> None:
    """The lines of a whole function."""
    body.depth = 0
    body.emit(decorator)
    body.emit(head)
    with body.block():
        used = [
            text for name, text in body.constants.items() if re.search(rf"\b{name}\b", text_of(field(node, "body")))
        ]
        for text in (*used, *first):
            body.emit(text)
        for child in named(field(node, "body")):
            body.run(child)


def _kernel(world: Body, node, template, arguments: Sequence[Argument]) -> None:
    """The kernel that the task asks for: arrays as they come, and the sizes from their shapes."""
    body = _body(world, node, "")
    for parameter in named(template) if template is not None else ():
        default = parameter.child_by_field_name("default_value")
        if default is None:
            raise refused(parameter, f"which `{text_of(parameter)}`? The launch names none: give it a default")
        known = body.value(default).known
        body.declare(parameter, text_of(field(parameter, "declarator")), kind_of(parameter), const=True, known=known)
    given, sizes = _parameters(node), sizes_of(arguments)
    if len(given) != len(arguments) + len(sizes):
        raise refused(node, f"the parameters are to be those of {signature(_name(node), arguments)}")
    first: list[str] = []
    names: list[str] = []
    for parameter, argument in zip(given, arguments, strict=False):
        names.append(_argument(body, node, parameter, argument, first))
    for parameter, (number, axis) in zip(given[len(arguments) :], sizes.values(), strict=True):
        if parameter.form != "number" or parameter.kind in ("float32", "float64"):
            raise refused(node, f"`{parameter.name}` is a size, and so a whole number")
        found = body.declare(node, parameter.name, parameter.kind, const=parameter.const)
        first.append(f"{found.name} = {parameter.kind}({names[number]}.shape[{axis}])")
    _head(body, "@cuda.jit", f"def {_name(node)}({', '.join(names)}):", node, first)


def _argument(body: Body, node, parameter: Variable, argument: Argument, first: list[str]) -> str:
    """One argument of the contract; its name in Python. An array of several axes is one row of numbers in C++."""
    form = "pointer" if argument.shape else "number"
    if (parameter.form, parameter.kind) != (form, argument.dtype):
        wanted = f"{SPELLED[argument.dtype]}{'*' if form == 'pointer' else ''}"
        raise refused(node, f"`{parameter.name}` is to be {wanted}: {signature(_name(node), [argument])}")
    found = body.declare(node, parameter.name, parameter.kind, form=form, const=parameter.const)
    name = found.name
    if form == "number":
        return name
    if argument.shape.count(",") > 1 or not argument.shape.rstrip(")").endswith(","):
        flat = body.declare(node, f"{parameter.name}_flat", parameter.kind, form="pointer").name
        first.append(f"{flat} = {name}.reshape({name}.size)")
    else:
        flat = name
    at = ""
    if parameter.name in body.moved:
        at = body.declare(node, f"{parameter.name}_at", "int64").name
        first.append(f"{at} = int64(0)")
    body.scopes[-1][parameter.name] = Variable(flat, parameter.kind, "pointer", at=at, const=parameter.const)
    return name
