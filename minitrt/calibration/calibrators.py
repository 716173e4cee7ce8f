"""Calibrators: classes that users derive from. They give batches, and keep the cache; the builder does the rest.

TensorRT has the first four (gone in 11); percentile and mean square error are minitrt's own.
"""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.enums import CalibrationAlgoType
from minitrt.api.interfaces import IVersionedInterface
from minitrt.calibration import ranges
from minitrt.calibration.histogram import Histogram


class IInt8Calibrator(IVersionedInterface):
    """Base. Override get_batch_size, get_batch, and, to keep scales, the two methods of the cache.

    algorithm: the name in a cache's header; before_fusion: whether tensors of the unfused network are measured.
    """

    algorithm, before_fusion = "Calibration", True
    kind = CalibrationAlgoType.MINMAX_CALIBRATION
    amax: Callable[[Histogram], float] = staticmethod(ranges.largest)

    def get_batch_size(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must override get_batch_size()")

    def get_batch(self, names: list[str]) -> list[int] | None:
        """Addresses of the next batch's inputs (or NumPy arrays), in the order of names; None when there is no more."""
        raise NotImplementedError(f"{type(self).__name__} must override get_batch(names)")

    def read_calibration_cache(self) -> bytes | None:
        return None

    def write_calibration_cache(self, cache: bytes) -> None:
        pass

    def get_algorithm(self) -> CalibrationAlgoType:
        return self.kind


class IInt8MinMaxCalibrator(IInt8Calibrator):
    """The largest magnitude seen."""

    algorithm = "MinMaxCalibration"


class IInt8EntropyCalibrator2(IInt8Calibrator):
    """Least divergence, on the unfused network: its cache serves other devices, too."""

    algorithm, kind = "EntropyCalibration2", CalibrationAlgoType.ENTROPY_CALIBRATION_2
    amax = staticmethod(ranges.entropy)


class IInt8EntropyCalibrator(IInt8Calibrator):
    """Least divergence, on the fused network."""

    algorithm, before_fusion, kind = "EntropyCalibration", False, CalibrationAlgoType.ENTROPY_CALIBRATION
    amax = staticmethod(ranges.entropy)


class IInt8LegacyCalibrator(IInt8Calibrator):
    """A quantile of the magnitudes, on the fused network; override get_quantile.

    TensorRT's regression beyond the quantile is not published: get_regression_cutoff must be 1.0, which turns it off.
    """

    algorithm, before_fusion, kind = "LegacyCalibration", False, CalibrationAlgoType.LEGACY_CALIBRATION

    def get_quantile(self) -> float:
        return ranges.PERCENTILE

    def get_regression_cutoff(self) -> float:
        return 1.0

    def read_histogram_cache(self, length: int) -> bytes | None:
        return None

    def write_histogram_cache(self, data: bytes, length: int) -> None:
        pass

    def amax(self, histogram: Histogram) -> float:
        return ranges.percentile(histogram, float(self.get_quantile()))


class IInt8PercentileCalibrator(IInt8Calibrator):
    """A percentile of the magnitudes, on the unfused network."""

    algorithm = "PercentileCalibration"
    share = ranges.PERCENTILE

    def amax(self, histogram: Histogram) -> float:
        return ranges.percentile(histogram, self.share)


class IInt8MSECalibrator(IInt8Calibrator):
    """Least mean square error, on the unfused network."""

    algorithm = "MSECalibration"
    amax = staticmethod(ranges.mean_square)
