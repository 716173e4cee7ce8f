"""switch, as a chain of if and else: cases that end in break or return, several labels for one of them."""

from __future__ import annotations

from autograder.drills.cpp.body import STATEMENTS, Body
from autograder.drills.cpp.kinds_of_number import compared
from autograder.drills.cpp.parsing import field, line_of, named

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
    """Labels that share statements, and these, with those of the next where one runs into it; the default last."""
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
        groups.append((labels, inside))
        labels = []
    for number in reversed(range(len(groups))):  # what does not end runs on into the next case
        labels, inside = groups[number]
        if inside[-1].type == "break_statement":
            inside = inside[:-1]
        elif inside[-1].type not in ENDS and number + 1 < len(groups):
            inside = [*inside, *groups[number + 1][1]]
        groups[number] = (labels, inside)
    return sorted(groups, key=lambda group: any(not _names_a_value(each) for each in group[0]))


STATEMENTS["switch_statement"] = _switch
