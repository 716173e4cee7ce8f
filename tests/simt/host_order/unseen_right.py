"""Pipelines that nobody had in mind when the model was written, all of them right: none may be accused of anything."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from tests.simt.host_order.kernels import BLOCK, add, copy, scale

N = 1000
GRID = -(-N // BLOCK)


def pinned(value=1.0, n=N):
    array = cuda.pinned_array(n, np.float32)
    array[:] = value
    return array


def chain_of_three():
    a, b, c = cuda.stream(), cuda.stream(), cuda.stream()
    e, f = cuda.event(), cuda.event()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x, stream=a)
    e.record(a)
    e.wait(b)
    scale[GRID, BLOCK, b](d)
    f.record(b)
    f.wait(c)
    d.copy_to_host(out, stream=c)
    c.synchronize()
    return out.sum()


def transitive_host_wait():
    a, b = cuda.stream(), cuda.stream()
    e = cuda.event()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x, stream=a)
    d.copy_to_host(out, stream=a)
    e.record(a)
    e.wait(b)
    b.synchronize()
    return out.sum()


def event_waited_for_by_the_host():
    s, e = cuda.stream(), cuda.event()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=s)
    e.record(s)
    e.synchronize()
    return out.sum()


def fork_and_join():
    main = cuda.stream()
    parts = [cuda.stream() for _ in range(3)]
    x, out = pinned(), pinned(0)
    fork = cuda.event()
    joins = [cuda.event() for _ in parts]
    d = cuda.to_device(x, stream=main)
    fork.record(main)
    for k, s in enumerate(parts):
        fork.wait(s)
        scale[2, BLOCK, s](d[k * 333 : (k + 1) * 333 if k < 2 else N])
        joins[k].record(s)
        joins[k].wait(main)
    d.copy_to_host(out, stream=main)
    main.synchronize()
    return out.sum()


def ring_of_three_buffers():
    s = cuda.stream()
    buf = [pinned(0, 100) for _ in range(3)]
    dev = [cuda.device_array(100, np.float32) for _ in range(3)]
    ev = [cuda.event() for _ in range(3)]
    total = cuda.to_device(np.zeros(1, np.float32))
    for k in range(7):
        if k >= 3:
            ev[k % 3].synchronize()
        buf[k % 3][:] = k
        dev[k % 3].copy_to_device(buf[k % 3], stream=s)
        ev[k % 3].record(s)
        add[1, BLOCK, s](dev[k % 3], total)
    s.synchronize()
    return total.copy_to_host()[0]


def nested_auto_synchronize():
    a, b = cuda.stream(), cuda.stream()
    x, out = pinned(), pinned(0)
    with a.auto_synchronize():
        cuda.to_device(x, stream=a)
        with b.auto_synchronize():
            e = cuda.to_device(x, stream=b)
            scale[GRID, BLOCK, b](e)
        e.copy_to_host(out, stream=a)
    return out.sum()


def ping_pong():
    s = cuda.stream()
    x = pinned()
    p = cuda.to_device(x, stream=s)
    q = cuda.device_array_like(p)
    for _ in range(4):
        copy[GRID, BLOCK, s](p, q)
        p, q = q, p
    return p.copy_to_host(stream=s).sum()


def refilled_after_the_event_of_its_copy():
    s, e = cuda.stream(), cuda.event()
    x = pinned(2, 100)
    d = cuda.device_array(100, np.float32)
    t = cuda.to_device(np.zeros(1, np.float32))
    for _ in range(3):
        d.copy_to_device(x, stream=s)
        e.record(s)
        add[1, BLOCK, s](d, t)
        e.synchronize()
        x[:] = 3
    s.synchronize()
    return t.copy_to_host()[0]


def callback_fills_and_host_waits():
    s = cuda.stream()
    out, flag = pinned(0), pinned(0, 1)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=s)
    s.add_callback(lambda *_: flag.fill(out.sum()))
    s.synchronize()
    return flag[0]


def polled():
    s, e = cuda.stream(), cuda.event()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=s)
    e.record(s)
    while not e.query():
        pass
    return out.sum()


def first_half_early():
    a, b = cuda.stream(), cuda.stream()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    d[:500].copy_to_host(out[:500], stream=a)
    d[500:].copy_to_host(out[500:], stream=b)
    a.synchronize()
    first = out[:500].sum()
    b.synchronize()
    return first + out[500:].sum()


def pageable_result():
    s = cuda.stream()
    x = pinned()
    d = cuda.to_device(x, stream=s)
    scale[GRID, BLOCK, s](d)
    h = np.empty(N, np.float32)
    d.copy_to_host(h, stream=s)
    return h.sum()


def across_devices_arrays():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    d = cuda.to_device(pinned(), stream=a)
    e.record(a)
    e.wait(b)
    f = cuda.device_array_like(d)
    f.copy_to_device(d, stream=b)
    return f.copy_to_host(stream=b).sum()


def event_recorded_again_later():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    x = pinned()
    d = cuda.to_device(x, stream=a)
    e.record(a)
    e.wait(b)
    scale[GRID, BLOCK, b](d)
    f = cuda.to_device(x, stream=a)
    e.record(a)
    b.synchronize()
    e.synchronize()
    return d.copy_to_host().sum() + f.copy_to_host().sum()


def shared_with_the_host():
    s = cuda.stream()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x[:750], stream=s)
    scale[GRID, BLOCK, s](d)
    d.copy_to_host(out[:750], stream=s)
    out[750:] = 2 * x[750:]
    s.synchronize()
    return out.sum()


def mapped_and_an_event():
    s, e = cuda.stream(), cuda.event()
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    scale[GRID, BLOCK, s](x)
    e.record(s)
    e.synchronize()
    return x.sum()


def read_while_it_is_read():
    s = cuda.stream()
    x = pinned()
    cuda.to_device(x, stream=s)
    t = x.sum()
    s.synchronize()
    return t


def back_and_forth():
    a, b = cuda.stream(), cuda.stream()
    e = [cuda.event() for _ in range(4)]
    d = cuda.to_device(np.ones(N, np.float32))
    for k in range(4):
        s, o = (a, b) if k % 2 == 0 else (b, a)
        scale[GRID, BLOCK, s](d)
        e[k].record(s)
        e[k].wait(o)
    a.synchronize()
    return d.copy_to_host().sum()


def pinned_input_and_output_same_buffer():
    s = cuda.stream()
    x = pinned()
    d = cuda.to_device(x, stream=s)
    scale[GRID, BLOCK, s](d)
    d.copy_to_host(x, stream=s)
    s.synchronize()
    x *= 2
    d.copy_to_device(x, stream=s)
    s.synchronize()
    return x.sum()


def column_slices_of_a_matrix():
    a, b = cuda.stream(), cuda.stream()
    m = cuda.pinned_array((20, 50), np.float32)
    m[:] = 1
    out = cuda.pinned_array((20, 50), np.float32)
    d = cuda.to_device(m)
    d[:10].copy_to_host(out[:10], stream=a)
    d[10:].copy_to_host(out[10:], stream=b)
    cuda.synchronize()
    return out.sum()


def gpu_reads_while_gpu_reads():
    a, b = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    o, p = cuda.device_array_like(d), cuda.device_array_like(d)
    copy[GRID, BLOCK, a](d, o)
    copy[GRID, BLOCK, b](d, p)
    h = pinned(0)
    d.copy_to_host(h, stream=a)
    cuda.synchronize()
    return h.sum()


def asked_in_an_if():
    s, e = cuda.stream(), cuda.event()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=s)
    e.record(s)
    if not e.query():
        e.synchronize()
    assert e.query()
    return out.sum()


PIPELINES = [
    one for name, one in list(globals().items()) if getattr(one, "__module__", "") == __name__ and name != "pinned"
]
