"""docs/public-projects.md's table, from what was recorded.

python -m benchmarks.public_projects.page [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.public_projects.checkout import HOST
from benchmarks.record import RESULTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "public-projects.md"
RECORD = RESULTS / "public-projects.json"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
HEAD = (
    "| project | passes in numba's simulator | of these, here | told a mistake instead | passes here alone | "
    "processor time, simulator | here |",
    "|---|--:|--:|--:|--:|--:|--:|",
)


def table(record: dict[str, Any]) -> str:
    """The projects, their sum, every finding with the reason why it is true, and every test that passes there alone."""
    projects = record["projects"]
    rows = [*HEAD]
    for name, one in projects.items():
        link = f"[{name}]({HOST}/{one['repository']}/tree/{one['commit']})"
        rows.append(f"| {link} | {_numbers(one)} |")
    total = {key: sum(one[key] for one in projects.values()) for key in ("there", "both", "told", "here_alone")}
    total |= {"cpu_s": {who: sum(one["cpu_s"][who] for one in projects.values()) for who in ("cudasim", "simt")}}
    kept = total["both"] + total["told"]
    rows += [f"| all {len(projects)} | {_numbers(total)} |", ""]
    share = f"{kept / total['there']:.1%}"
    rows += [f"Of {total['there']:,} that pass there, {kept:,} pass here or are told a true mistake: {share}."]
    found = [(name, one) for name, at in projects.items() for one in at["findings"]]
    rows += ["", "## What was found", ""]
    rows += [f"- **{name}**, `{one['at']}`, {one['kind']}: {one['true'] or 'not judged yet'}" for name, one in found]
    rows += [] if found else ["Nothing."]
    lost = [(name, test, why) for name, at in projects.items() for test, why in at["lost"].items()]
    rows += ["", "## What passes there and not here", ""]
    rows += [f"- **{name}**, `{test}`: ``{why}``" for name, test, why in lost] or ["Nothing."]
    dates = sorted({one["date"] for one in projects.values()})
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    rows += ["", f"{record['machine']}, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}; {versions}."]
    return "\n".join(rows) + "\n"


def _numbers(one: dict[str, Any]) -> str:
    counts = [f"{one[key]:,}" for key in ("there", "both", "told", "here_alone")]
    return " | ".join([*counts, *(f"{one['cpu_s'][who]:.0f} s" for who in ("cudasim", "simt"))])


def write(check: bool = False) -> bool:
    """Write the table into the page, or only compare. Returns: whether the page was current."""
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    new = before + BEGIN + table(json.loads(RECORD.read_text())) + END + rest.partition(END)[2]
    if not check:
        PAGE.write_text(new)
    return new == text


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the page is another")
    check = parser.parse_args().check
    current = write(check)
    if check:
        print("the page is current" if current else f"{PAGE} is not: python -m benchmarks.public_projects.page")
    return int(check and not current)


if __name__ == "__main__":
    sys.exit(main())
