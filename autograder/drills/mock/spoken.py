"""What was said in an interview: is it an answer at all, and one to what was asked?"""

from __future__ import annotations

import re

LEAST_SAID = 4  # different words, or characters of Chinese times two, that a reply has which may be ticked
WORD = re.compile(r"[^\W\d_]{2,}|\d+")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
CHINESE_RUN = re.compile(r"[\u4e00-\u9fff]+")
STEM, LEAST_OF_A_WORD = 5, 4
COMMON = {
    word[:STEM] for word in "would that than this then with what which when they have from into more most each".split()
}


def is_about(reply: str, *texts: str) -> bool:
    """Does it share a telling word with the question or what is right, by its first letters, or two characters?"""
    said = {word.lower()[:STEM] for word in WORD.findall(reply) if len(word) >= LEAST_OF_A_WORD}
    asked = {word.lower()[:STEM] for text in texts for word in WORD.findall(text) if len(word) >= LEAST_OF_A_WORD}
    pairs = {part[at : at + 2] for part in CHINESE_RUN.findall(reply) for at in range(len(part) - 1)}
    return bool((said - COMMON) & asked) or any(pair in text for pair in pairs for text in texts)


def is_said(reply: str) -> bool:
    """Is it an answer, and more than a word or two?"""
    words = {word.lower() for word in WORD.findall(reply)}
    return len(words) >= LEAST_SAID or len(CHINESE.findall(reply)) >= 2 * LEAST_SAID


def says_more(reply: str, question: str) -> bool:
    """Is it more than the question said back?"""
    words = {word.lower() for word in WORD.findall(reply)} - {word.lower() for word in WORD.findall(question)}
    return len(words) >= LEAST_SAID or len(set(CHINESE.findall(reply)) - set(CHINESE.findall(question))) >= LEAST_SAID
