"""One warp's request over the 32 banks of shared memory: words that share a bank wait on top of each other."""

from __future__ import annotations

import numpy as np

from simt.analyses.costs.banks import atomic_wavefronts_per_request, wavefronts_per_request
from simt.analyses.recorder import Picture
from simt.figures.canvas import BLUE, ORANGE, PALE, grid_text, lane_list
from simt.hardware import BANK_BYTES, BANKS


def passes(picture: Picture) -> tuple[int, int]:
    """Passes the request takes, and the fewest possible."""
    addresses, active = picture.addresses[None], picture.active[None]
    if picture.kind == "atomic":
        return int(atomic_wavefronts_per_request(addresses, active)[0]), 1
    taken, fewest = wavefronts_per_request(addresses, active, min(16, picture.access_bytes), picture.kind == "load")
    return int(taken[0]), int(fewest[0])


def cost(picture: Picture) -> float:
    taken, fewest = passes(picture)
    return taken / fewest


def draw(canvas, picture: Picture):
    """A column per bank, a box a word, the lanes that want it inside."""
    stacks = _stacks(picture)
    height = max(len(stack) for stack in stacks)
    surface = canvas(9.5, 1.9 + (0.22 if height <= 8 else 0.16) * max(3, height))
    for bank, stack in enumerate(stacks):
        surface.box(bank, 0, 1, height, PALE)
        for level, lanes in enumerate(stack):
            surface.box(
                bank, level, 1, 1, BLUE if level == 0 else ORANGE, lane_list(lanes), 7 if len(lanes) == 1 else 5
            )
    axes = surface.axes
    axes.set(xlim=(0, BANKS), ylim=(0, max(3, height)), xlabel="bank", ylabel="words wanted from it")
    axes.set_xticks(np.arange(0, BANKS, 4) + 0.5, [str(bank) for bank in range(0, BANKS, 4)])
    axes.set_yticks([k for k in ((1, 2, 3) if height <= 3 else (1, 4, 8, 16, 24, 32)) if k <= max(3, height)])
    surface.bare("top", "right")
    taken, fewest = passes(picture)
    extra = "no conflicts" if taken == fewest else f"{taken - fewest} of them conflicts"
    title = f"`{picture.site.text}`: one warp's {picture.kind} takes {taken} pass{'es' if taken > 1 else ''}, {extra}"
    where = f"line {picture.site.line}; a pass serves one word of every bank; lanes on one word are served together"
    alt = (
        f"Stacks of words over the 32 banks, lanes written inside. The highest stack is {height} high; the "
        f"request takes {taken} passes where {fewest} would do."
    )
    surface.claim(title, where, alt, _body(stacks, height))
    meanings = [(BLUE, "served in the first pass, with the number of the lane"), (ORANGE, "waits for another pass")]
    surface.legend(meanings if height > 1 else meanings[:1])
    return surface.figure


def _body(stacks: list[list[list[int]]], height: int) -> str:
    """A column per bank, a row per word that is wanted from it, the lanes that want it."""
    rows = [[lane_list(stack[level]) if level < len(stack) else "" for stack in stacks] for level in range(height)]
    return grid_text(
        rows, [f"word {level + 1}" for level in range(height)], [str(bank) for bank in range(BANKS)], "bank"
    )


def _stacks(picture: Picture) -> list[list[list[int]]]:
    """For each bank, the lanes of each word wanted from it. Lanes of an atomic never share a word."""
    words: list[dict] = [{} for _ in range(BANKS)]
    for lane in np.flatnonzero(picture.active):
        start = int(picture.addresses[lane])
        for word in range(start // BANK_BYTES, (start + picture.access_bytes - 1) // BANK_BYTES + 1):
            key = (word, int(lane)) if picture.kind == "atomic" else word
            words[word % BANKS].setdefault(key, []).append(int(lane))
    return [list(bank.values()) for bank in words]
