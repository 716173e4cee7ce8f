"""What is timed: how a learner's answer, the reference, the naive version, a copy and a library are called."""

from __future__ import annotations

from collections.abc import Callable

from autograder.backend import cuda
from autograder.contract import Exercise, Values
from autograder.exercises import naive_of
from autograder.running.run_cuda import raise_limit
from autograder.speed.measure import Contender
from autograder.speed.probes import copier


def answer(exercise: Exercise, name: str, function: Callable, host_values: Values) -> Contender:
    """A learner's answer or the reference, called as the contract says. host_values give the launch its shapes."""
    if exercise.kind == "host":
        return Contender(name, lambda values: function(*_in_order(exercise, values)))
    return _kernel(exercise, name, function, exercise.launch(host_values))


def naive(exercise: Exercise, host_values: Values) -> Contender:
    """The naive version, with a launch of its own where the exercise gives it one. A plain host function is called."""
    function = naive_of(exercise)
    if exercise.naive_launch is None and exercise.kind == "host":
        return Contender("naive", lambda values: function(*_in_order(exercise, values)))
    launch = exercise.naive_launch or exercise.launch
    return _kernel(exercise, "naive", function, launch(host_values))


def copy(n_bytes: int) -> Contender:
    """A copy that moves n_bytes in all, half read and half written: what this GPU's memory can do."""
    enqueue = copier(n_bytes // 2)
    return Contender("copy", lambda _values: enqueue())


def _kernel(exercise: Exercise, name: str, kernel, launch: tuple) -> Contender:
    """A kernel with its launch configuration fixed, so that configuring it is not timed."""
    grid, block, *shared = launch
    kernel = kernel if hasattr(kernel, "py_func") else cuda.jit(kernel)
    configured = kernel[grid, block, 0, shared[0] if shared else 0]

    def compiled(values: Values) -> object:
        arguments = _in_order(exercise, values)
        raise_limit(kernel, arguments, shared[0] if shared else 0)
        return kernel.compile(tuple(kernel.typeof_pyval(value) for value in arguments))

    return Contender(name, lambda values: configured(*_in_order(exercise, values)), compile=compiled)


def _in_order(exercise: Exercise, values: Values) -> list:
    return [values[argument.name] for argument in exercise.arguments]
