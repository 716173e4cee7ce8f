"""switch, as a chain of if and else: cases that end in break or return, several labels for one of them."""

from __future__ import annotations

from autograder.drills.cpp.body import STATEMENTS, Body
from autograder.drills.cpp.kinds_of_number import compared
from autograder.drills.cpp.parsing import field, line_of, named, refused, text_of

SWITCH = ["switch"]  # among the loops: `break` inside belongs to it, `continue` does not
ENDS = ("break_statement", "return_statement", "continue_statement")


def _switch(body: Body, node) -> None:
    value = body.kept(node, body.value(field(node, "condition")))
    groups = _groups(node)
    body.after.append(SWITCH)
    first = True
    for labels, statements in groups:
        body.line = line_of(labels[0])
        tests = [
            compared("==", value, body.value(field(each, "value"))).code for each in labels if _names_a_value(each)
        ]
        is_default = len(tests) < len(labels)
        if not is_default:
            body.emit(f"{'if' if first else 'elif'} {' or '.join(tests)}:")
        elif not first:
            body.emit("else:")
        else:
            body.emit("if True:")
        first = False
        with body.block(), body.scope():
            for child in statements:
                body.run(child)
    body.after.pop()


def _names_a_value(label) -> bool:
    return label.child_by_field_name("value") is not None


def _groups(node) -> list[tuple[list, list]]:
    """Labels that share statements, and these; the default last. Raises: CppError where one runs into the next."""
    groups: list[tuple[list, list]] = []
    labels: list = []
    cases = [child for child in named(field(node, "body")) if child.type == "case_statement"]
    for case in cases:
        labels.append(case)
        value = case.child_by_field_name("value")
        inside = [child for child in named(case) if value is None or child.id != value.id]
        if len(inside) == 1 and inside[0].type == "compound_statement":
            inside = named(inside[0])
        if not inside:
            continue
        last = inside[-1]
        if last.type not in ENDS and case.id != cases[-1].id:
            raise refused(case, f"`{text_of(case)[:40]}` runs into the next case: end it with break or return")
        groups.append((labels, inside[:-1] if last.type == "break_statement" else inside))
        labels = []
    return sorted(groups, key=lambda group: any(not _names_a_value(each) for each in group[0]))


STATEMENTS["switch_statement"] = _switch
