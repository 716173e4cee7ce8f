"""The recorded answers of a GPU: for each seed which program it was, and the digest of what the GPU left in memory."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import execute
from .compare import digest
from .found import FOUND
from .program import program_of_seed

GOLDEN = Path(__file__).parent / "golden.json"
SUMMARY = Path(__file__).parents[2] / "benchmarks" / "results" / "differential.json"
SIMULATOR = "numba-simulator"
PROGRAM_DIGITS = 8  # of the fingerprint, before the digits of the digest


@dataclass(frozen=True)
class Golden:
    """device, versions, date: where the answers come from. answers: {seed: (fingerprint of the program, digest)}."""

    device: str
    versions: dict[str, str]
    date: str
    answers: dict[int, tuple[str, str]]


def load(path: Path = GOLDEN) -> Golden:
    """The recorded answers. Raises OSError where there are none."""
    content = json.loads(path.read_text())
    answers = {
        seed: (text[:PROGRAM_DIGITS], text[PROGRAM_DIGITS:]) for seed, text in enumerate(content["answers"]) if text
    }
    return Golden(content["device"], content["versions"], content["date"], answers)


def differing(answers: dict[int, tuple[str, str]], seeds: Iterable[int]) -> tuple[list[int], list[int]]:
    """Seeds whose program is another one than recorded, and seeds for which `simt` gives other bytes than the GPU."""
    stale, different = [], []
    for seed in seeds:
        fingerprint, expected = answers[seed]
        program = program_of_seed(seed)
        if program.fingerprint() != fingerprint:
            stale.append(seed)
        elif digest(execute.run(program, "simt")) != expected:
            different.append(seed)
    return stale, different


def record(results: list[Path]) -> int:
    """Write the golden file from the last of these runs that was on a GPU, and a summary of all of them.

    A seed is kept where the generator still writes the program that ran. Returns 1, and writes nothing, where `simt`
    gives other bytes for one of those.
    """
    runs = [_read(path) for path in results]
    rows, where, date = [run for run in runs if run[1]["device"] != SIMULATOR][-1]
    answers = {row["seed"]: (row["program"], row["digest"]) for row in rows if "digest" in row}
    stale, different = differing(answers, sorted(answers))
    if different or not answers:
        print(f"Not recorded: simt gives other bytes for the seeds {different}. Mend it, or change the generator.")
        return 1
    kept = {seed: "".join(answer) for seed, answer in answers.items() if seed not in set(stale)}
    lines = [kept.get(seed, "") for seed in range(max(kept) + 1)]
    GOLDEN.write_text(json.dumps({**where, "date": date, "answers": lines}, indent=0) + "\n")
    summary = {
        **where,
        "date": date,
        "runs": [
            {"device": there["device"], "date": day, "seeds": _span(run), "outcomes": _outcomes(run)}
            for run, there, day in runs
        ],
        "recorded": len(kept),
        "rewritten_since": len(stale),
        "found": [{"what": one.what, "then": one.then} for one in FOUND],
    }
    SUMMARY.write_text(json.dumps(summary, indent=1) + "\n")
    print(f"{len(kept)} answers of {where['device']} are in {GOLDEN.name}; {len(stale)} programs were rewritten since.")
    return 0


def _read(path: Path) -> tuple[list[dict], dict, str]:
    """The rows of a run, where it ran, and the day."""
    *rows, where = (json.loads(line) for line in path.read_text().splitlines())
    day = where.pop("date", datetime.date.fromtimestamp(path.stat().st_mtime).isoformat())
    return rows, where, day


def _span(rows: list[dict]) -> list[int]:
    seeds = [row["seed"] for row in rows]
    return [min(seeds), max(seeds) + 1]


def _outcomes(rows: list[dict]) -> dict[str, int]:
    return dict(Counter(row["outcome"] for row in rows))
