"""A kernel round a piece of code, with arguments and a launch: what a card's `run` says of it.

    run:
      arguments: {x: "float32[200]", y: "float32[200] = 0", n: int32(150)}
      launch: [2, 32]

Besides: `reads`, arrays that are const; `above`, lines of the program before the kernel; `before` and `after`, lines of
the kernel round the code, where {i} is the name that the code gives to what the card calls i; `shows`, which name of
each thread an array holds; `function`, where the code is a whole kernel; `sizes`, what it calls lengths; `calls`, words
that stand for others; `cases`, further arguments; `counts`, counters that matter; `decides: false` where code that does
the same may still break a promise that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.drills import cpp
from autograder.drills.deck.course import Argument, Piece, Program
from autograder.drills.deck.model import Card
from autograder.drills.structure import CPP, StructureError, read
from autograder.drills.structure.forms import all_of
from autograder.drills.values.snippet import HEADER, argument_of

FRAGMENT = "fragment"
NAMED = re.compile(r"\{(\w+)\}")
LINES = re.compile(r"\b([Ll]ines?) (\d+)")
PLACE = re.compile(r"^\w+, line (\d+): ")
INDENT = "    "


@dataclass(frozen=True)
class Stage:
    """Where the code of one card is run."""

    card: Card

    @property
    def said(self) -> Mapping[str, Any]:
        return self.card.data["run"]

    @property
    def language(self) -> str:
        return self.card.data["to"]

    @property
    def function(self) -> str:
        return self.said.get("function", FRAGMENT)

    @property
    def launch(self) -> tuple[int, int]:
        """Blocks, and threads of each."""
        blocks, threads = self.said["launch"]
        return blocks, threads

    def cases(self) -> list[dict[str, Any]]:
        """Fresh arguments, by name, of each run."""
        texts = self.said["arguments"]
        return [
            {name: argument_of(self.card, name, {**texts, **case}[name], {}) for name in texts}
            for case in self.said.get("cases", [{}])
        ]

    def contract(self) -> tuple[Argument, ...]:
        """The arguments as a kernel in C++ has them."""
        reads, sizes = self.said.get("reads", ()), self.said.get("sizes", {})
        found = []
        for name, value in self.cases()[0].items():
            is_array = isinstance(value, np.ndarray)
            role = "in" if name in reads else "inout" if is_array else "scalar"
            shape = f"({sizes.get(name, f'{name}_size')},)" if is_array else ""
            found.append(Argument(name, role, str(np.asarray(value).dtype), shape))
        return tuple(found)

    def program(self, code: str) -> tuple[Program, Callable[[str], str]]:
        """The code as a program, and what says a sentence about it in the code's own lines and words.

        Raises: cpp.CppError, its line one of the code; StructureError where a name cannot be found.
        """
        text, above = self._round(code)
        count = code.count("\n") + 1

        def own(line: int) -> int:
            return max(1, min(line - above, count))

        if self.language != CPP:
            return self._program(text), lambda said: _in_lines(said, own)
        try:
            found = cpp.translate(text, self.function, self.contract())
        except cpp.CppError as error:
            error.line = own(error.line)
            raise
        program = self._program(found.source, Piece(cpp.HELPERS, "helpers.py"))
        told = cpp.teller(found, text, {}, lambda line: own(found.places[line - 1]))
        return program, lambda said: told(PLACE.sub(r"Line \1: ", said))

    def _program(self, source: str, *setup: Piece) -> Program:
        name = f"{self.card.id}.py"
        return Program(source.strip("\n") + "\n", self.function, name, setup=(Piece(HEADER, "imports.py"), *setup))

    def _round(self, code: str) -> tuple[str, int]:
        """The whole kernel, and how many lines stand above the code."""
        for word, other in self.said.get("calls", {}).items():
            code = code.replace(word, other)
        if "function" in self.said:
            return code, 0
        if self.language == CPP and not code.rstrip().endswith((";", "}")):
            code = f"{code.rstrip()};"
        before, after = (self._named(self.said.get(name, ""), code).splitlines() for name in ("before", "after"))
        if self.language == CPP:
            head, end = f"{cpp.signature(FRAGMENT, self.contract())} {{", ["}"]
        else:
            head, end = f"@cuda.jit\ndef {FRAGMENT}({', '.join(self.said['arguments'])}):", []
        above = [*self.said.get("above", "").splitlines(), *head.split("\n"), *(INDENT + line for line in before)]
        inside = [INDENT + line for line in (*code.split("\n"), *after)]
        return "\n".join([*above, *inside, *end]) + "\n", len(above)

    def _named(self, text: str, code: str) -> str:
        """The lines with the code's own names in them. Raises: StructureError where it is open which one is meant."""
        keep = frozenset(self.card.data.get("names", ()))

        def own(found: re.Match) -> str:
            if re.search(rf"\b{found[1]}\b", code):
                return found[1]
            names = {each[1] for each in all_of(read(self.language, code, keep), "let", "declare")} - keep
            if len(names) != 1:
                raise StructureError(found[1])
            return names.pop()

        return NAMED.sub(own, text)


def _in_lines(said: str, own: Callable[[int], int]) -> str:
    said = PLACE.sub(r"Line \1: ", said)
    return LINES.sub(lambda found: f"{found[1]} {own(int(found[2]))}", said)
