"""Kernels and device functions of an answer in C++, put together as one program in Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.contract import Argument
from autograder.drills.cpp import outside, records
from autograder.drills.cpp.body import Body, DeviceFunction, Variable
from autograder.drills.cpp.declarations import kind_of, words_of
from autograder.drills.cpp.declared_pointers import rows_of
from autograder.drills.cpp.heads import SPELLED, declarator_of, for_the_launch, name_of
from autograder.drills.cpp.instances import parsed, template_of
from autograder.drills.cpp.parsing import CHANGES, CppMistake, field, line_of, mistaken, named, parse, refused, text_of
from autograder.drills.cpp.statements import give_back
from autograder.drills.cpp.structures import RECORDS
from autograder.drills.cpp.teams import team_named


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
    root = parse(source)
    for node, template in _definitions(root):
        head = text_of(node).split("{")[0]
        if node.type == "enum_specifier":
            outside.enumerated(world, node)
        elif node.type in RECORDS:
            records.define(world, node)
        elif node.type == "declaration":
            outside.constant(world, node)
        elif "__global__" in head:
            kernels.append((node, template))
        elif template is not None and "__device__" in head:
            world.templates[name_of(node)] = template_of(node, template)
        elif template is None and "__device__" in head:
            if name_of(node) in functions:
                raise refused(node, f"`{name_of(node)}` is defined twice: of one name, one function")
            functions[name_of(node)] = _announced(world, node)
            devices.append(node)
        elif "main" != name_of(node):  # the host's code says nothing new
            world.hosts.add(name_of(node))
    wanted = [kernel for kernel in kernels if name_of(kernel[0]) == name]
    if not wanted:
        raise CppMistake(1, f"there is no kernel called `{name}`: {signature(name, arguments)}")
    for node in devices:
        _device(world, node, functions[name_of(node)])
    kernel, template = for_the_launch(root, *wanted[-1], arguments)
    _kernel(world, kernel, template, arguments)
    first = len(world.constants)
    lines = [*world.lines[:first], *made.lines, *world.lines[first:]]
    return Translated("\n".join(lines) + "\n", (*world.places[:first], *made.places, *world.places[first:]))


def _instance(world: Body, made: Body, text: str) -> None:
    """A template's function, written before what calls it."""
    node = parsed(text)
    function = world.functions[name_of(node)] = _announced(world, node)
    inside = Body(world.functions, depth=0, scopes=world.scopes, records=world.records, constants=world.constants)
    inside.templates, inside.build, inside.hosts = world.templates, world.build, world.hosts
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
        elif node.type == "namespace_definition":
            yield from _definitions(field(node, "body"))
        elif node.type in (
            "function_definition",
            "declaration",
            "struct_specifier",
            "union_specifier",
            "enum_specifier",
        ):
            yield node, None
        elif node.type != "template_instantiation" and text_of(node) != ";":
            raise refused(node, f"`{text_of(node)[:60]}` is left out of the C++ that is interpreted here")


def _definitions_in(node):
    """extern "C" { ... }, or of one function."""
    yield from ([(node, None)] if node.type == "function_definition" else _definitions(node))


def _parameters(body: Body, node) -> list[Variable]:
    """Numbers, records, pointers and references to them, by their own names. Raises: CppError for others."""
    found = []
    for child in named(field(declarator_of(node), "parameters")):
        declarator, const = field(child, "declarator"), "const" in words_of(child)
        rows: tuple[int, ...] = ()
        form = "number"
        if declarator.type == "reference_declarator":
            form, declarator = "number" if const else "reference", named(declarator)[0]
            if declarator.type == "array_declarator":
                raise refused(child, f"`{text_of(child)}`: hand an array on as a pointer, `float x[][33]`")
        if declarator.type == "array_declarator":
            form, (declarator, rows) = "pointer", rows_of(body, declarator)
        elif declarator.type == "pointer_declarator":
            form, declarator = "pointer", field(declarator, "declarator")
        record = records.record_named(body, text_of(field(child, "type")))
        team = team_named(text_of(field(child, "type")))
        if declarator.type != "identifier" or (record and form == "pointer") or (team and form == "pointer"):
            raise refused(child, f"`{text_of(child)}`: a parameter is a number, or a pointer to numbers")
        kind = record.name if record else team or kind_of(child)
        found.append(Variable(text_of(declarator), kind, "team" if team else form, const=const, rows=rows))
    return found


