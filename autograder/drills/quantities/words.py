"""The text of an answer, made plain for arithmetic: one sign for each operation, no words that only lead up to it."""

from __future__ import annotations

import re
import unicodedata

SUPERSCRIPTS = {ord(sign): plain for sign, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True)}
RAISED = re.compile(f"[{''.join(map(chr, SUPERSCRIPTS))}]+")
SIGNS = {
    "×": " x ", "✕": " x ", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "⁄": "/", "∕": "/", "−": "-", "–": "-", "—": "-",
    "μ": "u", "µ": "u", "。": ".", "-fold": " fold",
}  # fmt: skip
LEADING = re.compile(
    r"\b(?:about|approximately|approx|roughly|around|circa|ca|nearly|almost|some|the|answer|is|it|its|it's|i|think|guess"
    r"|say|so|in all|in total|total|altogether|exactly|only|just|at least|at best|makes?|gives?|equals?|would be|be"
    r"|that|thats|that's|are|there|of them|or so|all)\b\.?|大约|大概|差不多|左右|答案|总共|一共|恰好|正好|约|是|共|为",
    re.IGNORECASE,
)
WORDS = {
    "plus": "+", "minus": "-", "divided by": "/", "over": "/", "squared": "^2", "cubed": "^3", "to the power of": "^",
    "zero": "0", "none": "0", "nothing": "0", "no": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "sixteen": "16", "half": "0.5",
    "没有": "0", "无": "0", "加": "+", "减": "-", "乘以": "*", "乘": "*", "除以": "/",
}  # fmt: skip
WORD = re.compile(
    r"\b(?:" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")\b|[加减乘除]以?|没有|无", re.IGNORECASE
)
EACH = re.compile(
    r"\b(?:per|for (?:each|every)|in (?:each|every|a|one)|each|every)\s+(?:warp|block|request|thread|lane|load|store"
    r"|run|image|token|launch|access|instruction|multiprocessor|SM|row|step|array|GPU|iteration)s?\b|每个?(?:线程束|线程块|请求|线程|次)",
    re.IGNORECASE,
)
PERCENT = re.compile(r"百分之\s*([\d.]+)")
DOTTED = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{3}){2,}(?![\d.])")
CHINESE_POWER = re.compile(r"(\d+)\s*的\s*(\d+)\s*次(?:方|幂)")
LONG_DASH = re.compile(r"(\d)\s*[–—]\s*(\d)")
RANGE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(-|~|\.{2,3}|\bto\b|到|至)\s*(\d+(?:\.\d+)?)(?![\d.])")
BETWEEN = re.compile(r"\bbetween\b|±|\+/-|(?<!<)<(?!<)|[>≤≥]|之间|至少|\bor\b|或")


def is_a_range(text: str) -> bool:
    """Does it leave open which number it means? "5-8" does, and "32-3" is a difference."""
    if BETWEEN.search(text):
        return True
    found = RANGE.search(LONG_DASH.sub(r"\1-\2", text))
    return bool(found) and (found[2] != "-" or (float(found[1]) < float(found[3]) and " " not in found[0]))


def plain(text: str) -> str:
    """The text with full-width signs, superscripts, number words and what leads up to a number made plain."""
    text = RAISED.sub(lambda found: "^" + found[0].translate(SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text)
    for sign, said in SIGNS.items():
        text = text.replace(sign, said)
    text = CHINESE_POWER.sub(r"\1^\2", text).rpartition("=")[2]
    text = PERCENT.sub(r"\1%", DOTTED.sub(lambda found: found[0].replace(".", ""), text))
    text = LEADING.sub(" ", EACH.sub(" ", text))
    text = WORD.sub(lambda found: f" {WORDS.get(found[0].lower(), '')} ", text)
    return re.sub(r"[≈≃~∼$]", " ", text).strip(" \t\n.,;!?:")
