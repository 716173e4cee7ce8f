"""A kernel that names an object of the program hears that it cannot; no code of that object runs."""

import numpy as np
import pytest

import simt
from simt.errors import UnsupportedError
from simt.values.unasked import held, is_a, kind_has, memory_on_device, module_of_type, text_held

asked = []


def raises(self, *args):
    asked.append(args)
    raise RuntimeError("not connected")


class Client:
    __getattribute__ = __eq__ = __bool__ = __call__ = __getitem__ = __add__ = __radd__ = __len__ = __iter__ = raises
    __hash__ = None


class Kinds(type):
    __getattribute__ = __eq__ = __call__ = raises
    __hash__ = None


class Kind(metaclass=Kinds):
    pass


client = object.__new__(Client)


def reads_an_attribute(out):
    out[0] = client.width


def calls_it(out):
    out[0] = client(3)


def calls_its_method(out):
    out[0] = client.width(3)


def calls_a_class(out):
    out[0] = Kind(3)


def compares_it(out):
    if client == 3:
        out[0] = 1


def adds_it(out):
    out[0] = 1 + client


def indexes_it(out):
    out[0] = client[0]


def hands_it_on(out):
    out[0] = second(client, out)


def second(one, out):
    return out[1]


def loops_over_it(out):
    for one in client:
        out[0] = one


def converts_it(out):
    out[0] = int(client) + len(client)


KERNELS = [reads_an_attribute, calls_it, calls_its_method, calls_a_class, compares_it, adds_it, indexes_it, hands_it_on]


@pytest.mark.parametrize("kernel", [*KERNELS, loops_over_it, converts_it])
def test_a_kernel_that_names_such_an_object_is_refused_and_none_of_its_code_runs(kernel):
    asked.clear()
    with pytest.raises(UnsupportedError):
        simt.launch(kernel, 1, 1, np.zeros(2))
    assert [] == asked


@pytest.mark.parametrize("place", [0, 1, 2])
def test_as_an_argument_it_is_refused_by_its_type(place):
    argument = [client, Kind, (client, 1)][place]
    asked.clear()
    with pytest.raises(UnsupportedError, match="of type (Client|Kinds)"):
        simt.launch(second, 1, 1, argument, np.zeros(2))
    assert [] == asked


def test_what_an_object_holds_is_read_and_what_its_class_works_out_is_not():
    class Slots:
        __slots__ = ("full", "empty")

    class Ordinary:
        of_class = 3
        worked_out = property(raises)

    slots, ordinary = Slots(), Ordinary()
    slots.full, ordinary.own = 1, 2

    asked.clear()
    assert (1, None, 2, 3, None) == (
        held(slots, "full"),
        held(slots, "empty"),
        held(ordinary, "own"),
        held(ordinary, "of_class"),
        held(ordinary, "worked_out"),
    )
    assert ("sin", "Kind", __name__, "") == (
        text_held(np.sin, "__name__"),
        text_held(Kind, "__name__"),
        module_of_type(client),
        text_held(client, "name"),
    )
    assert kind_has(client, "__add__") and is_a(client, Client) and not is_a(client, dict)
    assert memory_on_device(client) is None and [] == asked
