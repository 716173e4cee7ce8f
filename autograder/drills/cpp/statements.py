"""Statements of C++ as lines of Python."""

from __future__ import annotations

from autograder.drills.cpp import records
from autograder.drills.cpp.body import EXPRESSIONS, STATEMENTS, Body, Variable
from autograder.drills.cpp.calls import SILENT, call
from autograder.drills.cpp.choices import SWITCH
from autograder.drills.cpp.elements import move, place_of
from autograder.drills.cpp.expressions import binary, read
from autograder.drills.cpp.kinds_of_number import Value, declared, truth, whole
from autograder.drills.cpp.parsing import CHANGES, changes_something, field, line_of, mistaken, named, refused, text_of
from autograder.drills.cpp.places import Place, whole_number
from autograder.drills.cpp.pointers import pointer_of

AT_THE_END = "do"  # among the loops: the condition stands behind it


def _block(body: Body, node) -> None:
    with body.scope():
        for child in named(node):
            body.run(child)


def nested(body: Body, node) -> None:
    """The statement that an `if` or a loop runs."""
    with body.block(), body.scope():
        for child in named(node) if node.type in ("compound_statement", "else_clause") else [node]:
            body.run(child)


def _expression(body: Body, node) -> None:
    for child in named(node):
        effect(body, child)


def effect(body: Body, node) -> None:
    """An expression for what it does."""
    if node.type == "comma_expression":
        effect(body, field(node, "left"))
        effect(body, field(node, "right"))
    elif node.type == "assignment_expression":
        assign(body, node)
    elif node.type == "update_expression":
        update(body, node)
    elif node.type == "call_expression" and text_of(field(node, "function")) in SILENT:
        pass
    elif node.type == "call_expression":
        name = text_of(field(node, "function"))
        given = named(field(node, "arguments"))
        if name in body.functions and records.record_named(body, body.functions[name].returns):
            records.parts_of(body, node)
        elif (found := call(body, node, name, given)) is not None:
            body.emit(found.code)
    else:
        body.value(node)  # refuses what it does not know, and does what is inside


def _pointer_named(body: Body, node) -> Variable | None:
    """The variable, where the left side is a pointer itself."""
    found = body.find(node, text_of(node)) if node.type == "identifier" else None
    return found if found is not None and found.form == "pointer" else None


def writable(node, place: Place) -> Place:
    """The place. Raises: CppError where C++ forbids to write there."""
    if place.const:
        raise mistaken(node, f"`{text_of(node)}` is const, and this writes to it")
    return place


def assign(body: Body, node) -> Place:
    """x = e and x op= e."""
    left, right, operator = field(node, "left"), field(node, "right"), text_of(field(node, "operator"))
    if (found := _pointer_named(body, left)) is not None:
        _move_pointer(body, node, found, operator, right)
        return Place(found.name, found.kind)
    if operator == "=" and records.assign(body, node, left, right):
        return Place("0", "int32")
    value = body.value(right)
    if changes_something(left):  # C++ does the right side first
        value = body.kept(node, value)
    place = writable(left, place_of(body, left))
    if operator != "=":
        place = _taken_once(body, place)
        value = binary(node, operator[:-1], read(place), value)
    body.emit(f"{place.code} = {declared(value, place.kind)}")
    records.keep_in_step(body, left)
    return place


def _move_pointer(body: Body, node, found: Variable, operator: str, right) -> None:
    if operator in ("+=", "-="):
        move(body, node, found, operator[0], whole_number(body, right))
        return
    pointer = pointer_of(body, right)
    if operator != "=" or pointer is None or pointer.base.name != found.name:
        raise refused(node, f"`{text_of(node)}`: a pointer stays within the array that it began in")
    body.emit(f"{found.at} = int64({pointer.at.code if pointer.at is not None else 0})")


def _taken_once(body: Body, place: Place) -> Place:
    """A place whose index reads memory is worked out once, as C++ does: x[y[i]] += 1."""
    name, bracket, inside = place.code.partition("[")
    if not bracket:
        return place
    parts = [body.kept_index(part) for part in _split(inside[:-1])]
    return Place(f"{name}[{', '.join(parts)}]", place.kind, place.const)


