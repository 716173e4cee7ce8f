"""Answers to streams.one_stream."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 256


def blocks_for(n):
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def add_up(batch, sums, k):
    i = cuda.grid(1)
    if i < batch.size:
        cuda.atomic.add(sums, k, batch[i])


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(1)


@right("copies_into_arrays_of_its_own")
def one_stream(x, out):
    s = cuda.stream()
    d_x, d_out = cuda.device_array(x.shape, x.dtype, stream=s), cuda.device_array(x.shape, x.dtype, stream=s)
    d_x.copy_to_device(x, stream=s)
    scale[blocks_for(len(x)), THREADS, s](d_x, d_out)
    d_out.copy_to_host(out, stream=s)
    s.synchronize()


@right("in_place_on_the_device")
def one_stream(x, out):
    s = cuda.stream()
    d = cuda.to_device(x, stream=s)
    scale[blocks_for(x.size), THREADS, s](d, d)
    d.copy_to_host(out, s)
    cuda.synchronize()


@right("auto_synchronize")
def one_stream(x, out):
    stream = cuda.stream()
    with stream.auto_synchronize():
        d_x = cuda.to_device(x, stream)
        d_out = cuda.device_array_like(x)
        scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
        d_out.copy_to_host(out, stream)


@right("waits_for_an_event")
def one_stream(x, out):
    stream, done = cuda.stream(), cuda.event()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    done.record(stream)
    done.synchronize()


@right("asks_an_event_until_it_is_done")
def one_stream(x, out):
    stream, done = cuda.stream(), cuda.event(timing=False)
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale.forall(x.size, stream=stream)(d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    done.record(stream=stream)
    while not done.query():
        pass


@right("waits_for_the_device")
def one_stream(x, out):
    own = cuda.stream()
    d = cuda.to_device(x, stream=own)
    scale[blocks_for(x.size), THREADS, own](d, d)
    d.copy_to_host(out, own)
    cuda.synchronize()


@wrong("the_last_copy_in_the_default_stream", misconception="default_stream", says="1 default stream operation,")
def one_stream(x, out):
    stream = cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out)


@wrong("the_kernel_in_the_default_stream", misconception="default_stream", says="which waits for all others and makes")
def one_stream(x, out):
    stream = cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    stream.synchronize()


@wrong("events_between_two_streams", misconception="one_is_enough", says="One stream orders all of it")
def one_stream(x, out):
    up, work, there = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_out = cuda.to_device(x, stream=up), cuda.device_array_like(x)
    there.record(up)
    there.wait(work)
    scale[blocks_for(x.size), THREADS, work](d_x, d_out)
    d_out.copy_to_host(out, stream=work)
    work.synchronize()


@wrong("nobody_waits", misconception="host_goes_on", says="The function returns while the copy of line")
def one_stream(x, out):
    stream = cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)


@wrong("a_stream_for_each_operation", misconception="missing_barrier", says="nothing makes")
def one_stream(x, out):
    up, run, down = cuda.stream(), cuda.stream(), cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=up), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, run](d_x, d_out)
    d_out.copy_to_host(out, stream=down)
    cuda.synchronize()


@wrong("waits_before_the_copy_down", misconception="host_goes_on", says="The function returns while the copy")
def one_stream(x, out):
    stream = cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    stream.synchronize()
    d_out.copy_to_host(out, stream=stream)


@wrong("everything_in_the_default_stream", misconception="default_stream", says="a stream of your own")
def one_stream(x, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    d_out.copy_to_host(out)


@wrong("out_goes_up_first", misconception="too_many_transfers", says="x goes up once and out comes down once")
def one_stream(x, out):
    stream = cuda.stream()
    out[:] = 0
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.to_device(out, stream=stream)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    stream.synchronize()


@wrong("the_result_stays_in_an_array_of_its_own", misconception="output_not_written", says="never written")
def one_stream(x, out):
    stream = cuda.stream()
    d_x, d_out = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    out = d_out.copy_to_host(stream=stream)  # noqa: F841
    stream.synchronize()


@wrong("numpy", misconception="nothing_on_device", says="launched no kernel")
def one_stream(x, out):
    out[:] = 2 * x + 1


@wrong("the_host_again_behind_the_device", misconception="nothing_on_device", says="nothing comes back from the device")
def one_stream(x, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_x)
    stream.synchronize()
    out[:] = 2 * x + 1
