"""A verdict of the course as a drill tells it: without the calls of a notebook, which a drill has not, and in Chinese.

English is the source. `verdicts_zh.yaml` has sentences with slots; one that it does not have stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of
from autograder.report.text import WIDTH

CALLS = ("q.hint(", "q.show(")
FILE = Path(__file__).with_name("verdicts_zh.yaml")
SLOT = re.compile(r"\{(\w+)\}")
OCCUPANCY = re.compile(r"(\d+%) occupancy\b")
ENDINGS = {"s", "t"}
SPACE = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
BARRIER = re.compile(r"\bcuda\.(syncthreads|syncwarp|threadfence)\(\)")
OWN_LINE = re.compile(r"\d+ of \d+ cases? right |\d+ registers, ")  # begin a line, however long the one before is
SENTENCE = re.compile(r"(?<=[a-z)\]`][.?])\s+(?=[A-Z`\d])|(?<=\d\.)\s+(?=[A-Z`])")
WHO = (
    (re.compile(r"\b[Tt]hread (\([^()]*\)|\d+) of block (\([^()]*\)|\d+)"), r"线程块 \2 的线程 \1"),
    (re.compile(r"\b[Tt]hread (\([^()]*\)|\d+)"), r"线程 \1"),
    (re.compile(r"\bout of bounds\b"), "索引越界"),
    (re.compile(r"\brace\b"), "数据竞争"),
    (re.compile(r"\bgeneral values\b"), "一般的数值"),
    (re.compile(r"\blanes? (?=\d)"), "lane "),
    (re.compile(r"(?<=\d) to (?=\d)"), " 到 "),
    (re.compile(r"(?<=\d) ind(?:ex|ices)$"), " 个下标"),
)
COUNTED = (  # names of counters, part by part
    ("shared load", "共享内存加载的"), ("shared store", "共享内存写入的"), ("global load", "全局内存加载的"),
    ("global store", "全局内存写入的"), ("global atomic", "全局内存原子操作的"), ("float64 flops", "双精度运算"),
    ("atomic operations", "原子操作"), ("bank conflicts", "存储体冲突"), ("conflicts", "冲突数"), ("sectors", "扇区数"),
    ("requests", "请求数"), ("bytes", "字节数"), ("divergent branches", "分化的分支"), ("barriers", "栅栏"),
    ("warp instructions", "线程束指令"), (" per request", "（每次请求）"),
)  # fmt: skip


def told(outcome) -> str:
    """The verdict without the lines that advise a call, such as q.hint()."""
    return "\n".join(line for line in str(outcome).splitlines() if not any(call in line for call in CALLS))


def said_in(language: str, verdict: str) -> str:
    """The verdict in a learner's language; of both, one under the other."""
    if language == "en" or not verdict:
        return verdict
    chinese = "\n".join(indent + "".join(map(_or_as_it_is, _sentences(text))) for indent, text in _unwrapped(verdict))
    return chinese if language == "zh" else f"{verdict}\n\n{chinese}"


def in_chinese(sentence: str) -> str | None:
    """One sentence; None where it is not in the list."""
    for pattern, chinese in _templates():
        if found := pattern.fullmatch(sentence.strip()):
            said = {name: _in_slot(name, text) for name, text in found.groupdict(default="").items()}
            return SPACE.sub("", chinese.format(**said))
    return None


def sentences(verdict: str) -> list[str]:
    """Every sentence of a verdict, on one line each."""
    return [sentence for _, text in _unwrapped(verdict) for sentence in _sentences(text)]


def _sentences(text: str) -> list[str]:
    """A line cut into sentences of the list; one that is only as a whole in it stays whole."""
    cut = SENTENCE.split(text)
    return cut if all(map(in_chinese, cut)) or not in_chinese(text) else [text]


def _or_as_it_is(sentence: str) -> str:
    found = in_chinese(sentence)
    if OCCUPANCY.search(sentence):
        found = OCCUPANCY.sub(
            r"占用率 \1", sentence.replace(" registers", " 个寄存器").replace(" B shared", " B 共享内存")
        )
    return f"{sentence} " if found is None else found


def _in_slot(name: str, text: str) -> str:
    """What stands between words, in Chinese; what is wrong with a line is a sentence of the list itself."""
    if name == "counter":
        return _counter(text)
    if name == "wrong":
        return "".join(map(_or_as_it_is, _sentences(text))).strip()
    return _who(text)


def _who(text: str) -> str:
    for pattern, chinese in WHO:
        text = pattern.sub(chinese, text)
    return text


def _counter(text: str) -> str:
    """A counter's name in Chinese."""
    for english, chinese in COUNTED:
        text = text.replace(english, chinese)
    return re.sub(r"(?<=[\u4e00-\u9fff]) ", "", text)


@cache
def entries() -> tuple[tuple[str, str], ...]:
    """The list: English and Chinese, with slots."""
    return tuple((english, chinese) for english, chinese in content_of(FILE))


def _of_cpp(entry: tuple[str, str]) -> tuple[str, str]:
    """An entry as it is said of CUDA C++, where a call has another name."""
    english, chinese = (BARRIER.sub(r"__\1()", text) for text in entry)
    return english, chinese


@cache
def _templates() -> tuple[tuple[re.Pattern, str], ...]:
    found = []
    for english, chinese in (*entries(), *map(_of_cpp, entries())):
        parts = SLOT.split(english)
        pattern = "".join(_slot(part) if place % 2 else re.escape(part) for place, part in enumerate(parts))
        found.append((re.compile(pattern, re.DOTALL), chinese))
    return tuple(found)


def _slot(name: str) -> str:
    return f"(?P<{name}>(?:es|s)?)" if name in ENDINGS else f"(?P<{name}>.+?)"


def _unwrapped(verdict: str) -> list[tuple[str, str]]:
    """Lines as they were before they were cut at the width, each with its indentation."""
    found: list[tuple[str, str]] = []
    last = ""
    for line in verdict.splitlines():
        indent, text = line[: len(line) - len(line.lstrip())], line.strip()
        word = text.partition(" ")[0]
        if not OWN_LINE.match(text) and found and text and found[-1][0] == indent and len(last) + 1 + len(word) > WIDTH:
            found[-1] = (indent, f"{found[-1][1]} {text}")
        else:
            found.append((indent, text))
        last = line
    return found
