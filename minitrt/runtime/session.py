"""The short way to run an engine on NumPy arrays: memory, shapes and addresses are looked after."""

from __future__ import annotations

import numpy as np

from minitrt.api.interfaces import IOutputAllocator
from minitrt.graph.ir import NUMPY_TYPES
from minitrt.runtime.buffers import Buffer, make_buffer
from minitrt.runtime.engine import ICudaEngine


class RunError(RuntimeError):
    """A run that failed; the text is what the logger heard."""


def context_of(engine: ICudaEngine):
    """A context of the engine. Raises: RunError for one that cannot run, which is one without its weights."""
    context = engine.create_execution_context()
    if context is None:
        raise RunError(
            f"the engine was stripped of {len(engine._plan.missing)} weights, and runs once they are back:"
            " Refitter(engine, logger), or OnnxParserRefitter(refitter, logger).refit_from_file(path) and then"
            " refitter.refit_cuda_engine(); warpbook-trtexec --stripWeights goes with --buildOnly"
        )
    return context


class Output(IOutputAllocator):
    """Memory for one output, as large as it turns out to be."""

    def __init__(self, on_gpu: bool):
        self.on_gpu, self.buffer, self.shape = on_gpu, make_buffer(0, on_gpu), ()

    def reallocate_output(self, tensor_name: str, memory: int, size: int, alignment: int) -> int:
        if size > self.buffer.nbytes:
            self.buffer = make_buffer(size, self.on_gpu)
        return self.buffer.address

    def notify_shape(self, tensor_name: str, shape) -> None:
        self.shape = tuple(shape)


class Session:
    """An engine, one context of it, and buffers.

    stream: where it runs. listener: a logger that keeps messages in `.heard`, for errors' texts.
    """

    def __init__(self, engine: ICudaEngine, listener=None, stream: int = 0):
        self.engine, self.listener, self.stream = engine, listener, stream
        self.context = context_of(engine)
        self.on_gpu = engine._plan.device is not None
        self.inputs: dict[str, Buffer] = {}
        self.outputs = {name: Output(self.lies_on_gpu(name)) for name in engine._outputs}
        for name, output in self.outputs.items():
            self.context.set_output_allocator(name, output)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Outputs by name. feeds: an array for every input. Raises: RunError."""
        self.load(feeds)
        self.execute()
        return self.results()

    def load(self, feeds: dict[str, np.ndarray]) -> None:
        """Put inputs where the engine reads them, and set their shapes. Raises: RunError."""
        for name in self.engine._inputs:
            dtype = NUMPY_TYPES[self.engine.get_tensor_dtype(name)]
            array = converted(name, self.given(name, feeds), dtype)
            self.inputs[name] = buffer = self.fitting(name, array.nbytes)
            buffer.write(array)
            if not self.context.set_tensor_address(name, buffer.address):
                raise RunError(self.why())
            if not self.context.set_input_shape(name, array.shape):
                raise RunError(self.why())

    def given(self, name: str, feeds: dict[str, np.ndarray]) -> np.ndarray:
        """What an input is given; one that is an output of the model, too, is there under the model's name for both.
        Raises: RunError where there is none."""
        of_model = name.removeprefix("__")
        found = of_model if name not in feeds and of_model in self.engine._outputs else name
        if found not in feeds:
            raise RunError(f"input {name!r} is given nothing; there is something for {', '.join(feeds) or 'none'}")
        return feeds[found]

    def execute(self) -> None:
        """Run on what was loaded, and wait. Raises: RunError."""
        if not self.context.execute_async_v3(self.stream):
            raise RunError(self.why())
        self.context._execution.wait(self.stream)

    def results(self) -> dict[str, np.ndarray]:
        """Outputs of the last run, as arrays."""
        return {
            name: output.buffer.read(output.shape, NUMPY_TYPES[self.engine.get_tensor_dtype(name)])
            for name, output in self.outputs.items()
        }

    def lies_on_gpu(self, name: str) -> bool:
        return self.on_gpu and not self.engine.is_shape_inference_io(name)

    def fitting(self, name: str, nbytes: int) -> Buffer:
        held = self.inputs.get(name)
        return held if held is not None and held.nbytes >= nbytes else make_buffer(nbytes, self.lies_on_gpu(name))

    def why(self) -> str:
        heard = getattr(self.listener, "heard", [])
        return heard[-1] if heard else "the run failed; the logger knows why"


def converted(name: str, given: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """What an input is given, in its type. Raises: RunError for numbers that integers of this type cannot be."""
    source = np.asarray(given)
    with np.errstate(invalid="ignore"):
        array = np.asarray(source, dtype, order="C")
    if dtype.kind in "iu" and source.dtype != dtype:
        lost = source[array != source]
        if lost.size:
            raise RunError(f"input {name!r} is {dtype}, which cannot be {lost.flat[0]} (of {source.dtype})")
    return array