def _announced(world: Body, node) -> DeviceFunction:
    """A device function before its body is read."""
    kind = text_of(field(node, "type"))
    record = records.record_named(world, kind)
    returns = "" if kind == "void" else record.name if record else kind_of(node)
    name, written = name_of(node), _written(node)
    parameters = tuple(_parameters(world, node))
    changes = tuple(each.name for each in parameters if each.form == "reference" and each.name in written)
    return DeviceFunction(
        f"{name}_" if name in ("min", "max", "abs", "sum", "round") else name, parameters, returns, changes
    )


def _written(node) -> frozenset[str]:
    """Names that are set anywhere in a function."""
    found = set()
    if node.type in CHANGES:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        while target.type == "field_expression":
            target = field(target, "argument")
        found |= {text_of(target)} if target.type == "identifier" else set()
    return frozenset(found.union(*(_written(child) for child in node.named_children)))


def _body(world: Body, node, returns: str) -> Body:
    """A function's own state, in which the file's constants are known."""
    body = Body(world.functions, returns, _written(node), world.lines, world.places, records=world.records)
    body.templates, body.build, body.constants = world.templates, world.build, world.constants
    body.hosts = world.hosts
    body.shared_bytes = world.shared_bytes
    body.scopes = [dict(world.scopes[0]), {}]
    body.line = line_of(node)
    return body


def _device(world: Body, node, function: DeviceFunction) -> None:
    body = _body(world, node, function.returns)
    body.changes = function.changes
    names = [name for parameter in function.parameters for name in _declared(body, node, parameter)]
    _head(body, "@cuda.jit(device=True)", f"def {function.name}({', '.join(names)}):", node)
    if function.changes:
        body.depth = 1
        give_back(body, node)
        body.depth = 0


def _declared(body: Body, node, parameter: Variable) -> list[str]:
    """A parameter's names in Python: one of a number, one for each part of a record, an array and a place in it."""
    if parameter.form == "team":
        body.scopes[-1][parameter.name] = parameter
        return []
    if record := records.record_named(body, parameter.kind):
        records.declare(body, node, record, None, parameter.const, parameter.name)
        return [body.find(node, f"{parameter.name}.{part}").name for part, _ in record.parts]
    form = "pointer" if parameter.form == "pointer" else "number"
    found = body.declare(node, parameter.name, parameter.kind, form=form, const=parameter.const)
    if form == "number":
        return [found.name]
    at = body.declare(node, f"{parameter.name}_at", "int64").name
    body.narrow.add(found.name)
    body.scopes[-1][parameter.name] = Variable(
        found.name, found.kind, "pointer", at=at, const=found.const, rows=parameter.rows
    )
    return [found.name, at]


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
        if not re.search(rf"\b{text_of(named(parameter)[-1 if default is None else -2])}\b", text_of(node)):
            continue
        if default is None:
            raise refused(parameter, f"which `{text_of(parameter)}`? The launch names none: give it a default")
        known = body.value(default).known
        body.declare(parameter, text_of(field(parameter, "declarator")), kind_of(parameter), const=True, known=known)
    if (gives := text_of(field(node, "type"))) not in ("void", "auto"):
        raise mistaken(node, f"a kernel gives nothing back: void, and no {gives}")
    given, sizes = _parameters(body, node), sizes_of(arguments)
    if len(given) != len(arguments) + len(sizes):
        raise mistaken(node, f"the parameters are to be those of {signature(name_of(node), arguments)}")
    first: list[str] = []
    names: list[str] = []
    for parameter, argument in zip(given, arguments, strict=False):
        names.append(_argument(body, node, parameter, argument, first, arguments))
    for parameter, (number, axis) in zip(given[len(arguments) :], sizes.values(), strict=True):
        if parameter.form != "number" or parameter.kind in ("float32", "float64"):
            raise mistaken(node, f"`{parameter.name}` is a size, and so a whole number")
        found = body.declare(node, parameter.name, parameter.kind, const=parameter.const)
        first.append(f"{found.name} = {parameter.kind}({names[number]}.shape[{axis}])")
    _head(body, "@cuda.jit", f"def {name_of(node)}({', '.join(names)}):", node, first)


def _argument(
    body: Body, node, parameter: Variable, argument: Argument, first: list[str], arguments: Sequence[Argument]
) -> str:
    """One argument of the contract; its name in Python. An array of several axes is one row of numbers in C++."""
    form = "pointer" if argument.shape else "number"
    if (parameter.form, parameter.kind) != (form, argument.dtype):
        wanted = f"{SPELLED[argument.dtype]}{'*' if form == 'pointer' else ''}"
        raise mistaken(node, f"`{parameter.name}` is to be {wanted}: {signature(name_of(node), arguments)}")
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
    body.scopes[-1][parameter.name] = Variable(
        flat, parameter.kind, "pointer", at=at, const=parameter.const, rows=parameter.rows
    )
    return name
