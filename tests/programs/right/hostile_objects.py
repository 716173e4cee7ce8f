"""Clients, proxies and lazy settings that answer nothing: whoever looks at a program's variables asks none of them."""

import types

import numpy as np
from numba import cuda

asked = []


def refuses(name):
    def method(self, *args, **options):
        asked.append(name)
        raise RuntimeError(f"{name}: not connected")

    return method


class NotConnected:
    """Every question ends in an error."""

    __slots__ = ()  # and it has no weak references

    __getattribute__, __eq__, __bool__, __len__ = map(refuses, ("__getattribute__", "__eq__", "__bool__", "__len__"))
    __array__, __repr__, __str__, __iter__ = map(refuses, ("__array__", "__repr__", "__str__", "__iter__"))
    __contains__, __index__, __hash__ = map(refuses, ("__contains__", "__index__", "__hash__"))
    __class__ = property(refuses("__class__"))
    __cuda_array_interface__ = property(refuses("__cuda_array_interface__"))


class Proxy:
    """Says that it is an array, and has no hash."""

    __hash__ = None
    __getattr__, __eq__ = refuses("__getattr__"), refuses("__eq__")
    __class__ = property(lambda self: asked.append("__class__") or np.ndarray)


class Meta(type):
    """A class of this kind answers nothing either."""

    __getattribute__, __eq__, __instancecheck__ = map(refuses, ("__getattribute__", "__eq__", "__instancecheck__"))
    __hash__ = None


class OfMeta(metaclass=Meta):
    pass


class LazyModule(types.ModuleType):
    """Loads at the first look."""

    def __getattribute__(self, name):
        asked.append(f"module {name}")
        raise RuntimeError("not loaded")


class Names(dict):
    """What a metaclass keeps the names of a class body in."""

    __iter__, items, get = refuses("__iter__"), refuses("items"), refuses("get")


class Prepared(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Names()


@cuda.jit
def double(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * x[i]


client, proxy, kind = NotConnected(), Proxy(), OfMeta
lazy = LazyModule("lazy")
array_like = type("ArrayLike", (np.ndarray,), {"__eq__": refuses("__eq__"), "__getitem__": refuses("__getitem__")})
odd_array = np.zeros(4).view(array_like)
odd_number = type("OddNumber", (int,), {"__eq__": refuses("__eq__"), "__bool__": refuses("__bool__")})(7)
globals()[5] = "a name that is no text"


def run(some_client, some_proxy, *rest, **named):
    """Every way in which host code may be asked for the names of its variables."""
    nobody, here = some_client, some_proxy
    x = cuda.to_device(np.arange(8.0))
    out = cuda.device_array_like(x)
    stream, event = cuda.stream(), cuda.event()
    pinned, mapped = cuda.pinned_array(8), cuda.mapped_array(8)
    double[1, 8, stream](x, out)
    event.record(stream)
    event.synchronize()
    out.copy_to_host(pinned, stream)
    stream.synchronize()
    double[1, 8](x, mapped)
    cuda.synchronize()
    waits = [nobody, here]
    double[1, 8](x, out[:])
    return pinned.sum(), mapped.sum(), len(waits)


class Holder:
    """Objects as attributes, and a launch among them."""

    def __init__(self):
        self.client, self.proxy = NotConnected(), Proxy()

    def run(self):
        return run(self.client, self.proxy, self, kind=OfMeta)


class Body(metaclass=Prepared):
    inside = NotConnected()
    double[1, 8](np.arange(8.0), np.zeros(8))


text = "client = NotConnected()\nx = np.arange(8.0)\nout = cuda.to_device(x)\ndouble[1, 8](cuda.to_device(x), out)\n"
exec(text, Names(NotConnected=NotConnected, np=np, cuda=cuda, double=double))

assert (56.0, 56.0, 2) == run(client, proxy, lazy, odd_array) == Holder().run()
print(np.array([1, 2]).sum(), np.asarray((3, 4)).sum(), asked)
assert [] == asked, asked
