"""The same with a mistake; the line that is accused ends with `# here`."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from autograder.notebook.cuda_graphs import capture
from tests.simt.host_order.kernels import BLOCK, copy, scale

N = 1000
GRID = -(-N // BLOCK)


def pinned(value=1.0, n=N):
    array = cuda.pinned_array(n, np.float32)
    array[:] = value
    return array


def chain_with_a_link_missing():
    a, b, c = cuda.stream(), cuda.stream(), cuda.stream()
    e, f = cuda.event(), cuda.event()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x, stream=a)
    e.record(a)
    e.wait(b)
    scale[GRID, BLOCK, b](d)
    f.record(a)
    f.wait(c)
    d.copy_to_host(out, stream=c)  # here
    cuda.synchronize()


def host_waits_for_an_event_before_the_copy():
    s, e = cuda.stream(), cuda.event()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    e.record(s)
    d.copy_to_host(out, stream=s)
    e.synchronize()
    t = out.sum()  # here
    s.synchronize()
    return t


def join_forgets_a_branch():
    main = cuda.stream()
    parts = [cuda.stream() for _ in range(3)]
    x, out = pinned(), pinned(0)
    fork = cuda.event()
    joins = [cuda.event() for _ in parts]
    d = cuda.to_device(x, stream=main)
    fork.record(main)
    for k, s in enumerate(parts):
        fork.wait(s)
        scale[2, BLOCK, s](d[k * 333 : (k + 1) * 333])
        joins[k].record(s)
    for e in joins[:2]:
        e.wait(main)
    d.copy_to_host(out, stream=main)  # here
    main.synchronize()
    cuda.synchronize()


def ring_waits_for_the_wrong_buffer():
    a = [cuda.stream() for _ in range(3)]
    buf = [pinned(0, 100) for _ in range(3)]
    dev = [cuda.device_array(100, np.float32) for _ in range(3)]
    ev = [cuda.event() for _ in range(3)]
    for k in range(7):
        if k >= 3:
            ev[(k + 1) % 3].synchronize()
        buf[k % 3][:] = k  # here
        dev[k % 3].copy_to_device(buf[k % 3], stream=a[k % 3])
        ev[k % 3].record(a[k % 3])
    cuda.synchronize()


def refilled_after_the_event_before_its_copy():
    s, e = cuda.stream(), cuda.event()
    x = pinned(2, 100)
    d = cuda.device_array(100, np.float32)
    for _ in range(3):
        e.record(s)
        d.copy_to_device(x, stream=s)
        e.synchronize()
        x[:] = 3  # here
    s.synchronize()


def graph_replayed_beside_its_copy():
    a, b = cuda.stream(), cuda.stream()
    x = pinned()
    d = cuda.device_array(N, np.float32)
    scale[1, 1, a](cuda.to_device(np.zeros(1, np.float32)))
    with capture(a) as g:
        scale[GRID, BLOCK, a](d)
    d.copy_to_device(x, stream=a)
    g.replay(b)  # here
    cuda.synchronize()


def result_of_a_replay_read_at_once():
    s = cuda.stream()
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    scale[1, 1, s](cuda.to_device(np.zeros(1, np.float32)))
    with capture(s) as g:
        scale[GRID, BLOCK, s](x)
    g.replay(s)
    t = x.sum()  # here
    s.synchronize()
    return t


def flag_of_a_callback_read_at_once():
    s = cuda.stream()
    out, flag = pinned(0), pinned(0, 1)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=s)
    s.add_callback(lambda *_: flag.fill(1))
    t = flag[0]  # here
    s.synchronize()
    return t


def host_writes_what_a_kernel_maps():
    s = cuda.stream()
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    o = cuda.device_array(N, np.float32)
    copy[GRID, BLOCK, s](x, o)
    x[:] = 2  # here
    s.synchronize()


def two_copies_down_overlap_by_one():
    a, b = cuda.stream(), cuda.stream()
    out = pinned(0)
    d = cuda.to_device(np.ones(N, np.float32))
    d[:501].copy_to_host(out[:501], stream=a)
    d[500:].copy_to_host(out[500:], stream=b)  # here
    cuda.synchronize()


def event_recorded_in_the_wrong_stream():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    d = cuda.to_device(pinned(), stream=a)
    e.record(b)
    e.wait(b)
    scale[GRID, BLOCK, b](d)  # here
    cuda.synchronize()


def two_replays_at_once():
    a, b = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    scale[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    with capture(a) as g:
        scale[GRID, BLOCK, a](d)
    g.replay(a)
    g.replay(b)  # here
    cuda.synchronize()


def between_device_arrays_without_an_event():
    a, b = cuda.stream(), cuda.stream()
    d = cuda.to_device(pinned(), stream=a)
    f = cuda.device_array_like(d)
    f.copy_to_device(d, stream=b)  # here
    cuda.synchronize()


def waits_after_the_launch():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    d = cuda.to_device(pinned(), stream=a)
    e.record(a)
    scale[GRID, BLOCK, b](d)  # here
    e.wait(b)
    cuda.synchronize()


def waits_for_the_first_record_only():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    x = pinned()
    d = cuda.to_device(x, stream=a)
    e.record(a)
    e.wait(b)
    scale[GRID, BLOCK, a](d)
    e.record(a)
    scale[GRID, BLOCK, b](d)  # here
    cuda.synchronize()


def parts_of_host_and_device_overlap():
    s = cuda.stream()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x[:750], stream=s)
    scale[GRID, BLOCK, s](d)
    d.copy_to_host(out[:750], stream=s)
    out[749:] = 2 * x[749:]  # here
    s.synchronize()


def asked_and_not_listened_to():
    s, e = cuda.stream(), cuda.event()
    out = pinned(0)
    big = cuda.to_device(np.ones(N, np.float32))
    scale[GRID, BLOCK, s](big)
    big.copy_to_host(out, stream=s)
    e.record(s)
    e.query()
    t = out.sum()  # here
    s.synchronize()
    return t


def automatic_wait_of_another_stream():
    a, b = cuda.stream(), cuda.stream()
    _x, out = pinned(), pinned(0)
    with a.auto_synchronize():
        d = cuda.to_device(np.ones(N, np.float32))
        d.copy_to_host(out, stream=b)
    t = out.sum()  # here
    b.synchronize()
    return t


def callback_refills_from_another_stream():
    a, b = cuda.stream(), cuda.stream()
    x = pinned()
    cuda.to_device(x, stream=a)
    b.add_callback(lambda *_: x.fill(2))  # here
    cuda.synchronize()


def two_streams_add_without_atomics():
    a, b = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    scale[GRID, BLOCK, a](d)
    scale[GRID, BLOCK, b](d)  # here
    cuda.synchronize()


def mapped_refilled_between_replays():
    s = cuda.stream()
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    o = cuda.device_array(N, np.float32)
    copy[1, 1, s](cuda.to_device(np.zeros(1, np.float32)), cuda.to_device(np.zeros(1, np.float32)))
    with capture(s) as g:
        copy[GRID, BLOCK, s](x, o)
    for k in range(3):
        x[:] = k  # here
        g.replay(s)
    s.synchronize()


def the_default_stream_waits_and_nobody_waits_for_it():
    a = cuda.stream()
    x = pinned()
    m = cuda.mapped_array(N, np.float32)
    d = cuda.to_device(x, stream=a)
    copy[GRID, BLOCK](d, m)
    a.synchronize()
    return m[5]  # here


PIPELINES = [
    one for name, one in list(globals().items()) if getattr(one, "__module__", "") == __name__ and name != "pinned"
]
