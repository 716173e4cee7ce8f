"""Operations whose sizes only running tells, as behind a NonMaxSuppression: they run on the host, and what is before
them runs on the device."""

from __future__ import annotations

from collections.abc import Sequence

from minitrt.api.logger import Reporter
from minitrt.graph.ir import Graph, Op
from minitrt.plugins.running import PluginError
from minitrt.shapes import waits


def tell_who_waits(concrete: Graph, report: Reporter) -> None:
    """Warn of them. Raises: PluginError."""
    late = [op for op in concrete.ops if waits(op)]
    if late:
        check_plugins_stay_on(concrete, late)
        report.warning(
            f"{late[0].name}: how much there is to compute is known only when it has run, so it and what reads it"
            f" ({len(late)} operations of {len(concrete.ops)}) run on the host with NumPy"
        )


def check_plugins_stay_on(graph: Graph, late: Sequence[Op]) -> None:
    """Raises: PluginError where operations that wait for sizes are plugins, which expect memory of the device, or read
    as much as a plugin has written."""
    makers = graph.producers()
    for op in late:
        plugins = [one for one in (op, *map(makers.get, op.present)) if one is not None and one.kind == "plugin"]
        open_ones = [one.name for one in plugins if one is op or any(-1 in value.shape for value in one.outputs)]
        if open_ones:
            why = f"{op.name}: its shape depends on what is known only when {open_ones[0]} has run"
            raise PluginError(f"{why}, and a plugin cannot run on the host beside a GPU")
