"""Generated kernels, by seed.

python -m tests.differential show SEED
python -m tests.differential run --device cuda --seeds 0:4000 --workers 16 --out FILE
python -m tests.differential run --device numba-simulator --seeds 0:100 --out FILE
python -m tests.differential compare SEED --device cuda
python -m tests.differential record FILE...
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path

from . import campaign, golden
from .environment import device_name, versions
from .execute import HEADER
from .program import program_of_seed


def main() -> int:
    arguments = parsed()
    return arguments.do(arguments)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    portable = {"action": "store_true", "help": "only what CPython computes alike; the simulator gets no other"}

    show = commands.add_parser("show", help="print the program of a seed")
    show.add_argument("seed", type=int)
    show.add_argument("--portable", **portable)
    show.set_defaults(do=print_program)

    run = commands.add_parser("run", help="run seeds on a device and on simt, and compare")
    run.add_argument("--device", choices=("cuda", "numba-simulator"), required=True)
    run.add_argument("--seeds", type=span, required=True, help="first:end")
    run.add_argument("--workers", type=int, default=2, help="processes")
    run.add_argument("--out", type=Path, required=True, help="results, a line of JSON a seed")
    run.add_argument("--seconds", type=float, default=3600, help="time after which no more is started")
    run.add_argument("--shrink-seconds", type=float, default=15, help="time to shrink one difference")
    run.add_argument("--portable", **portable)
    run.set_defaults(do=run_seeds)

    compare = commands.add_parser("compare", help="one seed, with both results by line where they differ")
    compare.add_argument("seed", type=int)
    compare.add_argument("--device", choices=("cuda", "numba-simulator"), required=True)
    compare.add_argument("--shrink-seconds", type=float, default=30)
    compare.set_defaults(do=compare_seed, portable=False)

    work = commands.add_parser("work", help="what a worker process runs: seeds as JSON on standard input")
    work.add_argument("--device", required=True)
    work.add_argument("--shrink-seconds", type=float, default=15)
    work.add_argument("--portable", **portable)
    work.set_defaults(do=work_off)

    record = commands.add_parser(
        "record", help="make the golden file of the last run on a GPU, and a summary of all runs"
    )
    record.add_argument("results", type=Path, nargs="+")
    record.set_defaults(do=lambda a: golden.record(a.results))
    return parser.parse_args()


def span(text: str) -> range:
    first, end = text.split(":")
    return range(int(first), int(end))


def print_program(arguments) -> int:
    print(HEADER + "\n" + program_of_seed(arguments.seed, arguments.portable).text())
    return 0


def run_seeds(arguments) -> int:
    portable = arguments.portable or arguments.device == "numba-simulator"
    counts = campaign.run_campaign(
        arguments.seeds, arguments.device, arguments.out, arguments.workers, arguments.seconds, portable,
        arguments.shrink_seconds,
    )  # fmt: skip
    device = device_name() if arguments.device == "cuda" else arguments.device
    where = {"device": device, "versions": versions(), "date": datetime.date.today().isoformat()}
    with open(arguments.out, "a") as file:
        file.write(json.dumps(where) + "\n")
    print(json.dumps({**where, "seeds": [arguments.seeds.start, arguments.seeds.stop], "counts": counts}))
    return 0 if set(counts) <= {"equal"} else 1


def compare_seed(arguments) -> int:
    portable = arguments.device == "numba-simulator"
    result = campaign.judge(arguments.seed, arguments.device, portable, arguments.shrink_seconds)
    print(result["outcome"], result.get("report", ""), sep="\n")
    return 0 if result["outcome"] == "equal" else 1


def work_off(arguments) -> int:
    campaign.work(json.load(sys.stdin), arguments.device, arguments.portable, arguments.shrink_seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
