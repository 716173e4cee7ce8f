"""Statements in one way of many: guards, branches that choose a value, loops that take their item first."""

from __future__ import annotations

from autograder.drills.structure.arithmetic import negated
from autograder.drills.structure.forms import AUTO, Form, num, parts, rebuilt

RETURN, CONTINUE, BREAK = ("return", None), ("continue",), ("break",)
Block = tuple[Form, ...]


def straightened(block: Block) -> Block:
    """A block, and all blocks in it. What follows a return or a continue under an if goes into its other side."""
    return _block(tuple(rebuilt(each, _inside) for each in block), RETURN)


def _inside(form: Form) -> Form:
    """One statement whose inner blocks are plain already."""
    if not form or not isinstance(form[0], str):
        return form
    if form[0] == "def":
        return (*form[:5], _block(form[5], RETURN))
    if form[0] == "while":
        return _loop(form[1], _block(form[2], CONTINUE))
    if form[0] == "if":
        return ("if", form[1], _block(form[2], None), _block(form[3], None))
    return form


def _block(block: Block, leave: Form | None) -> Block:
    """leave: the statement that leaves what the block is the body of."""
    found: list[Form] = []
    for place, each in enumerate(block):
        if each == leave and place == len(block) - 1:
            break
        if each[0] == "block":
            found += each[1]
            continue
        if leave and each[0] == "if" and each[2] == (leave,) and not each[3]:
            rest = _block(block[place + 1 :], leave)
            found += [_branch(negated(each[1]), rest, ())] if rest else [each] if place == len(block) - 1 else []
            return tuple(found)
        each = _branch(*each[1:]) if each[0] == "if" else each
        if found and (chosen := _overridden(found[-1], each)):
            found[-1] = chosen
        else:
            found.append(each)
    return tuple(found)


def _overridden(first: Form, then: Form) -> Form | None:
    """y = a; if (c) y = b; is a choice of what y becomes."""
    if first[0] == "set" and then[0] == "if" and not then[3] and len(then[2]) == 1:
        only = then[2][0]
        if only[0] == "set" and only[1] == first[1] and first[1] not in tuple(parts((then[1], only[2]))):
            return ("set", first[1], ("select", then[1], only[2], first[2]))
    return None


def _branch(condition: Form, one: Block, other: Block) -> Form:
    """An if without statements on its first side is turned round; one in another is both; one that sets one place
    on both sides is a choice of its value."""
    if not one and other:
        return _branch(negated(condition), other, ())
    if len(one) == len(other) == 1 and one[0][0] == other[0][0] == "set" and one[0][1] == other[0][1]:
        return ("set", one[0][1], ("select", condition, one[0][2], other[0][2]))
    if len(one) == 1 and one[0][0] == "if" and not one[0][3] and not other:
        return _branch(("&&", condition, one[0][1]), one[0][2], ())
    if other and condition[0] in ("<=", "!", "!="):
        return ("if", negated(condition), other, one)
    return ("if", condition, one, other)


def _loop(condition: Form, body: Block) -> Form:
    """while (true) { first; if (end) break; rest } is first; while (!end) { rest; first }; so is an assignment in the
    condition."""
    tags = (("assign",), ("walrus",))
    if assigned := next((each for each in parts(condition) if isinstance(each, tuple) and each[:1] in tags), None):
        first = _assignment(assigned)
        plain = rebuilt(condition, lambda form: form[1] if form[:1] in tags else form)
        return ("block", (first, ("while", plain, (*body, *_again((first,))))))
    if condition == num(1):
        for place, each in enumerate(body):
            if each[0] == "if" and each[2] in ((BREAK,), (RETURN,)) and not each[3]:
                first, rest = body[:place], body[place + 1 :]
                return ("block", (*first, ("while", negated(each[1]), (*rest, *_again(first)))))
            if each[0] == "if" and each[3] == (BREAK,):
                first, rest = body[:place], (*each[2], *body[place + 1 :])
                return ("block", (*first, ("while", each[1], (*rest, *_again(first)))))
    return ("while", condition, body)


def _assignment(form: Form) -> Form:
    """In a condition of C++ a name that is declared before; in Python, perhaps its first value."""
    return ("let", form[1][1], AUTO, form[2]) if form[0] == "walrus" else ("set", form[1], form[2])


def _again(block: Block) -> Block:
    """The same statements a second time: what they declared is set."""
    return tuple(("set", ("name", each[1]), each[3]) if each[0] == "let" else each for each in block)
