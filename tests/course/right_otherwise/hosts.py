"""Of streams: loops in Python, other cuts and orders."""

HOSTS = [
    (
        "streams.shared_job",
        "host_loop",
        {
            "    out[cut:] = 2 * x[cut:] + 1  # while the device is at work": """\
    for i in range(cut, x.size):
        out[i] = 2 * x[i] + 1""",
        },
    ),
    (
        "streams.in_chunks",
        "python_loop_bounds_min",
        {
            """\
    for k in range(n_chunks):
        part = slice(k * x.size // n_chunks, (k + 1) * x.size // n_chunks)
""": """\
    size = -(-x.size // n_chunks)
    for first in range(0, x.size, size):
        part = slice(first, min(first + size, x.size))
""",
        },
    ),
    (
        "streams.after_both",
        "both_into_third",
        {
            """\
    ready.wait(b)  # b waits here; the host does not
    add[blocks, THREADS, b](d_p, d_q, d_q)
    d_q.copy_to_host(out, stream=b)
    b.synchronize()""": """\
    too = cuda.event()
    too.record(b)
    last = cuda.stream()
    ready.wait(last)
    too.wait(last)
    add[blocks, THREADS, last](d_p, d_q, d_p)
    d_p.copy_to_host(out, stream=last)
    last.synchronize()""",
        },
    ),
    (
        "streams.two_buffers",
        "enumerate_copyto",
        {
            """\
    for k in range(len(batches)):
        turn = k % 2
        if k >= 2:
            copied[turn].synchronize()  # this buffer's last copy is over; the other stream goes on
        pinned[turn][:] = batches[k]""": """\
    for k, batch in enumerate(batches):
        turn = k & 1
        if k > 1:
            copied[turn].synchronize()
        np.copyto(pinned[turn], batch)""",
        },
    ),
    (
        "streams.as_graph",
        "while_replays",
        {
            """\
    for _ in range(replays):
        graph.replay(stream)""": """\
    left = replays
    while left > 0:
        graph.replay(stream)
        left -= 1""",
        },
    ),
]
