"""The recorded answers of a GPU: for each seed which program it was, and the digest of what the GPU left in memory."""

from __future__ import annotations

import datetime
import json
import sys
from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden.json"
PROGRAM_DIGITS, DIGEST_DIGITS = 8, 16


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
    first, answers = content["first_seed"], {}
    for position, text in enumerate(content["answers"]):
        answers[first + position] = (text[:PROGRAM_DIGITS], text[PROGRAM_DIGITS:])
    return Golden(content["device"], content["versions"], content["date"], answers)


def record(results: Path, path: Path = GOLDEN) -> int:
    """Write the golden file from the results of a run; 1 and no file where a seed was not equal, or is missing."""
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    where = rows[-1]
    rows = sorted((row for row in rows if "seed" in row), key=lambda row: row["seed"])
    wrong = [f"{row['seed']} {row['outcome']}" for row in rows if row["outcome"] != "equal"]
    seeds = [row["seed"] for row in rows]
    if wrong or not seeds or seeds != list(range(seeds[0], seeds[0] + len(seeds))):
        print(f"Not recorded: every seed of a range must be equal. {', '.join(wrong) or 'Some are missing.'}")
        return 1
    content = {
        "device": where["device"],
        "versions": where["versions"],
        "date": datetime.date.today().isoformat(),
        "first_seed": seeds[0],
        "answers": [row["program"] + row["digest"] for row in rows],
    }
    path.write_text(json.dumps(content, indent=0) + "\n")
    print(f"{len(seeds)} answers of {where['device']} in {path}", file=sys.stderr)
    return 0
