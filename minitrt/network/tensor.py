"""ITensor: a tensor of a network, named, with a shape that is worked out when it is asked for."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from minitrt.api.arguments import why_no_member
from minitrt.api.common import Named
from minitrt.api.deprecation import removed_in_11
from minitrt.api.dims import Dims
from minitrt.api.enums import DataType, NetworkDefinitionCreationFlag, TensorFormat, TensorLocation
from minitrt.api.sealed import sealed
from minitrt.api.without_effect import say

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition
    from minitrt.network.layer import ILayer


@sealed
class ITensor(Named):
    """A tensor. Its producer is a layer, or None for an input of the network."""

    def __init__(self, network: INetworkDefinition, name: str, producer: ILayer | None, dtype=None, shape=None):
        self._network, self._name, self._producer = network, name, producer
        self._dtype, self._given_shape = dtype, None if shape is None else tuple(int(n) for n in shape)
        self._asked_dtype: DataType | None = None  # of an input or output, where the type inside shall be another
        self._range: tuple[float, float] | None = None
        self._formats = (1 << len(TensorFormat)) - 1
        self._dimension_names: dict[int, str] = {}
        self._location = TensorLocation.DEVICE

    @property
    def shape(self) -> Dims:
        """Dimensions, -1 for one known only at run time; of unknown rank when they cannot be worked out."""
        if self._producer is None:
            return Dims.of(self._given_shape)
        found = self._network._facts.shape(self)
        return Dims.of(found)

    @shape.setter
    def shape(self, shape) -> None:
        if self._producer is not None:
            self._network._report.error(f"{self.name} is not an input of the network: its shape follows from its layer")
            return
        self._given_shape = tuple(int(n) for n in shape)
        self._network._changed()

    @property
    def dtype(self) -> DataType:
        if self._asked_dtype is not None and (self._producer is None or self.is_network_output):
            return self._asked_dtype
        return self._dtype if self._producer is None else self._network._facts.dtype(self)

    @dtype.setter
    def dtype(self, dtype: DataType) -> None:
        """Of an input: its type; in a weakly typed network FP16 and INT8 are converted from, and to FLOAT inside. Of an
        output of a weakly typed network: what it is converted to. Raises: TypeError for what is no DataType."""
        if why := why_no_member(DataType, dtype):
            raise TypeError(f"ITensor.dtype {why}")
        report, strong = self._network._report, self._network.get_flag(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        if self._producer is None:
            converted = not strong and self._dtype == DataType.FLOAT and dtype in (DataType.HALF, DataType.INT8)
            self._asked_dtype = dtype if converted else None
            self._dtype = self._dtype if converted else dtype
            self._network._changed()
        elif strong:
            if dtype != self.dtype:
                report.error(
                    f"{self.name}: its network is strongly typed, so it is {self.dtype.name}. Add a cast layer"
                )
        else:
            self._asked_dtype = dtype
            if not self.is_network_output:
                report.warning(f"the type of {self.name} was set to {dtype.name}: that counts once it is an output")

    @property
    def is_network_input(self) -> bool:
        return self in self._network._inputs

    @property
    def is_network_output(self) -> bool:
        return self in self._network._outputs

    @property
    def is_shape_tensor(self) -> bool:
        """True when its elements decide shapes."""
        return self in self._network._facts.shape_tensors()

    @property
    def is_execution_tensor(self) -> bool:
        """True when an output of the network is computed from its elements on the device."""
        return self.is_network_output or not self.is_shape_tensor and self in self._network._computed_with()

    @property
    def location(self) -> TensorLocation:
        return self._location

    @location.setter
    def location(self, location: TensorLocation) -> None:
        if location != TensorLocation.DEVICE:
            say(
                self._network,
                "ITensor.location",
                "what a tensor is for says where it lies: one that gives sizes, on the host",
            )
        self._location = location

    @property
    def allowed_formats(self) -> int:
        """Bit mask of TensorFormat that this input or output may have."""
        return self._formats

    @allowed_formats.setter
    def allowed_formats(self, mask: int) -> None:
        if self._producer is None or self.is_network_output:
            self._formats = int(mask)
        else:
            self._network._report.warning(f"{self.name} is neither input nor output: the builder chooses its format")

    @property
    def broadcast_across_batch(self) -> bool:
        return False

    @broadcast_across_batch.setter
    def broadcast_across_batch(self, _: bool) -> None:
        self._network._report.warning("broadcast_across_batch has no meaning: every network has an explicit batch")

    def set_dimension_name(self, index: int, name: str) -> None:
        """Name a dimension of an input; equal names must be equal at run time."""
        self._dimension_names[index] = name
        self._network._changed()

    def get_dimension_name(self, index: int) -> str | None:
        return self._dimension_names.get(index)

    @property
    def dynamic_range(self) -> tuple[float, float] | None:
        removed_in_11("ITensor.dynamic_range")
        return self._range

    @dynamic_range.setter
    def dynamic_range(self, limits: tuple[float, float]) -> None:
        if len(limits) != 2 or not self.set_dynamic_range(*limits):
            raise ValueError(f"the dynamic range of {self.name!r} must be two numbers, (min, max), but is {limits}")

    def set_dynamic_range(self, min: float, max: float) -> bool:
        """The range that INT8 covers, symmetric: scale = max(|min|, |max|) / 127. Overrides a calibrator. False, and
        nothing changed, unless min <= max and both are finite."""
        removed_in_11("ITensor.set_dynamic_range")
        if not (min <= max and isfinite(min) and isfinite(max)):
            self._network._report.error(f"{self.name}: the dynamic range ({min}, {max}) is none: min <= max must hold")
            return False
        self._range = (float(min), float(max))
        return True

    def reset_dynamic_range(self) -> None:
        removed_in_11("ITensor.reset_dynamic_range")
        self._range = None

    def __repr__(self) -> str:
        return f"<ITensor {self.name!r}>"
