"""A Speed as text and HTML: the sentence, then times beside each other and the share of this GPU's copy rate."""

from __future__ import annotations

from html import escape

from autograder.outcome import Speed


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


def render_text(speed: Speed) -> str:
    """The sentence, one line for each time, points."""
    lines = [speed.says]
    lines += [f"  {name:<12} {time_us:10,.1f} us  {remark}".rstrip() for name, time_us, remark in rows(speed)]
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
    table = f"<table>{bars}</table>" if bars else ""
    return f'<div class="warpbook-speed" style="{style}"><p>{escape(speed.says)}</p>{table}{points}</div>'
