"""trtexec's flags, as `--name=value` or `--name`."""

from __future__ import annotations

import argparse
import re
from typing import Any

Options = Any  # an argparse.Namespace whose attributes are the flags' names

SWITCHES = {
    "stronglyTyped": "types of the network are kept",
    "fp16": "let layers compute in FP16 (weak typing)",
    "int8": "let layers compute in INT8 (weak typing), with the scales of --calib",
    "refit": "weights can be replaced later",
    "stripWeights": "leave weights out of the engine",
    "buildOnly": "build, and do not run",
    "skipInference": "the same",
    "verbose": "log everything",
    "dumpProfile": "print each layer's time",
    "dumpLayerInfo": "print each layer",
    "useCudaGraph": "launch through a CUDA graph (always on where it can be)",
    "noDataTransfers": "leave copies out of the times (always so)",
    "progress": "say on stderr how far the build is, also where that is no terminal",
    "useSpinWait": "accepted; the host always waits actively",
}
TEXTS = {
    "onnx": "model to build from",
    "saveEngine": "file to write the engine to",
    "loadEngine": "engine to run instead of building one",
    "calib": "calibration cache",
    "timingCacheFile": "times of tactics, read and written",
    "exportTimes": "file for the time of each run",
    "exportProfile": "file for the time of each layer",
    "exportLayerInfo": "file for the inspector's layers",
    "exportOutput": "file for outputs",
    "plotLayers": "picture of the time of each layer (.svg, .png, .pdf)",
    "plotRoofline": "picture of each layer's rate below the GPU's ceilings",
}

SIZES = "shapes", "minShapes", "optShapes", "maxShapes"
NAMING = *SIZES, "loadInputs"  # flags that name inputs


def parse(arguments: list[str]) -> Options:
    """The options. Exits with status 2, and a sentence, for flags that are unknown or make no sense."""
    parser = argparse.ArgumentParser("warpbook-trtexec", description=__doc__, allow_abbrev=False)
    for name, text in SWITCHES.items():
        parser.add_argument(f"--{name}", action="store_true", help=text)
    for name, text in TEXTS.items():
        parser.add_argument(f"--{name}", default="", metavar="FILE", help=text)
    for name in SIZES:
        parser.add_argument(f"--{name}", type=shapes, default={}, metavar="NAME:1x3x8,...", help="sizes of inputs")
    parser.add_argument("--loadInputs", type=files, default={}, metavar="NAME:FILE,...", help="raw inputs")
    parser.add_argument(
        "--memPoolSize", type=pools, default={}, metavar="POOL:MB,...", help="workspace, tacticSharedMem"
    )
    parser.add_argument("--builderOptimizationLevel", type=int, help="0 to 5")
    verbosities = "layer_names_only", "detailed", "none"
    parser.add_argument("--profilingVerbosity", choices=verbosities, default=verbosities[0], help="what layers tell")
    parser.add_argument("--iterations", type=int, default=10, help="runs at least")
    parser.add_argument("--duration", type=float, default=3.0, help="seconds at least")
    parser.add_argument("--warmUp", type=float, default=200.0, help="milliseconds before timing")
    options = parser.parse_args(arguments)
    options.line = " ".join(arguments)
    if bool(options.onnx) == bool(options.loadEngine):
        parser.error("give either --onnx, to build an engine, or --loadEngine, to run one")
    return options


def pairs(text: str) -> dict[str, str]:
    """name:value,name:value; a name may hold colons, and stand in quotes, where it may hold commas, too."""
    found = {}
    for part in re.findall(r"""((?:'[^']*'|"[^"]*"|[^,'"])+)(?:,|$)""", text):
        name, colon, value = part.rpartition(":")
        if not colon:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form name:value")
        found[re.sub(r"""^(['"])(.*)\1$""", r"\2", name.strip())] = value
    return found


def shapes(text: str) -> dict[str, tuple[int, ...]]:
    try:
        return {name: tuple(int(n) for n in value.split("x")) for name, value in pairs(text).items()}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name:1x3x224x224") from None


def files(text: str) -> dict[str, str]:
    return pairs(text)


def pools(text: str) -> dict[str, float]:
    units = {"K": 1 / 1024, "M": 1.0, "G": 1024.0}
    found = {}
    for name, value in pairs(text).items():
        if name not in ("workspace", "tacticSharedMem"):
            raise argparse.ArgumentTypeError(f"unknown pool {name!r}: workspace and tacticSharedMem are known")
        factor = units.get(value[-1:], 1.0)
        found[name] = float(value.rstrip("KMG")) * factor
    return found
