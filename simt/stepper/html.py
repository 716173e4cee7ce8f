"""A step as HTML, in parts that a widget replaces one by one, and whole for a saved notebook.

Marks never rest on colour alone: every cell also carries a sign, and the colours are told apart by colour-blind eyes.
Text takes the colour of the page, so that it can be read in light and dark themes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from html import escape
from typing import TYPE_CHECKING

from simt.hardware import WARP_SIZE
from simt.stepper import text
from simt.stepper.states import ArrayState, Variable
from simt.stepper.window import window_of
from simt.stepper.words import access_text, remarks, value_text, work_text

if TYPE_CHECKING:
    from simt.stepper.model import Stepper

STYLE = """<style>
.wbs{font-family:system-ui,sans-serif;font-size:13px;line-height:1.4;max-width:72em}
.wbs pre,.wbs table.wbs-t{font-family:ui-monospace,monospace;font-size:12px;line-height:1.35}
.wbs pre,.wbs table.wbs-t{background:none;color:inherit}
.wbs pre{margin:0;overflow:auto;max-height:26em;white-space:pre}
.wbs pre b{display:inline-block;min-width:100%;background:#56B4E944;border-left:4px solid #0072B2;margin-left:-4px}
.wbs h4{margin:.6em 0 .2em;font-size:13px}
.wbs p{margin:.2em 0}
.wbs .wbs-box{overflow:auto;max-height:24em}
.wbs table.wbs-t{border-collapse:collapse;border:0;margin:0}
.wbs .wbs-t tr{background:none!important}
.wbs .wbs-t td,.wbs .wbs-t th{padding:0 4px;text-align:right;border:1px solid #8885;white-space:nowrap}
.wbs .wbs-t th{font-weight:normal}
.wbs .wbs-t th{border-color:transparent;opacity:.75}
.wbs .wbs-l td{padding:0;min-width:11px;text-align:center;line-height:1.15}
.wbs td.w{background:#0072B2;color:#fff}.wbs td.x{opacity:.6}
.wbs td.me{outline:2px solid #D55E00;outline-offset:-1px}
.wbs td.r{background:#56B4E966;box-shadow:inset 0 0 0 2px #56B4E9}
.wbs td.s{background:#E69F00;color:#000;font-weight:bold}
.wbs .wbs-bar{border-top:3px double #009E73;padding:.2em 0}
.wbs .wbs-bad{border-left:4px dashed #D55E00;padding-left:.6em}
</style>"""


def page(stepper: Stepper, note: str = "") -> str:
    """The whole step, for where nothing can be clicked. note: what to do to click."""
    parts = [head(stepper), source(stepper), doings(stepper), threads(stepper), variables(stepper), arrays(stepper)]
    said = f"<p>{escape(note)}</p>" if note else ""
    return f"{STYLE}{''.join(parts)}<div class='wbs'>{said}</div>"


def head(stepper: Stepper) -> str:
    """Which step of which block."""
    cut = f"<p>{escape(stepper.cut())}</p>" if stepper.cut() else ""
    where = f"step {stepper.position + 1} of {len(stepper)}, line {stepper.step.line}"
    return f"<div class='wbs'><b>{escape(stepper.launch.kernel)}</b>, {escape(stepper.block)}: {where}{cut}</div>"


def source(stepper: Stepper) -> str:
    """The function's source, its current line marked by an arrow and a bar."""
    step = stepper.step
    first, lines = stepper.listing.get(step.function, (step.line, ("(the source of this line is not available)",)))
    texts = textwrap.dedent("\n".join(lines)).split("\n")
    rows = []
    for number, line in enumerate(texts, first):
        here = number == step.line
        row = f"{'▶' if here else ' '}{number:>4}  {escape(line)}"
        rows.append(f"<b>{row}</b>" if here else row)
    return f"<div class='wbs'><pre>{chr(10).join(rows)}</pre></div>"


def doings(stepper: Stepper) -> str:
    """What the line reads and writes, conditions and barriers, and mistakes that show here."""
    step = stepper.step
    said = [f"<p>{escape(access_text(access))}</p>" for access in step.accesses]
    kind = " class='wbs-bar'" if step.arrived else ""
    said += [f"<p{kind}>{escape(remark)}</p>" for remark in remarks(stepper)]
    for finding in stepper.findings():
        kind = finding.kind.replace("_", " ")
        said.append(f"<p class='wbs-bad'><b>{escape(kind)}:</b> {escape(finding.message)} {escape(finding.remedy)}</p>")
    return f"<div class='wbs'>{''.join(said)}</div>"


def threads(stepper: Stepper) -> str:
    """A row per warp, a cell per lane; neighbouring warps that do the same share a row. The chosen one is framed."""
    step = stepper.step
    rows = []
    for warps, cells in text.warp_rows(step):
        name = f"warp {warps[0]}" if len(warps) == 1 else f"warps {warps[0]}-{warps[-1]}"
        mine = stepper.thread % WARP_SIZE if stepper.thread // WARP_SIZE in warps else -1
        row = "".join(
            f"<td class='{_class_of(sign)}{' me' if lane == mine else ''}'>{sign}</td>"
            for lane, sign in enumerate(cells)
        )
        rows.append(f"<tr><th>{name}</th>{row}</tr>")
    label = escape(work_text(step))
    frame = f"frame: {escape(stepper.thread_name(stepper.thread))}"
    return (
        f"<div class='wbs'><h4>{label}</h4><div class='wbs-box'><table class='wbs-t wbs-l' role='img' "
        f"aria-label='{label}'>{''.join(rows)}</table></div><p># works &nbsp; . waits &nbsp; x has returned &nbsp; "
        f"{frame}</p></div>"
    )


def _class_of(sign: str) -> str:
    return {text.WORKS: "w", text.ENDED: "x"}.get(sign, "")


def arrays(stepper: Stepper) -> str:
    """Shared arrays, and global ones that the step touches; what it read is outlined, what it wrote is filled."""
    shown = [array(state, _own_cells(stepper, state)) for state in stepper.arrays() if text.is_shown(state)]
    if not shown:
        return "<div class='wbs'></div>"
    mine = escape(stepper.thread_name(stepper.thread))
    key = f"<p>&gt; read by this step &nbsp; * written by this step &nbsp; ? never written &nbsp; frame: {mine}</p>"
    return f"<div class='wbs'>{''.join(shown)}{key}</div>"


def _own_cells(stepper: Stepper, state: ArrayState) -> set[int]:
    """Cells that the chosen thread touches in this step."""
    accesses = [access for access in stepper.step.accesses if access.array.key == state.info.key]
    return {int(cell) for access in accesses for cell in access.cells[access.threads == stepper.thread]}


def array(state: ArrayState, own: Collection[int] = frozenset()) -> str:
    """A window of an array as a table. own: cells to be framed."""
    window = window_of(state)
    loaded, stored = set(state.loaded.tolist()), set(state.stored.tolist())
    columns = "".join(f"<th>{name}</th>" for name in window.column_names)
    rows = [f"<tr><th></th>{columns}</tr>"]
    for name, cells in zip(window.row_names, window.cells.tolist(), strict=True):
        row = []
        for cell in cells:
            marks = "s" * (cell in stored) or "r" * (cell in loaded)
            kind = f" class='{marks}{' me' if cell in own else ''}'" if marks else ""
            row.append(f"<td{kind}>{escape(text.cell_text(state, cell, loaded, stored))}</td>")
        rows.append(f"<tr><th>{name}</th>{''.join(row)}</tr>")
    more = f"<p>{text.left_out(window.left_out)}.</p>" if window.left_out else ""
    title = escape(text.array_title(state))
    return f"<h4>{title}</h4><div class='wbs-box'><table class='wbs-t'>{''.join(rows)}</table></div>{more}"


def variables(stepper: Stepper) -> str:
    """The chosen thread's accesses and variables; an arrow marks what the step set."""
    found, name = stepper.variables(), escape(stepper.thread_name(stepper.thread))
    working = "" if stepper.step.active[stepper.thread] else ", which does not execute this line"
    does = "".join(f"<p>{escape(line)}</p>" for line in text.own_accesses(stepper))
    around = text.kernel_variables(stepper)
    called = f"<p>in {escape(stepper.launch.kernel)}, which called this:</p>{_table(around)}" if around else ""
    table = _table(found) if found else "<p>no variables yet</p>"
    return f"<div class='wbs'><h4>{name}{working}</h4>{does}<div class='wbs-box'>{table}{called}</div></div>"


def _table(found: list[Variable]) -> str:
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td class='{'s' if each.is_new else ''}'>{escape(value_text(each.value))}"
        f"</td><th>{'← set now' if each.is_new else ''}</th></tr>"
        for each in found
    )
    return f"<table class='wbs-t'>{rows}</table>"
