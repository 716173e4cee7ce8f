"""The gate that PTX from the jail passes: a reader of our own with a closed list of words, and with limits on sizes.

It takes what numba writes for a kernel that stands alone, and nothing beside it. It is no proof that the code is good,
only that it is arithmetic on its own memory: no clock, no address called, no symbol from elsewhere, no memory that
stays from one launch to the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograder.classroom.sealed.ptx.body import ENVIRONMENT, read_instruction
from autograder.classroom.sealed.ptx.text import END, PtxRefused, Words
from autograder.classroom.sealed.ptx.words import (
    BOUNDS,
    GRID_BARRIER,
    OUTSIDE,
    PRAGMAS,
    PRINTS,
    REGISTER_TYPES,
    SIZES,
)

MAX_BYTES = 2 << 20  # the longest of the course's kernels takes 130 kB
MOST_SHARED_BYTES = 227 << 10  # of a block: what the largest GPU has
MOST_LOCAL_BYTES = 128 << 10  # of a thread
MOST_CONSTANT_BYTES = 64 << 10
NUMBER = re.compile(r"\d+U?|0[xX][0-9A-Fa-f]+U?|0[fFdD][0-9A-Fa-f]+")
LINKAGE = (".visible", ".common", ".weak", ".extern")


@dataclass
class Accepted:
    """What the gate read. entry: of the kernel; parameters: their types, in order; the sizes are in bytes."""

    entry: str = ""
    target: str = ""  # the architecture that the text names, as in "sm_90" or "sm_90a"
    parameters: tuple[str, ...] = ()
    shared_bytes: int = 0  # of a block, without what a launch adds
    local_bytes: int = 0  # of a thread
    constant_bytes: int = 0
    prints: bool = False
    cooperative: bool = False  # whether it has a grid barrier, which asks for a cooperative launch
    functions: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


def accept(ptx: str, architecture: str) -> Accepted:
    """What a text holds that is all allowed. architecture: that it must be for, as in "sm_90".

    Raises: PtxRefused.
    """
    if len(ptx) > MAX_BYTES:
        raise PtxRefused(f"it takes {len(ptx):,} bytes of PTX, and {MAX_BYTES:,} is the limit")
    if not ptx.isascii() or "\0" in ptx:
        raise PtxRefused("its PTX is not plain ASCII text")
    found = _Reader(Words(ptx), architecture).module()
    if not found.entry:
        raise PtxRefused("its PTX holds no kernel")
    if unknown := sorted(found.called - found.functions - set(OUTSIDE)):
        raise PtxRefused(f"it calls {unknown[0][:60]}, which is not part of it")
    for what, n_bytes, limit in (
        ("shared memory of a block", found.shared_bytes, MOST_SHARED_BYTES),
        ("local memory of a thread", found.local_bytes, MOST_LOCAL_BYTES),
        ("constants", found.constant_bytes, MOST_CONSTANT_BYTES),
    ):
        if n_bytes > limit:
            raise PtxRefused(f"it asks for {n_bytes:,} bytes for {what}, and {limit:,} is the limit")
    return found


class _Reader:
    """Reads a module from its first word to its last."""

    def __init__(self, words: Words, architecture: str):
        self.words, self.architecture, self.found = words, architecture, Accepted()

    def module(self) -> Accepted:
        words = self.words
        words.take(".version")
        words.take()
        words.take(".target")
        self.found.target = words.take()
        if self.found.target not in (self.architecture, f"{self.architecture}a"):
            raise PtxRefused(f"its PTX is for {self.found.target[:20]}, and not for {self.architecture}")
        words.take(".address_size")
        words.take("64")
        while words.next is not END:
            self._declaration()
        return self.found

    def _declaration(self) -> None:
        """A variable, a function or a kernel at the outermost level."""
        linkage = []
        while self.words.next in LINKAGE:
            linkage.append(self.words.take())
        kind = self.words.take()
        if kind == ".entry":
            self._entry(linkage)
        elif kind == ".func":
            self._function(linkage)
        elif kind in (".global", ".const", ".shared"):
            self._variable(kind, linkage)
        else:
            raise PtxRefused(f"its PTX declares {kind[:60]!r}, which is not allowed")

    def _entry(self, linkage: list[str]) -> None:
        if self.found.entry or linkage not in ([".visible"], [".weak"]):
            raise PtxRefused("its PTX holds more than one kernel")
        self.found.entry = self.words.name()
        self.found.parameters = self._parameters()
        while (word := self.words.next).removeprefix(".") in BOUNDS:
            self.words.take()
            self.words.number()
            while self.words.took(","):
                self.words.number()
        if word != "{":
            raise PtxRefused(f"its PTX says {word[:60]!r} of a kernel, which is not allowed")
        self._body()

    def _function(self, linkage: list[str]) -> None:
        """A device function: its body, or the one declaration that is allowed."""
        if self.words.next == "(":
            self._parameters()
        name = self.words.name()
        self._parameters()
        self.words.took(".noreturn")
        if self.words.took(";"):
            if ".extern" in linkage and name not in OUTSIDE:
                raise PtxRefused(f"it needs {name[:60]}, which comes from elsewhere")
            self.found.prints |= name == PRINTS
            self.found.cooperative |= name in GRID_BARRIER
            return
        if ".extern" in linkage:
            raise PtxRefused(f"it defines {name[:60]} as a function from elsewhere")
        self.found.functions.add(name)
        self._body()

    def _variable(self, kind: str, linkage: list[str]) -> None:
        """Memory of the module: shared arrays, tables with values, and the word that numba declares."""
        name, n_bytes, has_values = self._storage()
        if ".extern" in linkage and (kind != ".shared" or n_bytes):
            raise PtxRefused(f"it needs {name[:60]}, which comes from elsewhere")
        if kind == ".shared":
            self.found.shared_bytes += n_bytes
        elif has_values:
            self.found.constant_bytes += n_bytes
        elif not (name.startswith(ENVIRONMENT) and n_bytes == 8):
            raise PtxRefused(f"it declares {name[:60]}, memory that stays from one launch to the next")

    def _storage(self) -> tuple[str, int, bool]:
        """What a declaration says after its kind: name, bytes and whether values are given."""
        words = self.words
        if words.took(".align"):
            words.number()
        size = SIZES.get(words.take().removeprefix("."))
        if size is None:
            raise PtxRefused("it declares memory of a type that is not allowed")
        name = self.words.name()
        n_bytes = size
        while words.took("["):
            n_bytes *= 0 if words.next == "]" else words.number()
            words.take("]")
        has_values = words.took("=")
        if has_values:
            self._values()
        words.take(";")
        return name, n_bytes, has_values

    def _values(self) -> None:
        """Numbers, in braces where there are several. An address as a value would be a pointer: none is allowed."""
        if not self.words.took("{"):
            self._value(self.words.take())
            return
        for word in self.words.until("}"):
            if word not in (",", "-"):
                self._value(word)

    @staticmethod
    def _value(word: str) -> None:
        if not NUMBER.fullmatch(word):
            raise PtxRefused(f"a table holds {word[:60]!r} in place of a number")

    def _parameters(self) -> tuple[str, ...]:
        """The types of what a function or a kernel takes, or gives."""
        words, types = self.words, []
        words.take("(")
        while not words.took(")"):
            words.take(".param")
            if words.took(".align"):
                words.number()
            kind = words.take().removeprefix(".")
            if kind not in SIZES:
                raise PtxRefused(f"a parameter is of type {kind[:20]!r}")
            self.words.name()
            if words.took("["):
                kind = f"{kind}[{words.number()}]"
                words.take("]")
            types.append(kind)
            words.took(",")
        return tuple(types)

    def _body(self) -> None:
        """Everything between the braces of a function, braces inside it included."""
        words = self.words
        words.take("{")
        depth = 1
        while depth:
            if words.took("{"):
                depth += 1
            elif words.took("}"):
                depth -= 1
            elif words.next.startswith("."):
                self._directive()
            elif words.at + 1 < len(words.words) and words.words[words.at + 1] == ":":
                self.words.name()
                words.take(":")
            else:
                self._instruction()

    def _directive(self) -> None:
        """A declaration inside a function."""
        words = self.words
        kind = words.take()
        if kind == ".reg":
            if words.take().removeprefix(".") not in REGISTER_TYPES:
                raise PtxRefused("it declares registers of a type that is not allowed")
            words.until(";")
        elif kind in (".local", ".shared"):
            name, n_bytes, has_values = self._storage()
            if has_values:
                raise PtxRefused(f"{name[:60]} is given values, which {kind[1:]} memory cannot have")
            self.found.local_bytes += n_bytes if kind == ".local" else 0
            self.found.shared_bytes += n_bytes if kind == ".shared" else 0
        elif kind == ".param":
            words.at -= 1
            words.until(";")
        elif kind == ".pragma":
            if words.take().strip('"') not in PRAGMAS:
                raise PtxRefused("it tells the assembler something other than not to unroll")
            words.take(";")
        else:
            raise PtxRefused(f"its PTX says {kind[:60]!r}, which is not allowed")

    def _instruction(self) -> None:
        if called := read_instruction(self.words):
            self.found.called.add(called)
