"""Rates with "a" for "per", and what else a native reader trips over, are in no text of the course or of a verdict."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Mapping
from pathlib import Path

from tools.parts.units import ROOT

NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|sixteen|several|\d[\d,]*|\{[^{}]*\}|\$\w+)"
COUNTED = (
    r"(?:elements?|bytes?|results?|columns?|rows?|pixels?|barriers?|loads?|sums?|products?|registers?|sectors?|requests?"
    r"|words?|instructions?|tuples?|cells?|atomics?|launch(?:es)?|blocks?|flops?"
    r"|threads?|warps?|copies|KiB|numbers?|values?|bytes of [a-z ]*memory)"
)
PER = (
    r"(?:thread|pixel|block|warp|tile|lane|multiprocessor|arrow|second|row|turn|iteration|batch|byte|pass|slice"
    r"|request)"
)
SHARED_OUT = (
    r"(?:thread|warp|block|file|module|row|lane|sentence|folder|question|sector|element"
    r"|(?:long )?queue|vote|shuffle|atomic|barrier|address)"
)
AMONG = (
    r"(?:element|exercise|rung|line|request|unit|row|column|lane|thread|block|warp|student|file|tile|iteration|pass)"
)
ROUND = r"(?:row|round|block|warp|thread|launch|iteration|pass|tile|lane|request|machine|process|batch|call|chunk)"
WHICH = (
    r"(?:[Ee]ach|[Ee]very|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Ll]ast|[Nn]ext|previous|same|earlier"
    r"|[Aa]nother)"
)
FOREIGN = {  # what is foreign -> what a native writes
    rf"(?<!\w){NUMBER} (?:global |row )?{COUNTED} an? {PER}\b(?! apart)": "per, as in four elements per thread",
    rf"\b(?:[Oo]ne|[Tt]wo|[Aa]n?) {SHARED_OUT} an? {AMONG}\b": "per, as in one warp per row",
    rf"\b(?:[Oo]nce|[Tt]wice) an? {ROUND}\b(?! (?:has|had|is|was)\b)": "per, as in once per block",
    rf"\b(?:{WHICH}|{NUMBER})(?<!,)(?<!/\d) turns?\b(?! (?:of each|into|the|sums|those|\+=))": "iteration, of a loop",
    r"\bturn by turn\b|\bturns beyond\b": "iteration, of a loop",
    r"\b[Ff]lops an? byte\b": "flops per byte",
    r"\bfor ever\b": "forever",
    r"\bbehind (?:the end|the array|an array)\b": "past the end",
    r"\b[Bb]ehind (?:a|the) (?:loop|tree|wait|halo|barrier)\b": "after",
    r"\bbehind (?:the|each) other\b|\bbrackets behind\b|\b(?:barrier|event|message) behind\b": "after",
    r"\b[Bb]ehind (?:an?|the|its|their) (?:activation|layer|query|queries|product|addition|sum|Q)\b": "after",
    r"\bless (?:the (?:new|old|common|higher|square|mean|sum|last)|minus|infinity)\b": "minus",
    r"\bfirst(?:, (?!and\b)\w+| and \w+) then\b": "then after the comma, as in first fold, then quantise",
    r"\b[Ll]eave (?:the|an?) \w+ away\b": "leave out",
    r"\bmakes? (?:an? )?(?!all\b|copy\b|fun\b|most\b|much\b|sure\b|use\b)\w+ of it\b": "turns it into",
    r"\b(?:must|has to|have to|threads) come by\b": "go on to, or go through",
    r"\bup to, and without\b": "up to but not including",
    r"\bworth while\b": "worthwhile",
    r"\*\*Predict first\*\*, too": "**Predict**, too",
}
IN_CODE = {  # the same, where a learner reads it in a code cell of a notebook: docstrings and comments
    r"\b\d+ x \d+ an? (?:thread|warp|block|tile)\b": "per, as in 8 x 16 per thread",
    r"(?:,|:|\bb) turned round\b|# turned round": "transposed",
    r"\b(?:in|by) turns\b": "take turns, or one after the other",
    r"\bnobody reads .*\bany more\b": "no thread still reads it",
    r"\b(?:tiles?|table|row|buffer) (?:is|are) whole\b": "complete",
    r"\b(?:tile|stage|row|channels) is there\b": "has arrived",
    r"\b(?:[Ff]or everybody|everybody has)\b": "for all threads, all threads have",
    r"\bon the host again\b": "copied back to the host",
    r"\bexchanged within\b": "permuted within",
    r"\bin an ldmatrix\b": "gives ldmatrix",
    r"\bwhere there is such an?\b": "if there is such an element",
    r"\b(?:ahead of|behind) (?:the|a|it|this|that)\b": "before, after",
}
TEXTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in (
        "solutions/*/*.py",
        "autograder/**/*.md",
        "autograder/**/*.py",
        "autograder/drills/**/*.yaml",
        "simt/**/*.py",
        "benchmarks/**/*.py",
        "tools/**/*.py",
        "tools/templates/**/*.txt",
        "docs/*.md",
        "*.md",
    )
    for path in Path(ROOT).glob(pattern)
    if "replies" not in path.parts  # what people type
)
CELL, MARKDOWN = re.compile(r"^# %%", re.MULTILINE), " [markdown]"
OVER_LINES = re.compile(r'"\s*\n\s*f?"')  # a string goes on


def foreign(text: str, phrases: Mapping[str, str] = FOREIGN) -> list[str]:
    """Every foreign phrase of a text, with what to write."""
    joined = OVER_LINES.sub("", text)
    return [
        f"{match[0]!r}: write {instead}"
        for pattern, instead in phrases.items()
        for match in re.finditer(pattern, joined)
    ]


def said_in_code(source: str) -> str:
    """The docstrings and comments of the code cells of a unit, or of any module, a paragraph for each."""
    code = "".join(f"#{cell}" for cell in CELL.split(source) if not cell.startswith(MARKDOWN))
    documented = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    told = [" ".join((ast.get_docstring(node) or "").split()) for node in documented]
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return "\n".join([*told, *(token.string for token in tokens if token.type == tokenize.COMMENT)])


def test_no_docstring_and_no_comment_of_a_code_cell_has_a_foreign_phrase():
    sources = sorted(ROOT.glob("solutions/*/*.py"))
    found = {path.stem: foreign(said_in_code(path.read_text(encoding="utf-8")), IN_CODE) for path in sources}
    assert len(found) > 20
    assert {} == {name: phrases for name, phrases in found.items() if phrases}


def test_a_foreign_phrase_is_found_in_a_docstring_and_in_a_comment_and_not_in_the_text_beside_them():
    cells = (
        "# %% [markdown]\n# The matrix is b, turned round.\n\n# %%\ndef f(a):\n"
        '    """c = a b, 8 x 16 a\n    thread."""\n    wait()  # for everybody\n'
    )
    assert ["8 x 16 a thread", "for everybody"] == sorted(
        one.split("'")[1] for one in foreign(said_in_code(cells), IN_CODE)
    )
    assert [] == foreign("8 x 16 per thread. Two buffers take turns. Both tiles are complete.", IN_CODE)


def test_no_text_has_a_foreign_phrase():
    found = {name: foreign((ROOT / name).read_text(encoding="utf-8")) for name in TEXTS}
    assert {} == {name: phrases for name, phrases in found.items() if phrases}


def test_a_foreign_rate_is_found_and_a_native_phrase_is_not():
    assert 4 == len(foreign("Load four elements a thread. It waits for ever, as flops a byte say, behind the wait."))
    assert 3 == len(foreign("Every turn of the loop; in the next turn; with 12 turns."))
    assert [] == foreign("Behind it nobody waits. One load is a request. Two of a warp's lanes.")
    assert [] == foreign(
        "For each device in turn. Two buffers take turns. It turns words into bytes: one turns those into starts."
    )
    assert [] == foreign("Four elements per thread, sixteen for a block. Once a lane has found it, the warp stops.")


def test_what_a_careful_reader_stumbles_over_is_found_and_what_only_looks_like_it_is_not():
    assert 3 == len(foreign("Fold first, quantise then. Add it behind the activation. The maximum less the new one."))
    assert 3 == len(foreign("Leave the division away. Every tile must come by. `min(v, 127)` makes a float64 of it."))
    assert 3 == len(
        foreign("It goes up to, and without, the last; is it worth while? **Predict first**, too, for 3 rows:")
    )
    assert [] == foreign(
        "First fold, then quantise. Ask first, and then change. Less the better. The most it can make."
    )
    assert [] == foreign("numba makes a copy of it; a fence makes sure of it. What lies behind the mask stays hidden.")


def test_a_foreign_rate_is_found_where_a_string_goes_on_in_the_next_line():
    assert 1 == len(foreign('"read neighbours: 4 sectors a "\n    "request, and no more"'))
    assert 3 == len(foreign("Once a round; one queue a column; one question a tile."))
