"""The tables of docs/minitrt-speed.md, between markers, from the results: python -m benchmarks.engine.page [--check]"""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchmarks.tables import ROOT, write

PAGE, RESULT = ROOT / "docs" / "minitrt-speed.md", ROOT / "benchmarks" / "results" / "engine-nvidia-h200.json"
FIRST, ONE, CURVE, POOL = "resnet50 INT8 128", "resnet50 INT8 1", "curve resnet50 INT8", "pool resnet50 INT8"


def networks(found: dict[str, Any]) -> list[str]:
    """A row an engine, beside torch.compile; a star where torch was measured in another run than the engine."""
    shares = dict(ratios(found))
    rows = [
        "| network, type, batch | one run, us | a second | sustained | torch.compile FP16, us | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in engines(found):
        long, theirs = row.get("sustained"), torch_us(found, name)
        beside = f"{theirs}{'' if 'torch_us' in row else ' *'}" if theirs else ""
        sustained = f"{long['images_per_s']:,} over {long['seconds']:.0f} s ({long['clocks']} °C)" if long else ""
        ratio = f"{shares[name]:.2f}" if theirs else ""
        rows.append(f"| {name} | {row['burst_us']:,} | {row['images_per_s']:,} | {sustained} | {beside} | {ratio} |")
    return rows


def engines(found: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """(name, what was measured of it) of each engine, in the order of the tables."""
    measured = {name: row for name, row in found.items() if isinstance(row, dict) and "burst_us" in row}
    return sorted(measured.items(), key=lambda pair: order(pair[0]))


def torch_us(found: dict[str, Any], name: str) -> float | None:
    """What torch.compile took for the engine's network and batch: in the engine's own run, or else in another one."""
    network, _, batch = name.split()
    return found[name].get("torch_us") or found["torch.compile FP16, us"].get(f"{network}:{batch}")


def order(name: str) -> tuple:
    """ResNet-50 first, the others by name; of each INT8 before FP16, small batches first."""
    network, precision, batch = name.split()
    return network != FIRST.split()[0], network, precision != "INT8", int(batch)


def curve(found: dict[str, Any]) -> list[str]:
    """ResNet-50 in INT8 over batches."""
    points = found.get(CURVE, {})
    rows = [f"| {batch} | {points[str(batch)]:,} | {rate:,.0f} |" for batch, rate in curve_points(found)]
    return ["| batch | us | images/s |", "|---|---|---|", *rows]


def pool(found: dict[str, Any]) -> list[str]:
    """Images from this process's arrays over GPUs."""
    rates = found.get(POOL, {}).get("images_per_s", {})
    return ["| GPUs | images/s |", "|---|---|", *(f"| {n} | {rate:,} |" for n, rate in rates.items())]


def curve_points(found: dict[str, Any]) -> list[tuple[int, float]]:
    """(batch, images a second)"""
    points = found.get(CURVE, {})
    return sorted((int(batch), 1e6 * int(batch) / us) for batch, us in points.items())


def ratios(found: dict[str, Any]) -> list[tuple[str, float]]:
    """(engine, torch.compile's time over its own), in the order of the table."""
    rows = []
    for name, row in engines(found):
        long, theirs = row.get("sustained"), torch_us(found, name)
        if theirs:
            rows.append((name, theirs / (long["mean_us"] if long else row["burst_us"])))
    return rows


def products(found: dict[str, Any]) -> list[str]:
    """A row a matrix product, beside cuBLAS."""
    head = "| rows x columns x terms | type | us | tera-operations/s | cuBLAS, us | ratio | tile |"
    rows = [head, "|---|---|---|---|---|---|---|"]
    return rows + [
        f"| {' x '.join(map(str, r['shape']))} | {r['dtype']} | {r['time_us']} | {r['tera_ops']} | {r['cublas_us']} |"
        f" {r['ratio']} | {r['tactic'].removeprefix('hopper_')} |"
        for r in found["products"]
    ]


def builds(found: dict[str, Any]) -> list[str]:
    """A row an engine: seconds of its build, of later ones, and from a plan's bytes to a context."""
    rows = [
        "| network, type, batch | build, s | timing cache | timed before, s | again, s | plan, MB |"
        " plan to context, s | first run, s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in engines(found):
        cache = "given" if row["timing_cache"] else "none"
        rows.append(
            f"| {name} | {row['build_s']} | {cache} | {row.get('timed_before_s', '')} | {row.get('again_s', '')} |"
            f" {row['plan_mb']} | {row['start_s']} | {row['first_run_s']} |"
        )
    return rows


def pairs(found: dict[str, Any]) -> list[str]:
    """A row a pair of layers: one kernel and two, in large batches and alone."""
    every = [found[name].get("pairs", []) for name in (FIRST, ONE)]
    rows = [
        "| layers | batch 128: one kernel, us | two, us | batch 1: one kernel, us | two, us |",
        "|---|---|---|---|---|",
    ]
    known = [{tuple(each["layers"]): each for each in some} for some in every]
    for layers in dict.fromkeys([*known[0], *known[1]]):
        cells = [f"{p[layers]['one_us']} | {p[layers]['two_us']}" if layers in p else " | " for p in known]
        rows.append(f"| {layers[0]}; {layers[1]} | {' | '.join(cells)} |")
    return rows


def layers(row: dict[str, Any]) -> list[str]:
    """A row a shape of layer: equal ones are counted."""
    rows: dict[tuple, list] = {}
    for r in row["layers"]:
        rows.setdefault((r["tactic"], r["time_us"], r["floor_us"], r["bound"]), []).append(r["layer"])
    head = [
        "| first layer of its shape | how often | us | limit, us | bound by | share | tactic |",
        "|---|---|---|---|---|---|---|",
    ]
    return head + [
        f"| {names[0]} | {len(names)} | {time_us} | {floor_us} | {bound} | {floor_us / time_us:.0%} |"
        f" {tactic.removeprefix('hopper_')} |"
        for (tactic, time_us, floor_us, bound), names in rows.items()
        if time_us
    ]


def tables(found: dict[str, Any]) -> dict[str, list[str]]:
    """Every table of the page by its name."""
    return {
        "networks": networks(found),
        "products": products(found),
        "curve": curve(found),
        "pool": pool(found),
        "builds": builds(found),
        "pairs": pairs(found),
        "layers": layers(found[FIRST]),
        "layers-of-bert": layers(found["bert_base INT8 32"]),
        "layers-of-mobilenet": layers(found["mobilenet_v2 INT8 128"]),
        "layers-of-one-image": layers(found[ONE]),
    }


def main() -> None:
    """Write the page; with --check, exit 1 where it is not what the results give."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    write(PAGE, tables(json.loads(RESULT.read_text())), str(RESULT.relative_to(ROOT)), asked.check)


if __name__ == "__main__":
    main()
