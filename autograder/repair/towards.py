"""Single edits that make a line of an answer what the course's own solution has there: what no other edit comes to.

They are tried like all others, and the line is named only where it alone makes every case right. Names may be others:
lines that are alike tell which is which. An answer that is built otherwise has no line to compare, and gets none.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from autograder.repair.edits import Edit, Text
from autograder.repair.named_change import kind_of_change

NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
ALIKE = 0.5  # share of a line that two of them have in common, for one to stand in for the other
WITHIN = 0.9  # of the shorter line
MOST, MOST_DROPPED = 24, 3  # of them; lines that may be too many


def bare(line: str) -> str:
    """A line without its comment, blanks and brackets: what two ways to write it have in common."""
    return "".join(sign for sign in line.split("  #")[0] if sign not in " ()\n")


def in_names_of(source: str, solution: str) -> str:
    """A solution whose variables bear the names that an answer gives them, as far as lines that are alike tell."""
    mine, theirs = _variables(source), _variables(solution)
    own = [_shape(line, mine) for _, line in lines_of(source.splitlines())]
    meant = [_shape(line, theirs) for _, line in lines_of(solution.splitlines())]
    matched = SequenceMatcher(None, [shape for shape, _ in own], [shape for shape, _ in meant], autojunk=False)
    votes: Counter[tuple[str, str]] = Counter()
    for at, there, length in matched.get_matching_blocks():
        for (_, names), (_, others) in zip(own[at : at + length], meant[there : there + length], strict=True):
            votes.update(zip(others, names, strict=True))
    called: dict[str, str] = {}
    for (other, name), _ in votes.most_common():
        if other not in called and name not in called.values():
            called[other] = name
    return NAME.sub(lambda found: called.get(found[0], found[0]), solution)


def _variables(source: str) -> set[str]:
    """The names that the functions of a source set or are handed."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return set()
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _shape(line: str, variables: set[str]) -> tuple[str, list[str]]:
    """(a line with each variable as the number of its first place, the variables in the order in which they come)."""
    names = [name for name in NAME.findall(_apart(line)) if name in variables]
    number = {name: f"§{at}" for at, name in enumerate(dict.fromkeys(names))}
    return NAME.sub(lambda found: number.get(found[0], found[0]), _apart(line)), names


def _apart(line: str) -> str:
    """A line without its comment and brackets, its names apart."""
    return "".join(sign for sign in line.split("  #")[0].strip() if sign not in "()\n")


def edits_towards(text: Text, solution: str) -> Iterator[Edit]:
    """Each line that differs from the solution's, as the solution has it, and each one that is missing, put in."""
    own, meant = lines_of([line.decode() for line in text.lines]), lines_of(solution.splitlines())
    matched = SequenceMatcher(None, [bare(line) for _, line in own], [bare(line) for _, line in meant], autojunk=False)
    changes = [code[1:] for code in matched.get_opcodes() if code[0] != "equal"][:MOST]
    for first, end, first_meant, end_meant in changes:
        here, there = own[first:end], [line for _, line in meant[first_meant:end_meant]]
        if len(here) == len(there):
            for (number, line), other in zip(here, there, strict=True):
                if not line.startswith(("@", "def ")) and _alike(line, other):
                    yield text.with_line(number, [_indented(line, other)], *_named(line, other))
        elif not there and len(here) <= MOST_DROPPED:
            yield _dropped(text, here)
        elif not here and len(there) == 1 and first > 0:
            number, before = own[first - 1]
            lines = [*text.lines[:number], f"{there[0]}\n".encode(), *text.lines[number:]]
            kind = "barrier" if there[0].strip() == "cuda.syncthreads()" else "missing"
            yield text.with_lines(lines, number, kind, "", f"{before}\n{there[0]}")


def _named(line: str, other: str) -> tuple[str, str]:
    """What kind of change a line needs, and what stands there: the part that differs, where the kind says no more."""
    kind, about = kind_of_change(line, other)
    part = differing(line, other)
    if part.isidentifier() and _is_made_of(part, line, other):
        return "unmade", part
    part = part if kind == "line" else ""
    if part.isidentifier() or part.isdigit():
        is_called = part.isidentifier() and re.search(rf"(?<![\w.]){part}\(", line)
        return "call" if is_called else "name" if part.isidentifier() else "number", part
    return ("part", part) if part else (kind, about)


def _is_made_of(name: str, line: str, other: str) -> bool:
    """Whether all that a line lacks is that something is made of a name: `f(x)` in the place of `x`."""
    made = re.sub(rf"[\w.]+\({name}\)", name, other)
    return made != other and bare(made) == bare(line)


def differing(line: str, other: str) -> str:
    """The smallest part of a line that another line has otherwise; "" where that is all of it, or it cannot be read."""
    mine, theirs = _statement(line), _statement(other)
    found = ""
    while mine is not None and theirs is not None and type(mine) is type(theirs):
        pairs = _parts_beside(mine, theirs)
        unlike = [(one, two) for one, two in pairs or () if ast.dump(one) != ast.dump(two)]
        if pairs is None or len(unlike) != 1:
            break
        mine, theirs = unlike[0]
        found = ast.unparse(mine) if isinstance(mine, ast.expr) else found
    return found


def _statement(line: str) -> ast.AST | None:
    text = line.split("  #")[0].strip()
    try:
        return ast.parse(f"{text}\n    pass" if text.endswith(":") else text).body[0]
    except (SyntaxError, IndexError):
        return None


def _parts_beside(mine: ast.AST, theirs: ast.AST) -> list[tuple[ast.AST, ast.AST]] | None:
    """The parts of two nodes beside one another; None where they are no equal number, or more than parts differ."""
    parts, others = list(ast.iter_child_nodes(mine)), list(ast.iter_child_nodes(theirs))
    plain = [
        (getattr(mine, name), getattr(theirs, name))
        for name in mine._fields
        if not isinstance(getattr(mine, name), ast.AST | list)
    ]
    return None if len(parts) != len(others) or any(a != b for a, b in plain) else list(zip(parts, others, strict=True))


def _dropped(text: Text, here: list[tuple[int, str]]) -> Edit:
    """Without lines that the solution has nothing for."""
    (number, first), lines = here[0], [*text.lines]
    for at, _ in here:
        lines[at - 1] = b"\n"
    condition = re.match(r"\s*if (.*):$", first)
    kind, about = ("exception", condition[1]) if condition else ("extra", "")
    return text.with_lines(lines, number, kind, about, f"{first[: len(first) - len(first.lstrip())]}# nothing")


def lines_of(lines: list[str]) -> list[tuple[int, str]]:
    """Lines that are no comment, no docstring and not empty, without the comment behind them; the number of each."""
    cut = [(at + 1, line.split("  #")[0].rstrip()) for at, line in enumerate(lines)]
    return [(at, line) for at, line in cut if line.strip() and not line.strip().startswith(("#", '"""'))]


def _alike(line: str, other: str) -> bool:
    """Whether two lines are mostly the same, or the shorter one is nearly all in the longer one, piece by piece."""
    matched = SequenceMatcher(None, bare(line), bare(other), autojunk=False)
    within = sum(block.size for block in matched.get_matching_blocks()) / max(1, min(len(bare(line)), len(bare(other))))
    return matched.ratio() >= ALIKE or within >= WITHIN


def _indented(line: str, other: str) -> str:
    """Another line, as far in as one."""
    return line[: len(line) - len(line.lstrip())] + other.strip()
