"""The command line: trtexec's flags, as `--name=value`, `--name value` or `--name`."""

from __future__ import annotations

import argparse
import difflib
import math
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from minitrt.api.enums import DataType, TensorFormat
from minitrt.builder.stages import Stages
from minitrt.trtexec.flags import REFUSED, SWITCHES, TEXTS, WITHOUT_EFFECT

Options = Any  # an argparse.Namespace whose attributes are the flags' names

SIZES = "shapes", "minShapes", "optShapes", "maxShapes"
NAMING = *SIZES, "loadInputs"  # flags that name inputs
VERBOSITIES = "layer_names_only", "detailed", "none"
TYPES = dict(fp32="FLOAT", fp16="HALF", int8="INT8", int32="INT32", int64="INT64", uint8="UINT8", bool="BOOL")
FORMATS = dict(chw="LINEAR", hwc="HWC")


class Parser(argparse.ArgumentParser):
    """One that says what is wrong and nothing else."""

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"argument (\S+): ignored explicit argument .*", r"\1 takes no value: write \1 alone", message)
        print(f"warpbook-trtexec: {message}\n`warpbook-trtexec --help` lists the flags.", file=sys.stderr)
        raise SystemExit(2)


def parse(arguments: list[str]) -> Options:
    """The options. Exits with status 2, and a sentence, for flags that are unknown or make no sense."""
    parser = made()
    options, rest = parser.parse_known_args(arguments)
    for name, why in REFUSED.items():
        if getattr(options, name) is not None:
            parser.error(f"--{name} is not supported: {why}.")
    for name, why in WITHOUT_EFFECT.items():
        if getattr(options, name) is not None:
            print(f"--{name} has no effect: {why}", file=sys.stderr)
    if rest:
        parser.error(unknown(rest[0]))
    options.line = " ".join(arguments)
    options.stages = Stages() if options.viewer else None
    check(parser, options)
    return options


def made() -> Parser:
    parser = Parser("warpbook-trtexec", description="Build an engine from ONNX, save it, time it.", allow_abbrev=False)
    for name, text in SWITCHES.items():
        parser.add_argument(f"--{name}", action="store_true", help=text)
    for name, text in TEXTS.items():
        parser.add_argument(f"--{name}", default="", metavar="FILE", help=text)
    for name in SIZES:
        parser.add_argument(f"--{name}", type=shapes, default={}, metavar="NAME:1x3x8,...", help="sizes of inputs")
    for name, side in (("inputIOFormats", "inputs"), ("outputIOFormats", "outputs")):
        text = f"types and formats of {side}, one for all or one each: {', '.join(TYPES)}; {', '.join(FORMATS)}"
        parser.add_argument(f"--{name}", type=io_formats, default=[], metavar="fp16:chw,...", help=text)
    for name, what in (("layerPrecisions", "types of layers"), ("layerOutputTypes", "types of layers' first outputs")):
        text = f"{what} by name, * for all others (8 to 10, weak typing)"
        parser.add_argument(f"--{name}", type=precisions, default={}, metavar="NAME:fp16,...", help=text)
    parser.add_argument("--loadInputs", type=pairs, default={}, metavar="NAME:FILE,...", help="raw inputs")
    parser.add_argument("--memPoolSize", type=pools, default={}, metavar="POOL:SIZE,...", help=POOLS)
    parser.add_argument("--workspace", type=number(), help="MiB of scratch memory (TensorRT 8; now --memPoolSize)")
    parser.add_argument("--builderOptimizationLevel", type=number(int, 0, 5), help="0 to 5")
    parser.add_argument("--profilingVerbosity", choices=VERBOSITIES, default=VERBOSITIES[0], help="what layers tell")
    parser.add_argument("--iterations", type=number(int), default=10, help="runs at least")
    parser.add_argument("--duration", type=number(), default=3.0, help="seconds at least")
    parser.add_argument("--warmUp", type=number(), default=200.0, help="milliseconds before timing")
    parser.add_argument("--idleTime", type=number(), default=0.0, help="milliseconds between runs")
    parser.add_argument("--percentile", type=percentiles, default=[90, 95, 99], metavar="P,...", help="of the latency")
    parser.add_argument("--device", type=number(int), default=0, help="0: the first that CUDA_VISIBLE_DEVICES leaves")
    for name in ("streams", "infStreams"):
        parser.add_argument(f"--{name}", type=number(int, 1), default=1, help="1: runs come one behind the other")
    for name in (*WITHOUT_EFFECT, *REFUSED):
        parser.add_argument(f"--{name}", nargs="?", const="", help=argparse.SUPPRESS)
    return parser


def check(parser: Parser, options: Options) -> None:
    """What flags say together. Exits with status 2."""
    if options.version:
        return
    if bool(options.onnx) == bool(options.loadEngine):
        parser.error("give either --onnx, to build an engine, or --loadEngine, to run one")
    if options.device:
        parser.error(f"--device={options.device}: an engine runs on the first GPU. Set CUDA_VISIBLE_DEVICES instead")
    if options.streams > 1 or options.infStreams > 1:
        parser.error("one stream is supported; minitrt.runtime.pool.EnginePool runs an engine on several GPUs at once")
    options.fp16, options.int8 = options.fp16 or options.best, options.int8 or options.best
    if options.workspace is not None:
        options.memPoolSize.setdefault("workspace", int(options.workspace * 2**20))


