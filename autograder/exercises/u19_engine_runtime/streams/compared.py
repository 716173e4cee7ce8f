"""Where an answer to unit 19's two_streams first falls behind the right order, and what it waits for there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.contract import Values
from autograder.exercises.u19_engine_runtime.streams.device import EMPTY, FILL, SPOILED, WAIT, Done, JudgedStreams
from autograder.exercises.u19_engine_runtime.streams.values import in_flight


def of_streams(values: Values, got: Mapping[str, Any], stand_ins: Mapping[str, Any]) -> str:
    """The first batch that begins later than it could, or the first answer that is another one; "" for neither."""
    device, right = stand_ins.get("device"), JudgedStreams.of(values["device"])
    if not isinstance(device, JudgedStreams):
        return ""
    in_flight(right, int(values["n_batches"]))
    answers = got["answers"].tolist()
    for b, mine in enumerate(answers):
        if found := _late(device.log, right.log, b) or _other(b, int(mine), right.answer(b)):
            return found
    best = right.clock()
    late = [one for one in device.log if one.what == WAIT and one.end > best]
    if late:
        still = f"after that, your function still waits for stream {late[0].stream}"
        return f"The last answer could be taken at {best:,} us: {still}."
    if int(got["time"]) != device.clock():
        return (
            f"The clock stands at {device.clock():,} us when your function returns, and it says {int(got['time']):,}."
        )
    return ""


def _late(mine: list[Done], best: list[Done], b: int) -> str:
    """What keeps batch b from beginning as early as it could; "" where nothing does."""
    (could,) = (one.begin for one in best if one.what == FILL and one.batch == b)
    at = next((k for k, one in enumerate(mine) if one.what == FILL and one.batch == b), None)
    if at is None:
        return f"Batch {b} is never filled in."
    fill = mine[at]
    if fill.begin <= could:
        return ""
    waits = [one for one in mine[:at] if one.what == WAIT and one.end > max(one.begin, could)]
    behind = f"Batch {b} is filled in at {fill.begin:,} us, and could be at {could:,}"
    if not waits:
        return f"{behind}: other calls come before it."
    (first, *_) = waits
    whose = "a stream whose buffer it does not need" if first.stream != fill.stream else "its stream"
    return f"{behind}: from {first.begin:,} to {first.end:,} us your function waits for stream {first.stream}, {whose}."


def _other(b: int, mine: int, right: int) -> str:
    """What an answer is that is not the right one."""
    if mine == right:
        return ""
    why = {
        SPOILED: "its buffer was filled while a copy still read or wrote it",
        EMPTY: "it was taken before its stream had brought it",
    }
    return f"The answer of batch {b} is {mine}: {why.get(mine, f'{right} lay in its buffer when its stream was done')}."
