"""A picture of one request: which lane touches which sector of global memory, or which bank of shared memory."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from autograder.drills.deck.model import Question
from autograder.drills.values import snippet
from autograder.words import count_text
from simt.hardware import WARP_SIZE as LANES

KINDS = ("count", "touch")
STEP, TOP, BOTTOM, HEIGHT = 20, 28, 114, 156
FONT, DIGIT = 16, 9.2  # in a picture 660 wide: on a phone's 390 pixels digits are still 9 high
COLOURS = ("#0b7285", "#e8590c", "#5f3dc4", "#2b8a3e", "#c2255c", "#1971c2", "#846358", "#495057")
SECTOR_BYTES, BANKS, BANK_BYTES = 32, 32, 4


def picture_of(question: Question) -> str:
    """SVG of the first load that the question's kernel makes; "" where there is nothing to see."""
    card = question.card
    if card.kind not in KINDS or "kernel" not in card.data or not question.code:
        return ""
    ran = snippet.run(card, question.code, question.values, record=True)
    recording = ran.trace.recording
    loads = [each for each in recording.accesses if each.kind == "load"] if recording else []
    wanted = "shared" if "shared" in str(card.data.get("measure")) else "global"
    chosen = [each for each in loads if each.array.space == wanted]
    if not chosen:
        return ""
    return _drawn(chosen[-1] if wanted == "shared" else chosen[0], wanted, question.language)


def _drawn(access, space: str, language: str) -> str:
    """Lanes above, sectors or banks below, and a line for each active lane."""
    active = np.flatnonzero(access.active)
    addresses = access.addresses[active]
    place = addresses // SECTOR_BYTES if space == "global" else addresses // BANK_BYTES % BANKS
    names = sorted({int(each) for each in place})
    width = LANES * STEP + 20
    spread = width / max(1, len(names))
    at = {name: spread * (number + 0.5) for number, name in enumerate(names)}
    title = _title(access.site.text, len(active), len(names), space, language)
    parts = [f'<text x="10" y="18" font-size="{FONT}" fill="#222">{escape(title)}</text>']
    for lane, name in zip(active, place, strict=True):
        colour = COLOURS[names.index(int(name)) % len(COLOURS)]
        x = 10 + STEP * int(lane) + STEP / 2
        parts.append(f'<line x1="{x:.0f}" y1="{TOP + 18}" x2="{at[int(name)]:.1f}" y2="{BOTTOM}" stroke="{colour}"/>')
        parts.append(f'<rect x="{x - 9.5:.1f}" y="{TOP}" width="19" height="18" fill="{colour}"/>')
        parts.append(_text(x, TOP + 15, str(int(lane))))
    for number, name in enumerate(names):
        x = at[name]
        side = min(18.0, spread - 2)
        parts.append(
            f'<rect x="{x - side / 2:.1f}" y="{BOTTOM}" width="{side:.1f}" height="18" '
            f'fill="{COLOURS[number % len(COLOURS)]}"/>'
        )
    labels = [str(name - names[0] if space == "global" else name) for name in names]
    every = math.ceil((DIGIT * max(map(len, labels)) + 4) / spread)  # of labels that would run into each other
    for name, label in list(zip(names, labels, strict=True))[::every]:
        parts.append(_text(at[name], BOTTOM + 34, label, "#222"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" role="img" '
        f'aria-label="{escape(title)}"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _title(code: str, lanes: int, places: int, space: str, language: str) -> str:
    """What is to be seen, in the learner's language; English where both are asked for."""
    if language == "zh":
        return f"{code}：{lanes} 个 lane 触及 {places} 个{'扇区' if space == 'global' else '存储体'}"
    what = count_text(places, "sector" if space == "global" else "bank")
    return f"{code}: {count_text(lanes, 'lane')} {'touches' if lanes == 1 else 'touch'} {what}"


def _text(x: float, y: float, text: str, fill: str = "#fff") -> str:
    return f'<text x="{x:.1f}" y="{y:.0f}" font-size="{FONT}" fill="{fill}" text-anchor="middle">{escape(text)}</text>'