def unknown(flag: str) -> str:
    """What to say of a flag that is none of trtexec's."""
    name = flag.partition("=")[0]
    if not name.startswith("--"):
        hint = f". Did you mean --onnx={flag}?" if flag.endswith(".onnx") else ""
        hint = ". It begins with a dash that is no hyphen: type two hyphens" if flag[0] in "\u2013\u2014" else hint
        return f"{flag!r} is no flag: flags are --name=value, or --name{hint}"
    every = [*SWITCHES, *TEXTS, *SIZES, *WITHOUT_EFFECT, *REFUSED, "inputIOFormats", "outputIOFormats", "loadInputs"]
    near = difflib.get_close_matches(name.removeprefix("--"), every, 1)
    return f"there is no flag {name}" + (f"; did you mean --{near[0]}?" if near else "")


# --- values ---


def number(kind: Callable[[str], float] = float, low: float = 0, high: float = math.inf) -> Callable[[str], float]:
    """What reads a number between two others."""
    what = f"from {low:g} to {high:g}" if high < math.inf else f"of {low:g} or more"

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not (low <= value <= high and math.isfinite(value)):
            raise argparse.ArgumentTypeError(f"{text!r} is no {'whole ' if kind is int else ''}number {what}")
        return value

    return read


def pairs(text: str) -> dict[str, str]:
    """name:value,name:value; a name may hold colons, and stand in quotes, where it may hold commas, too."""
    found = {}
    for part in re.findall(r"""((?:'[^']*'|"[^"]*"|[^,'"])+)(?:,|$)""", text):
        name, colon, value = part.rpartition(":")
        if not colon:
            hint = ": sizes are joined by x, as in name:1x3x8x8" if part.strip().isdigit() else ""
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form name:value{hint}")
        name = re.sub(r"""^(['"])(.*)\1$""", r"\2", name.strip())
        if name in found:
            raise argparse.ArgumentTypeError(f"{name!r} is there twice, with {found[name]!r} and {value!r}")
        found[name] = value
    return found


def shapes(text: str) -> dict[str, tuple[int, ...]]:
    """Sizes by name; "scalar" for a tensor of rank 0."""
    found = {}
    for name, value in pairs(text).items():
        sizes = [] if value == "scalar" else value.split("x")
        if not all(size.isdigit() for size in sizes):
            form = "name:1x3x224x224 (name:scalar for rank 0), with sizes of 0 or more: they stand for the model's -1"
            raise argparse.ArgumentTypeError(f"{value!r} is not of the form {form}")
        found[name] = tuple(map(int, sizes))
    return found


POOLS = "bytes of workspace and of tacticSharedMem: 512 is MiB; or with a unit B, K, M, G (KiB, MiB, GiB)"


def pools(text: str) -> dict[str, int]:
    """Bytes by pool."""
    found = {}
    for name, value in pairs(text).items():
        if name.startswith("dla"):
            raise argparse.ArgumentTypeError(f"pool {name!r} is a DLA's, and there is none")
        if name not in ("workspace", "tacticSharedMem"):
            raise argparse.ArgumentTypeError(f"unknown pool {name!r}: workspace and tacticSharedMem are known")
        size = re.fullmatch(r"(\d+(?:\.\d*)?)(?:(B)|([KMG])(?:i?B)?)?", value)
        if size is None:
            raise argparse.ArgumentTypeError(f"{value!r} is no size: {POOLS}")
        unit = 1 if size[2] else {"K": 2**10, "M": 2**20, "G": 2**30}[size[3] or "M"]
        found[name] = int(float(size[1]) * unit)
    return found


def percentiles(text: str) -> list[float]:
    return [number(high=100)(part) for part in text.split(",")]


def type_named(name: str) -> DataType:
    if name not in TYPES:
        raise argparse.ArgumentTypeError(f"{name!r} is no type that is supported: {', '.join(TYPES)} are")
    return DataType[TYPES[name]]


def io_formats(text: str) -> list[tuple[DataType, int]]:
    """type:format+format, ... -> types, and masks of formats."""
    found = []
    for part in text.split(","):
        name, _, formats = part.partition(":")
        mask = 0
        for each in (formats or "chw").split("+"):
            if each not in FORMATS:
                raise argparse.ArgumentTypeError(f"{each!r} is no format that is supported: {', '.join(FORMATS)} are")
            mask |= 1 << int(TensorFormat[FORMATS[each]])
        found.append((type_named(name), mask))
    return found


def precisions(text: str) -> dict[str, DataType]:
    """Types by layer; of an output a layer, the first of several that are joined by +."""
    return {name: type_named(value.split("+")[0]) for name, value in pairs(text).items()}
