"""A Speed as text and HTML: the sentence, then times beside each other and the share of this GPU's copy rate."""

from __future__ import annotations

from html import escape

from autograder.outcome import Speed
from autograder.report.tables import OPEN_TABLE
from simt.text.text_tables import section

LEAST = (
    "A bound, not a measurement: no kernel that moves these bytes{arithmetic} can be faster on this GPU; yours may be "
    "slower. The size is the one a race would take there, and each array crosses between memory and the GPU once: that "
    "is counted from the exercise, not from your kernel."
)
LEAST_HEADER = ("GPU", "sizes", "bytes", "takes at least", "because of")


def rows(speed: Speed) -> list[tuple[str, float, str]]:
    """(name, time in us, remark) for what was timed, slowest first as a ladder reads."""
    timed = [
        ("naive", speed.naive_us, ""),
        ("yours", speed.time_us, _remark(speed)),
        ("reference", speed.reference_us, ""),
    ]
    timed += [(name, time_us, "library") for name, time_us in speed.details.get("libraries", {}).items()]
    return [(name, time_us, remark) for name, time_us, remark in timed if time_us is not None]


def _remark(speed: Speed) -> str:
    if speed.rate_gbs is None or not speed.copy_rate_gbs:
        return ""
    return f"{speed.rate_gbs:,.0f} GB/s, {speed.rate_gbs / speed.copy_rate_gbs:.0%} of this GPU's copy rate"


def least_rows(speed: Speed) -> list[tuple[str, ...]]:
    """GPU, sizes, bytes, least time and its reason in words, where a race had no GPU to measure on."""
    return [
        (
            row["name"],
            ", ".join(f"{name} = {size:,}" for name, size in row["sizes"].items()),
            f"{row['bytes'] / 1e6:,.0f} MB",
            f"{row['time_us']:,.0f} us",
            row["limit"],
        )
        for row in speed.details.get("least_times", ())
    ]


def least_words(speed: Speed) -> str:
    """What those rows mean; where arithmetic takes longer than memory, it is part of the bound."""
    by_arithmetic = any(row["limit"] != "memory" for row in speed.details.get("least_times", ()))
    return LEAST.format(arithmetic=" and does this arithmetic" if by_arithmetic else "")


def render_text(speed: Speed) -> str:
    """The sentence, one line for each time, points."""
    lines = [speed.says]
    lines += [f"  {name:<12} {time_us:10,.1f} us  {remark}".rstrip() for name, time_us, remark in rows(speed)]
    if least := section(least_words(speed), LEAST_HEADER, least_rows(speed)):
        lines.append(least)
    if speed.graded:
        lines.append(f"  {speed.points:g} of {speed.max_points:g} speed points")
    return "\n".join(lines)


def render_html(speed: Speed) -> str:
    """The same as a card with a bar for each time, longest first."""
    timed = rows(speed)
    longest = max((time_us for _, time_us, _ in timed), default=1.0)
    bars = "".join(
        f"<tr><td style='text-align:left'>{escape(name)}</td><td style='text-align:right'>{time_us:,.1f} us</td>"
        f"<td style='text-align:left'>"
        f"<span style='display:inline-block;height:.7em;width:{12 * time_us / longest:.1f}em;"
        f"background:{'#0072b2' if name == 'yours' else '#999'}'></span> {escape(remark)}</td></tr>"
        for name, time_us, remark in timed
    )
    points = f"<p><b>{speed.points:g} of {speed.max_points:g} speed points</b></p>" if speed.graded else ""
    style = (
        "border-left:4px solid #0072b2;padding:.4em 1em;margin:.4em 0;max-width:60em;font-family:system-ui,sans-serif"
    )
    table = f"{OPEN_TABLE}{bars}</table>" if bars else ""
    says = f"<p>{escape(speed.says)}</p>"
    return f'<div class="warpbook-speed" style="{style}">{says}{table}{_least_html(speed)}{points}</div>'


def _least_html(speed: Speed) -> str:
    """The bounds on known GPUs as a table, with the sentence that says what they are."""
    found = least_rows(speed)
    if not found:
        return ""
    head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in LEAST_HEADER)
    body = "".join(
        f"<tr>{''.join(f'<td style=text-align:left>{escape(cell)}</td>' for cell in row)}</tr>" for row in found
    )
    return f"<p>{escape(least_words(speed))}</p>{OPEN_TABLE}<tr>{head}</tr>{body}</table>"
