"""The text of an answer, made plain for arithmetic: one sign for each operation, no words that only lead up to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from autograder.drills.quantities.number_words import in_digits

SUPERSCRIPTS = {ord(sign): plain for sign, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True)}
RAISED = re.compile(f"[{''.join(map(chr, SUPERSCRIPTS))}]+")
MIXED = re.compile(r"(\d+)\s*([¼½¾⅓⅔⅛])")
SIGNS = {
    "×": " x ", "✕": " x ", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "⁄": "/", "∕": "/", "−": "-", "–": "-", "—": "-",
    "μ": "u", "µ": "u", "。": ".", "’": "'", "→": " -> ", "⇒": " -> ", "=>": " -> ", "-fold": " fold", "⌈": " ceil(",
    "⌉": ")", "⌊": " floor(", "⌋": ")", "[": "(", "]": ")", "【": "(", "】": ")", "\\times": " x ", "\\cdot": "*",
    "\\approx": "≈", "\\,": " ", "\\%": "%",
}  # fmt: skip
QUOTES = "\"'`“”‘«»*_$ \t\n"
PHRASES: dict[str, str | Callable[[re.Match[str]], str]] = {  # read before single words go
    r"\\mu\s*": "u",
    r"\\frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}": r"((\1)/(\2))",
    r"\bto the\s+(?:power of\s+)?(\d+)(?:st|nd|rd|th)?(?: power)?\b": r"^\1",
    r"(\d+)\s*的\s*(\d+)\s*次(?:方|幂)": r"\1^\2",
    r"(?<=\d)(?:st|nd|rd|th)\b": "",
    r"(?<![\w.])(\d+\.?\d*|\.\d+)f\b": r"\1",  # 0.5f
    r"(?<![\d./^*+-])(\d+) (\d/\d\d?)(?![\d.])": r"(\1+\2)",  # 2 1/2
    r"\bpow\s*\(([^(),]+),([^(),]+)\)": r"((\1)^(\2))",
    r"\b(?:ceil_?div|cdiv)\s*\(([^(),]+),([^(),]+)\)": r"ceil((\1)/(\2))",
    r"(?<=\d)\s*%\s*(?=\d)": " mod ",
    r"\b(nano|micro|milli) (?=sec)": r"\1",
    r"(?<=\d)\s*\b([kMGT]i?) (?=(?:bytes?|bits?|B)\b)": r" \1",  # 2039 G bytes
    r"^(.+?)\s*,?\s*(?:\brounded up|\bround(?:ing)? up|向上取整)(?:后|就)?[\s.。]*$": r"ceil(\1)",
    r"\bper cent\b": "percent",
    r"(?<![\w.])(\d+)\s*m\s*(?=\d+(?:\.\d+)?\s*s(?:ecs?|econds?)?\b)": r"\1 min ",  # 1m20s
    r"\*?\s*\bs(?:ec)?\s*\^\s*-\s*1\b|\s*\b(?:per|an?|each|every|in an?|in one) (?:second|sec|s)\b": "/s",
    r"^(.*)每秒钟?(.+)$": r"\1\2/s",
    r"^每字节(.+)$": r"\1/字节",
    r"(?<=[\d百千万亿])\s*个(?=\s*[A-Za-z])|(?<=[^\W_])[吧了呢啊整快](?=\W|$)": " ",
    r"\b(?:per|in)\s+(?=[\d.])": "/",
    r"\bat\s+(?=[\d.,]+\s*[kMGT]i?B(?:/s|ps)\b)": "/",  # 256 MiB at 2 TB/s
    r"(?<=\d)(\s+[^\W\d_]+)?\s+by\s+(?=\d)": r"\1 x ",  # 64 blocks by 64
    r"(?<=[^\W\d_])-(?=[^\W\d_])": " ",
    r"(?<=\d)-(?=(?:way|bytes?|bits?)\b)": " ",
    r"\bminus\b|\bnegative\b|负|(?<=\d)\s*减去?(?=\s*\d)": " -",
    r"\bplus\b|(?<=\d)\s*加上?(?=\s*\d)": "+",
    r"\bdivided by\b|\bover\b(?=\s*[\d(])|除以": "/",
    r"\bfor (?:each|every) (?=byte|second)": "per ",
    r"(?<=\d)\s*乘以?(?=\s*\d)": "*",
    r"\bsquared\b": "^2",
    r"\bcubed\b": "^3",
    r"\b(?:twice|doubled?)\s+(?:the|that|those|its)?\s*(?:[^\W\d_]+ of )?(?=\d)": "2*",
    r"\btwice\b|\bdouble[sd]?\b": "2",
    r"\bnone\b|\bnothing\b|^\s*no\b|没有|无": " 0 ",
    r"\b\d{1,3}(?:\.\d{3})+,\d+(?!\d)": lambda found: found[0].replace(".", "").replace(",", "."),  # 1.200,5
    r"(?<![\d.])\d{1,3}(?:\.\d{3}){2,}(?![\d.])": lambda found: found[0].replace(".", ""),  # 1.048.576
}
READ_FIRST = [(re.compile(pattern, re.IGNORECASE), said) for pattern, said in PHRASES.items()]
LEADING = re.compile(
    r"'(?:s|d|m|ll|re|ve)\b|\b(?:about|approximately|approx|roughly|around|circa|ca|c\.|nearly|almost|some|the|answer|is"
    r"|its|it|i|think|guess|say|in all|in total|total|altogether|exactly|only|just|at least|at best|makes?|gives?"
    r"|equals?|would be|be|thats?|are|there|of them|them|or so|all)\b\.?"
    r"|大约|大概|左右|上下|答案|应该|可能|我(?:觉得|认为|猜|想)|存的|结果|原来的|总共|恰好|正好|需要|下限|约|是|共|为|第",
    re.IGNORECASE,
)
THINGS = (
    "(?:warp|block|request|thread|lane|load|store|run|image|token|launch|access|instruction|multiprocessor|SM|row|step"
    "|array|GPU|iteration)s?"
)
EACH = re.compile(
    rf"\b(?:(?:per|for (?:each|every|an?|one)|in (?:each|every|an?|one)|each|every|an?)\s+){THINGS}\b|\s*/\s*{THINGS}\b"
    r"|每个?(?:线程束|线程块|请求|线程|次)",
    re.IGNORECASE,
)
RESULT = re.compile(
    r"==?|->|(?<=\S)\s*[≈≃]|:(?=\s)|\bstores(?=\s+-?\d)|所以|因此|也就是|即|等于"
    r"|向上取整[得为是后,:\s]+(?=\d)|(?<=\d)\s*得到?(?=\s*\d)"
    r"|\b(?:(?<!or )so|therefore|thus|hence|(?:rounds?|rounded|up)(?: up)? to|i\.e\.|takes|yields|gives|gets|holds)"
    r"(?!\w)",
    re.IGNORECASE,
)
NAMED_FIRST = re.compile(r"^[^\d:：]*[^\W\d_][^\d:：]*[:：]")  # as in "time: 1580 us"
RANGE = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?!e[-+])[^\W\d_]{0,3}\s*"
    r"(-|~|\.{2,3}|\bto\b|到|至)\s*(\d+(?:\.\d+)?)(?![\d.])",
    re.IGNORECASE,
)
CALCULATION = re.compile(r"\d\s*[*/^(]|\d\s*%\s*\d|[*/^(]\s*\d|\d\s*x\s*\d", re.IGNORECASE)
BETWEEN = re.compile(
    r"\bbetween\b|±|\+/-|(?<!<)<(?!<)|[>≤≥]|之间|至[少多]|最[少多]|\bor\b(?! so\b)|或|\bnot\b|n't\b|\bnever\b|不"
    r"|[大多高小少低]于|超过|\b(?:more|less|fewer|greater|larger|higher|lower) than\b(?=\s*\d)|\bat (?:least|most)\b"
    r"|(?<=\d)\+(?=\s*(?:[^\W\d]|$))",
    re.IGNORECASE,
)
LIMIT = re.compile(
    r"[<>]=(?!<)|(?<!<)<(?!<)|>(?!>)|[≤≥]|\b(?:no|not) (?:less|more|fewer) than\b"
    r"|\b(?:at|or) (?:least|most|more|less)\b|\b(?:cannot|can't) (?:beat|be (?:less|faster) than)\b|\bno faster than\b"
    r"|\bminimum\b|^\s*min\b|(?<=[a-z]) min\.?$|至少|至多|最少|最多|不少于|不低于|不会[少低短]于|以上",
    re.IGNORECASE,
)
ASKS_FOR_A_LIMIT = re.compile(
    r"\bbound\b|\bat (?:least|best|most)\b|\b(?:cannot|not) beat\b|至少|最少|下限|至多|最多|不可能|不会(?:短|少|低)于",
    re.IGNORECASE,
)


def is_a_range(text: str) -> bool:
    """Does it leave open which number it means? "5-8" does, and "32-3" is a difference."""
    result = RESULT.split(in_digits(in_signs(text).replace("差不多", " ")))[-1]
    if BETWEEN.search(result):
        return True
    found = RANGE.search(result)
    if not found or CALCULATION.search(result):
        return False
    return found[2] != "-" or (float(found[1]) < float(found[3]) and not re.search(r"\d -|- \d", found[0]))


def without_limits(text: str, asked: str) -> str:
    """The text without "at least" and "≥", where the question asks for a bound and they say nothing more."""
    return LIMIT.sub(" ", in_signs(text)) if ASKS_FOR_A_LIMIT.search(asked) else text


def in_signs(text: str) -> str:
    """Full-width and raised signs, and those that have a look-alike on a keyboard, as the keyboard has them."""
    text = RAISED.sub(lambda found: "^" + found[0].translate(SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", MIXED.sub(r"(\1+\2)", text))
    for sign, said in SIGNS.items():
        text = text.replace(sign, said)
    return text


def plain(text: str) -> str:
    """The text with spelled numbers in digits, operations as signs, and of several equal terms the last."""
    text = in_digits(re.sub("差不多|[一总]共|左右|上下", " ", NAMED_FIRST.sub("", in_signs(text).strip(QUOTES))))
    for pattern, said in READ_FIRST:
        text = pattern.sub(said, text)
    parts = [part for part in RESULT.split(text) if re.search(r"\d", part)]
    return parts[-1] if parts else text


def without_lead(text: str) -> str:
    """Without the words that only lead up to a number, and signs round it."""
    text = re.sub(r"[≈≃~∼]", " ", LEADING.sub(" ", EACH.sub(" ", text)))
    return (
        re.sub(r"^\s*\.(?!\d)", "", re.sub(r"(?<=[\d百千万亿])\s*个(?!\w)", " ", text))
        .strip(" \t\n,;!?:")
        .rstrip(". \t,;!?")
    )