def _split(text: str) -> list[str]:
    """At commas outside of brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def update(body: Body, node) -> None:
    """x++ and --x."""
    target, operator = field(node, "argument"), "+" if "++" in text_of(node) else "-"
    if (found := _pointer_named(body, target)) is not None:
        move(body, node, found, operator, whole(1, "int64"))
        return
    place = _taken_once(body, writable(target, place_of(body, target)))
    value = binary(node, operator, read(place), whole(1, "int32"))
    body.emit(f"{place.code} = {declared(value, place.kind)}")
    records.keep_in_step(body, target)


def _condition(body: Body, node) -> tuple[Value, bool]:
    """A condition, and whether something had to be done before it."""
    before = len(body.lines)
    value = truth(body.value(node))
    return value, len(body.lines) > before


def _if(body: Body, node) -> None:
    with body.scope():
        condition = field(node, "condition")
        if started := condition.child_by_field_name("initializer"):
            for child in named(started):
                body.run(child)
        value, _ = _condition(body, condition)
        body.emit(f"if {value.code}:")
        nested(body, field(node, "consequence"))
        otherwise = node.child_by_field_name("alternative")
        if otherwise is not None:
            body.line = line_of(otherwise)
            body.emit("else:")
            nested(body, otherwise)


def _loop(body: Body, line: int, condition, inside, steps: list) -> None:
    """while condition: inside; then the steps, which `continue` does as well."""
    body.line = line
    place = len(body.lines)
    value, hoisted = (Value("True", "boolean"), False) if condition is None else _condition(body, condition)
    if hoisted:  # what the condition does is done before each iteration
        done = [text.strip() for text in body.lines[place:]]
        del body.lines[place:], body.places[place:]
        body.emit("while True:")
        with body.block():
            for text in done:
                body.emit(text)
            body.emit(f"if not {value.code}:")
            with body.block():
                body.emit("break")
    else:
        body.emit(f"while {value.code}:")
    body.after.append(steps)
    nested(body, inside)
    body.after.pop()
    if steps:
        with body.block():
            body.line = line
            for step in steps:
                effect(body, step)


def _for(body: Body, node) -> None:
    with body.scope():
        started = node.child_by_field_name("initializer")
        if started is not None and started.type == "declaration":
            body.run(started)
        elif started is not None:
            effect(body, started)
        step = node.child_by_field_name("update")
        inside = field(node, "body")
        _loop(body, line_of(node), node.child_by_field_name("condition"), inside, [step] if step is not None else [])


def _while(body: Body, node) -> None:
    with body.scope():
        _loop(body, line_of(node), field(node, "condition"), field(node, "body"), [])


def _do(body: Body, node) -> None:
    """The condition stands at the end; `continue` asks it, too."""
    body.emit("while True:")
    body.after.append([AT_THE_END, field(node, "condition")])
    nested(body, field(node, "body"))
    body.after.pop()
    with body.block():
        condition = field(node, "condition")
        body.line = line_of(condition)
        value, _ = _condition(body, condition)
        body.emit(f"if not {value.code}:")
        with body.block():
            body.emit("break")


def _break(body: Body, node) -> None:
    if not body.after:
        raise mistaken(node, "`break` stands in no loop")
    if body.after[-1] is SWITCH:
        raise refused(node, "`break` in the middle of a case is left out: let it be the case's last statement")
    body.emit("break")


def _continue(body: Body, node) -> None:
    loops = [steps for steps in body.after if steps is not SWITCH]
    if not loops:
        raise mistaken(node, "`continue` stands in no loop")
    if loops[-1][:1] == [AT_THE_END]:
        value, _ = _condition(body, loops[-1][1])
        body.emit(f"if not {value.code}:")
        with body.block():
            body.emit("break")
        body.emit("continue")
        return
    for step in loops[-1]:
        effect(body, step)
    body.emit("continue")


def _return(body: Body, node) -> None:
    given = named(node)
    if given and not body.returns:
        raise mistaken(node, "a kernel, or a function of void, gives nothing back")
    give_back(body, node, *given)


def give_back(body: Body, node, *given) -> None:
    """return, with what the function says and the references that it has set."""
    parts: list[str] = []
    record = records.record_named(body, body.returns) if body.returns else None
    if given and record:
        made = records.parts_of(body, given[0], record)
        if made is None or made.record != record:
            raise mistaken(node, f"`{text_of(given[0])[:60]}` is no {record.name}")
        parts = [declared(value, kind) for value, (_, kind) in zip(made.values, record.parts, strict=True)]
    elif given:
        parts = [declared(body.value(given[0]), body.returns)]
    for name in body.changes:
        found = body.find(node, name)
        of = records.record_named(body, found.kind) if found.form == "record" else None
        parts += [body.find(node, f"{name}.{part}").name for part, _ in of.parts] if of else [found.name]
    body.emit(f"return {', '.join(parts)}" if parts else "return")


def _set(body: Body, node) -> Value:
    """An assignment or ++ whose value is used: done before the statement, and read again."""
    if not body.may_hoist:
        body.kept(node, whole(0, "int32"))  # says why not
    if node.type == "assignment_expression":
        return read(assign(body, node))
    place = place_of(body, field(node, "argument"))
    before = text_of(node)[:2] not in ("++", "--")
    old = body.kept(node, read(place)) if before else None
    update(body, node)
    return old if old is not None else read(place)


EXPRESSIONS |= dict.fromkeys(CHANGES, _set)
STATEMENTS |= {
    "compound_statement": _block,
    "expression_statement": _expression,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "do_statement": _do,
    "return_statement": _return,
    "break_statement": _break,
    "continue_statement": _continue,
    "comment": lambda body, node: None,
}
