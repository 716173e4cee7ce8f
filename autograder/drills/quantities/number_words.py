"""Numbers that are spelled out, in English and in Chinese, put into digits: "two hundred and forty", "三分之一"."""

from __future__ import annotations

import re

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: value for value, word in enumerate(ONES)} | {word: 10 * (at + 2) for at, word in enumerate(TENS)}
LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
FRACTIONS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "sixth": 6,
    "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10, "sixteenth": 16, "sixteenths": 16,
}  # fmt: skip
COUNTED = "|".join(sorted(SMALL, key=len, reverse=True))
SCALED = "|".join((*LARGE, "hundred"))
SPELLED = re.compile(
    rf"\b(?:an? (?:{SCALED})|{COUNTED})(?:(?:[\s-]+|\s+and\s+)(?:{COUNTED}|{SCALED}))*\b", re.IGNORECASE
)
PARTS = "|".join(FRACTIONS)
PART = re.compile(rf"(?:\b(\d+|an?|one)[\s-]+)?\b({PARTS})\b(\s+of\s+(?=[\d(]))?(?:\s+of\b|\s+an?\b)?", re.IGNORECASE)
AND_A_HALF = re.compile(r"(\d+)\s+and\s+(?:an?|1)\s+half\b", re.IGNORECASE)

DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
PLACES = {"十": 10, "百": 100, "千": 1000}
GROUPS = {"万": 10**4, "亿": 10**8}
SIGNS = "".join((*DIGITS, *PLACES))
CHINESE = rf"[{SIGNS}][{SIGNS}万亿]*(?:点[{''.join(DIGITS)}]+)?"
SHARE = re.compile(rf"({CHINESE}|\d+)\s*分之\s*({CHINESE}|[\d.]+)")
TENTHS = re.compile(rf"({CHINESE}|[\d.]+)\s*成(半)?")
MIXED = re.compile(r"(?<![\d.])(?:(?:\d+[亿万千百十]){2,}(?!\d)|\d+万\d{4}(?!\d))")  # 1万2千8百, 14万7712
HALF = re.compile(
    r"(?<![倍成点])(?:恰好|正好|刚好)?一?半(?:数|个)?(?=的?(?:\s*[A-Za-z]|\W|$))(?:的\s*[A-Za-z]+)?"
)  # 一半, 半个 GiB
AND_HALF = re.compile(rf"(?<![\d.])({CHINESE}|\d+)\s*(个)半")  # 两个半
WHOLE_CHINESE = re.compile(CHINESE)


def in_digits(text: str) -> str:
    """The text with spelled numbers in digits. "half" and "a third" become quotients in parentheses."""
    text = _of_chinese(text)
    text = SPELLED.sub(lambda found: f" {_value(found[0])} ", text)
    text = AND_A_HALF.sub(r"\1.5", text)
    return PART.sub(_part, text)


def _part(found: re.Match) -> str:
    count = found[1] if found[1] and found[1].isdecimal() else "1"
    return f" ({count}/{FRACTIONS[found[2].lower()]}) {'* ' if found[3] else ''}"


def _value(spelled: str) -> int:
    """Of "two hundred and forty" or "a thousand"."""
    whole = part = 0
    for word in re.findall(r"[a-z]+", spelled.lower()):
        if word in SMALL:
            part += SMALL[word]
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in LARGE:
            whole, part = whole + (part or 1) * LARGE[word], 0
    return whole + part


def _of_chinese(text: str) -> str:
    """Shares first, then plain numbers; a place that stands behind digits is left to who reads multiples."""
    text = re.sub("[一1]个[都也]没有|没有[一1]个", "没有", text)
    text = MIXED.sub(lambda found: str(_mixed(found[0])), text)
    text = AND_HALF.sub(lambda found: f"{_digits(found[1])}.5{found[2]}", text)
    text = HALF.sub(" (1/2) ", text)
    text = SHARE.sub(_share, text)
    text = TENTHS.sub(lambda found: f"{10 * float(_digits(found[1])) + (5 if found[2] else 0):g}%", text)
    text = re.sub(r"(?<!\d)(?<!\d )" + WHOLE_CHINESE.pattern + "(?!分)", lambda found: _digits(found[0]), text)
    return re.sub(r"(\d)\s*倍半", r"\1.5倍", text)


def _mixed(text: str) -> int:
    """Of 1万2千8百: what stands before 万 and 亿 is multiplied as a whole."""
    whole = group = 0
    for count, sign in re.findall(r"(\d+)([亿万千百十])", text):
        if sign in GROUPS:
            whole, group = _grouped(whole, group + int(count), sign), 0
        else:
            group += int(count) * PLACES[sign]
    behind = re.search(r"\d*$", text)
    return whole + group + int(behind[0] or 0 if behind else 0)


def _grouped(whole: int, group: int, sign: str) -> int:
    """亿 multiplies all before it, 万 what stands behind 亿."""
    return (whole + group) * GROUPS[sign] if sign == "亿" else whole + group * GROUPS[sign]


def _share(found: re.Match) -> str:
    below, above = _digits(found[1]), _digits(found[2])
    return f" {above}% " if below == "100" else f" ({above}/{below}) "


def _digits(spelled: str) -> str:
    """Of 三百五十 or 二点五; digits as they are."""
    if re.fullmatch(r"[\d.]+", spelled):
        return spelled
    whole, _, behind = spelled.partition("点")
    decimals = "".join(str(DIGITS[sign]) for sign in behind)
    return f"{_chinese_value(whole)}{'.' if decimals else ''}{decimals}"


def _chinese_value(spelled: str) -> int:
    """十 alone is ten, 百 is a hundred; digits one by one, 一二三, are 123; 一万二 is 12,000, 一万零二 10,002."""
    if all(sign in DIGITS for sign in spelled):
        return int("".join(str(DIGITS[sign]) for sign in spelled))
    whole = group = digit = 0
    for sign in spelled:
        if sign in DIGITS:
            digit = DIGITS[sign]
        elif sign in PLACES:
            group, digit = group + (digit or 1) * PLACES[sign], 0
        else:
            whole, group, digit = _grouped(whole, group + digit, sign), 0, 0
    last = {**PLACES, **GROUPS}.get(spelled[-2:-1], 10)
    return whole + group + digit * last // 10
