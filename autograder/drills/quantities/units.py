"""Units: what one is worth, and of what. A unit of a card may have more names, which `deck/units.yaml` lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from autograder.drills.deck.units import other_names

Powers = tuple[tuple[str, int], ...]  # what a quantity is made of: GB/s is (("byte", 1), ("s", -1)), a count of itself
DECIMAL = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
SPELLED = {
    "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "kibi": 2**10, "mebi": 2**20, "gibi": 2**30, "tebi": 2**40,
}  # fmt: skip
SECONDS = {
    1e-9: "ns nsec nanosecond nanoseconds 纳秒",
    1e-6: "us usec microsec micros microsecond microseconds 微秒",
    1e-3: "ms msec millisec millis millisecond milliseconds 毫秒",
    1: "s sec secs second seconds 秒 秒钟",
    60: "min mins minute minutes 分钟",
    3600: "h hour hours 小时",
}
SHARES = {0.01: "% percent percents pct 百分点 个百分点 pp", 1: "x times fold 倍"}
FLOPS = "flop flops FLOP FLOPs FLOPS"
UNCLEAR = re.compile(r"[KMGT]i?b|[KMGTk]")  # a bit or a byte? of 1,000 or of 1,024?


@dataclass(frozen=True)
class Measure:
    """factor: how many of the plain unit (seconds, bytes, the thing counted) one is; powers: of what."""

    factor: float
    powers: Powers


def times(one: Powers, other: Powers, sign: int = 1) -> Powers:
    """The powers of a product; of a quotient with sign -1."""
    found = dict(one)
    for name, power in other:
        found[name] = found.get(name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in found.items() if power))


@cache
def symbols() -> dict[str, Measure]:
    """Every unit that is the same on all cards, by its name as written."""
    found: dict[str, Measure] = {}
    for table, powers in ((SECONDS, (("s", 1),)), (SHARES, ())):
        for factor, names in table.items():
            found |= dict.fromkeys(names.split(), Measure(factor, powers))
    for prefix, factor in {**DECIMAL, **BINARY}.items():
        size, bits = Measure(factor, (("byte", 1),)), Measure(factor / 8, (("byte", 1),))
        for written in {prefix, prefix.upper()} if factor == 1e3 else {prefix}:
            found |= {f"{written}B": size, f"{written}bit": bits, f"{written}bits": bits}
            found |= {f"{written}{name}": size for name in ("byte", "bytes", "Byte", "Bytes") if written}
            found |= {f"{written}Bps": rate_of(size), f"{written}bps": rate_of(bits)}
            found |= {f"{written}{name}": Measure(factor, (("flops", 1),)) for name in FLOPS.split()}
    for prefix, factor in SPELLED.items():
        for name, share in (("byte", 1), ("bytes", 1), ("bit", 8), ("bits", 8)):
            found[prefix + name] = Measure(factor / share, (("byte", 1),))
    found |= {name: Measure(1, (("byte", 1),)) for name in ("byte", "bytes", "Byte", "Bytes", "字节")}
    return found


def rate_of(unit: Measure) -> Measure:
    """So many a second."""
    return Measure(unit.factor, times(unit.powers, (("s", 1),), -1))


@cache
def _in_small_letters() -> dict[str, Measure]:
    """For those who write gb/s or MS: the unit that a name has whatever its letters' size, bytes before bits."""
    found: dict[str, Measure] = {}
    for name, unit in symbols().items():
        if name[-1:] != "b" and not name.endswith("bps"):
            found.setdefault(name.lower(), unit)
    return found


def symbol(name: str) -> Measure | None:
    """The unit of this name; None where there is none, or where it might mean two things ("Gb")."""
    if UNCLEAR.fullmatch(name):
        return None
    return symbols().get(name) or _in_small_letters().get(name.lower())


def unit_of_card(name: str) -> Measure:
    """What a card's `unit` is worth: "GiB" and "us" by their symbols; "sectors" counts sectors."""
    above, per, below = re.sub(r"\bper\b", "/", name).partition("/")
    if per:
        one, other = unit_of_card(above.strip()), unit_of_card(below.strip())
        return Measure(one.factor / other.factor, times(one.powers, other.powers, -1))
    if name == "percentage points":
        name = "percent"
    return symbol(name) or Measure(1, ((name, 1),))


@cache
def names_of_card(unit: str) -> re.Pattern | None:
    """Where a text names the card's own unit, in any of its words and with or without a measure word in Chinese."""
    if not other_names(unit):
        return None
    names = {unit, unit.removesuffix("s"), *other_names(unit)}
    names |= {"times"} if "次" in names else set()
    told = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:(?<![^\W\d_])|(?<=[百千万亿]))(?:{told})(?![^\W\d_])", re.IGNORECASE)
