"""A picture of one request: which lane touches which sector of global memory, or which bank of shared memory."""

from __future__ import annotations

from html import escape

import numpy as np

from autograder.drills.deck.model import Question
from autograder.drills.values import snippet
from autograder.words import count_text
from simt.hardware import WARP_SIZE as LANES

KINDS = ("count", "touch")
STEP, TOP, BOTTOM, HEIGHT = 20, 24, 110, 150
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
    return _drawn(chosen[-1] if wanted == "shared" else chosen[0], wanted)


def _drawn(access, space: str) -> str:
    """Lanes above, sectors or banks below, and a line for each active lane."""
    active = np.flatnonzero(access.active)
    addresses = access.addresses[active]
    place = addresses // SECTOR_BYTES if space == "global" else addresses // BANK_BYTES % BANKS
    names = sorted({int(each) for each in place})
    width = LANES * STEP + 20
    spread = width / max(1, len(names))
    at = {name: spread * (number + 0.5) for number, name in enumerate(names)}
    what = count_text(len(names), "sector" if space == "global" else "bank")
    touch = "touches" if len(active) == 1 else "touch"
    title = f"{access.site.text}: {count_text(len(active), 'lane')} {touch} {what}"
    parts = [f'<text x="10" y="14" font-size="13">{escape(title)}</text>']
    for lane, name in zip(active, place, strict=True):
        colour = COLOURS[names.index(int(name)) % len(COLOURS)]
        x = 10 + STEP * int(lane) + STEP / 2
        parts.append(f'<line x1="{x:.0f}" y1="{TOP + 18}" x2="{at[int(name)]:.1f}" y2="{BOTTOM}" stroke="{colour}"/>')
        parts.append(f'<rect x="{x - 8:.0f}" y="{TOP}" width="16" height="18" fill="{colour}"/>')
        parts.append(_text(x, TOP + 13, str(int(lane))))
    for number, name in enumerate(names):
        x = at[name]
        side = min(18.0, spread - 2)
        parts.append(
            f'<rect x="{x - side / 2:.1f}" y="{BOTTOM}" width="{side:.1f}" height="18" '
            f'fill="{COLOURS[number % len(COLOURS)]}"/>'
        )
        if side >= 12:
            parts.append(_text(x, BOTTOM + 13, str(name - names[0] if space == "global" else name)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" role="img" '
        f'aria-label="{escape(title)}"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.0f}" font-size="11" fill="#fff" text-anchor="middle">{escape(text)}</text>'
