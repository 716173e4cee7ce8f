"""Trains the decoder of minitrt/samples on the course's own text, on a GPU with torch, and keeps it.

    python -m benchmarks.train_decoder
    python -m benchmarks.train_decoder --steps 4000 --seconds 60

The text is what learners read: the units' sentences and code, their hints, and docs/; one character a token. Every
fiftieth paragraph is held out. Writes minitrt/samples/decoder.npz and benchmarks/results/trained_decoder.json, with
what the kept weights reach.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.record import RESULTS, device_name, record
from minitrt.samples import decoder

ROOT = Path(__file__).parents[1]
TEXTS = ("solutions/*/*.py", "autograder/exercises/*/hints.md", "docs/*.md")
EVERY, SEED = 50, 21
SAMPLES = ("A warp ", "Shared memory ", "Interview question: ")


def paragraphs() -> list[str]:
    """Of all texts, in ASCII, without the marks of notebooks."""
    found = []
    for pattern in TEXTS:
        for path in sorted(ROOT.glob(pattern)):
            lines = path.read_text(encoding="utf-8").splitlines()
            lines = [line.removeprefix("# ") for line in lines if not line.startswith(("# %%", "# |", "|"))]
            found += [
                part.strip("\n") for part in "\n".join("" if line == "#" else line for line in lines).split("\n\n")
            ]
    return [part for part in found if part.strip()]


def held_out(net: decoder.Arrays, text: np.ndarray, n: int = 400) -> float:
    """Nats per token over the first tokens of a text."""
    reader, loss = decoder.Text(net), 0.0
    logits = reader.add(int(text[0]))
    for token in text[1:n]:
        logits = logits - logits.max()
        loss -= float(logits[token] - np.log(np.exp(logits).sum()))
        logits = reader.add(int(token))
    return loss / (n - 1)


def main() -> None:
    """Train, keep, and say what was reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=6_000)
    parser.add_argument("--seconds", type=float, default=70.0, help="stop after so many")
    parser.add_argument("--file", type=Path, default=decoder.FILE)
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder to write the record to")
    asked = parser.parse_args()
    from benchmarks.models.decoder_training import train

    every = paragraphs()
    kept, out = ("\n\n".join(part) for part in ([p for i, p in enumerate(every) if i % EVERY], every[::EVERY]))
    arrays, loss = train(decoder.tokens_of(kept).astype(np.uint8), asked.steps, asked.seconds, SEED)
    np.savez_compressed(asked.file, **arrays)  # type: ignore[arg-type]
    document = {
        "weights": sum(rows * cols for rows, cols in decoder.MATRICES.values()) + arrays["words"].size,
        "characters": len(kept),
        "loss": round(loss, 3),
        "held_out": round(held_out(arrays, decoder.tokens_of(out)), 3),
        "says": {prompt: decoder.said(decoder.generate(arrays, prompt, 60)) for prompt in SAMPLES},
    }
    print(document)
    print(record("trained_decoder", {"device": device_name(), **document}, asked.output))


if __name__ == "__main__":
    main()
