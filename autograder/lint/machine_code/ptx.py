"""PTX as instructions that know the source lines they came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+(?:,\s*function_name\s+\S+?,\s*inlined_at\s+(\d+)\s+(\d+)\s+\d+)?")
_INSTRUCTION = re.compile(r"^\s*(?:@!?%\w+\s+)?([a-z][a-z0-9_]*(?:[.:]\w+)*)\s*(.*);")
_SHARED = re.compile(r"^\s*(?:\.\w+\s+)*?\.shared\s+\.align\s+(\d+)\s+\.b8\s+\S+?\[(\d+)\]", re.MULTILINE)
CARRYING = ("mov", "ret")
MOST_OPCODES = 1500
_ARITHMETIC = frozenset(
    "add sub mul mad fma div rem rcp sqrt rsqrt min max abs neg setp set sin cos lg2 ex2 tanh copysign".split()
)


@dataclass(frozen=True)
class SourceLine:
    """One source line."""

    file: str
    line: int

    def is_in(self, file: str) -> bool:
        """Whether this is a line of a file; the compiler makes relative names absolute."""
        return self.file == file or self.file.endswith(f"/{file}")


@dataclass(frozen=True)
class Instruction:
    """One instruction. `places`: the line it was written on, then the line that call was inlined at."""

    opcode: str  # "fma.rn.f64"
    operands: str  # "%fd1, %fd2, 0d400D99999999999A"
    places: tuple[SourceLine, ...]

    @property
    def operation(self) -> str:
        """The opcode without its modifiers: "fma"."""
        return self.opcode.partition(".")[0]

    def computes_in(self, type_suffix: str) -> bool:
        """Whether this is arithmetic or a comparison in the type, as "f64"; moves, conversions and memory are not."""
        return self.operation in _ARITHMETIC and self.opcode.endswith("." + type_suffix)


def instructions(ptx: str) -> Iterator[Instruction]:
    """Every instruction in order; those before the first line mark have no place.

    Line 0 marks what the compiler split or merged (the halves of a long division): it belongs to the line before.
    """
    files: dict[str, str] = dict(_FILE.findall(ptx))
    places: tuple[SourceLine, ...] = ()
    for line in ptx.splitlines():
        if mark := _LOC.match(line):
            if mark[2] != "0":
                pairs = [(mark[1], mark[2]), (mark[3], mark[4])]
                places = tuple(SourceLine(files.get(file, ""), int(number)) for file, number in pairs if file)
        elif match := _INSTRUCTION.match(line):
            yield Instruction(match[1], match[2], places)


@lru_cache(maxsize=2)
def all_instructions(ptx: str) -> tuple[Instruction, ...]:
    """The same as one tuple, kept for whoever asks something else of the same kernel."""
    return tuple(instructions(ptx))


def opcodes(ptx: str) -> str:
    """What a kernel does, opcode by opcode, without what carries values about: "ld.global.f32 fma.rn.f32 ...".

    Cut off behind `MOST_OPCODES`. It is the same for sources that differ in names and layout only.
    """
    doing = (one.opcode for one in all_instructions(ptx) if one.operation not in CARRYING and "param" not in one.opcode)
    return " ".join(islice(doing, MOST_OPCODES))


def static_shared_bytes(ptx: str) -> int:
    """Bytes of shared memory the kernel declares, laid out in order of declaration.

    The assembler's own figure includes a kilobyte that newer GPUs reserve in every block.
    """
    end = 0
    for alignment, size in _SHARED.findall(ptx):
        end = -(-end // int(alignment)) * int(alignment) + int(size)
    return end
