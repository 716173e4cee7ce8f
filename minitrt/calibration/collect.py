"""Runs calibration: batches through the reference backend, a histogram a tensor, a scale from each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.api.logger import Reporter
from minitrt.calibration.cache import CacheRejected, read, write
from minitrt.calibration.calibrators import IInt8Calibrator
from minitrt.calibration.histogram import Histogram
from minitrt.graph.ir import NUMPY_TYPES, Graph, Value
from minitrt.graph.recipe import settle_recipes
from minitrt.runtime.host import array_at
from minitrt.runtime.reference import Watch, execute


class CalibrationFailed(ValueError):
    """A calibrator gave nothing to calibrate with."""


def scales_from(
    calibrator: IInt8Calibrator, graph: Graph, shapes: dict[str, tuple[int, ...]], on_gpu: bool, report: Reporter
) -> dict[str, float]:
    """Scale of every floating tensor of `graph`, from the calibrator's cache or from its batches.

    shapes: of the inputs; their first dimension is the batch. on_gpu: whether the batches' addresses are on the device.
    Raises: CalibrationFailed when there is neither a cache nor a batch.
    """
    cached = asked(calibrator, "read_calibration_cache")
    if cached:
        try:
            return read(bytes(cached), calibrator.algorithm)
        except CacheRejected as why:
            report.warning(f"calibration cache rejected: {why}; calibrating again")
    histograms = histograms_of(calibrator, graph, shapes, on_gpu, report)
    scales = {name: scale_of(calibrator.amax(histogram)) for name, histogram in histograms.items()}
    asked(calibrator, "write_calibration_cache", Cache(write(scales, calibrator.algorithm)))
    return scales


def asked(calibrator: IInt8Calibrator, method: str, *arguments: Any) -> Any:
    """What a method of the user's calibrator answers. Raises: CalibrationFailed for whatever it raises, by its name."""
    try:
        return getattr(calibrator, method)(*arguments)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise CalibrationFailed(f"{type(calibrator).__name__}.{method} raised {what}") from error


class Cache(bytes):
    """The cache as callers take it: writable to a file, and with tobytes(), as a memory view has."""

    def tobytes(self) -> bytes:
        return bytes(self)


def scale_of(amax: float) -> float:
    """amax / 127 as float32; 1 for a tensor that is always zero."""
    return float(np.float32(amax / 127)) if amax > 0 and math.isfinite(amax) else 1.0


def histograms_of(calibrator, graph: Graph, shapes, on_gpu: bool, report: Reporter) -> dict[str, Histogram]:
    """A histogram of every floating tensor over all batches."""
    wanted = [
        v for v in graph.values() if v.dtype in (DataType.FLOAT, DataType.HALF) and not v.is_constant and not v.host
    ]
    found = {value.name: Histogram() for value in wanted}
    settle_recipes(graph.constants())
    names, batches = [value.name for value in graph.inputs], 0

    def note(value: Value, array: np.ndarray) -> bool:
        found[value.name].add(array)
        return True

    watch = Watch(tensor=note, kept=set(wanted))
    while True:
        batch = asked(calibrator, "get_batch", names)
        if batch is None or len(batch) == 0:
            break
        if len(batch) != len(names):
            raise CalibrationFailed(
                f"{type(calibrator).__name__}.get_batch gave {len(batch)} inputs, but the network has {names}"
            )
        inputs = {
            value.name: fetched(each, value, shapes[value.name], on_gpu)
            for value, each in zip(graph.inputs, batch, strict=True)
        }
        for value in graph.inputs:
            if value in watch.kept:
                note(value, inputs[value.name])
        execute(graph, inputs, watch)
        batches += 1
        report.verbose(f"calibration: batch {batches}")
    if not batches:
        raise CalibrationFailed(
            f"{type(calibrator).__name__} has neither a cache nor a batch: get_batch must give at least one"
        )
    return found


def fetched(source, value: Value, shape: tuple[int, ...], on_gpu: bool) -> np.ndarray:
    """One input of a batch: an array as it is, or what lies at an address."""
    dtype = NUMPY_TYPES[value.dtype]
    if isinstance(source, np.ndarray):
        return np.asarray(source, dtype).reshape(shape)
    if not on_gpu:
        return array_at(int(source), shape, dtype).copy()
    from minitrt.device.driver import download

    return download(int(source), np.empty(shape, dtype))
