"""What one of the cookbook's programs printed, by case: its tensors, with their types, shapes and elements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

START = re.compile(r"^=+ Start \[(\w+),(.*)\]$")
TENSOR = re.compile(r"^(Input |Output)->(DataType\.\w+), (\(.*?\)), (\(.*?\)), (.*)$")
HEARD = re.compile(r"^\[\d\d/\d\d/\d{4}-[\d:]+\] \[TRT\]")  # a logger's line, wherever it came between
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf)|nan|True|False")


@dataclass
class Tensor:
    """One line "Output->type, engine's shape, context's shape, name", and the elements that were printed below.

    whole: whether all elements were printed, or some left out as "...".
    """

    mode: str
    dtype: str
    built: str
    shape: str
    name: str
    elements: np.ndarray | None = None
    whole: bool = True


@dataclass
class Case:
    """A case by name and arguments, and its tensors in the order of printing. end: whether it came to its end."""

    title: str
    tensors: list[Tensor] = field(default_factory=list)
    end: bool = False
    error: str = ""


def cases(text: str) -> list[Case]:
    """The cases of a log, in order."""
    found: list[Case] = []
    lines = [line for line in text.splitlines() if not HEARD.match(line)]
    for index, line in enumerate(lines):
        if start := START.match(line):
            found.append(Case(f"{start[1]},{start[2]}"))
        elif found and re.match(r"^=+ End   \[", line):
            found[-1].end = True
        elif found and line.startswith("ERROR "):
            found[-1].error = line[6:]
        elif found and (tensor := TENSOR.match(line)):
            found[-1].tensors.append(Tensor(tensor[1].strip(), *tensor.groups()[1:]))
        elif found and not found[-1].end and (waiting := unread(found[-1], line)):
            waiting.elements, waiting.whole = printed(lines[index + 1 :])
    return found


def unread(case: Case, line: str) -> Tensor | None:
    """The tensor of this name whose elements have not come yet."""
    return next((t for t in case.tensors if t.name == line and t.elements is None), None)


def printed(lines: list[str]) -> tuple[np.ndarray, bool]:
    """The array at the beginning of these lines, flat: up to where its brackets are closed."""
    text, depth = "", 0
    for line in lines:
        text += line + " "
        depth += line.count("[") - line.count("]")
        if depth <= 0:
            break
    words = {"True": 1.0, "False": 0.0}
    numbers = [words[n] if n in words else float(n) for n in NUMBER.findall(text)]
    return np.array(numbers, np.float64), "..." not in text
