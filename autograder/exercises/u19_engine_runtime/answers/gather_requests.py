"""Answers to engine_runtime.gather_requests."""

from autograder.exercises.catalogue import right, wrong


@right("times_beside_the_queue")
def gather_requests(host, most, patience):
    came = {}

    def submit(request):
        future = host.future()
        yield host.acquire()
        came[request] = host.clock()
        host.queue.append((request, future))
        yield host.notify()
        yield host.release()
        answer = yield host.result(future)
        return answer

    def ready():
        if len(host.queue) == 0:
            return False
        return len(host.queue) >= most or host.clock() >= came[host.queue[0][0]] + patience

    def serve():
        while True:
            yield host.acquire()
            while not ready():
                until = came[host.queue[0][0]] + patience if len(host.queue) else None
                yield host.wait(until)
            batch = [host.queue.pop(0) for _ in range(min(most, len(host.queue)))]
            yield host.release()
            for (_, future), answer in zip(batch, (yield host.run([r for r, _ in batch])), strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@right("notified_before_it_is_put")
def gather_requests(host, most, patience):
    def submit(request):
        yield host.acquire()
        yield host.notify()
        entry = {"request": request, "until": host.clock() + patience, "future": host.future()}
        host.queue.append(entry)
        yield host.release()
        return (yield host.result(entry["future"]))

    def serve():
        while True:
            yield host.acquire()
            while True:
                if len(host.queue) >= most:
                    break
                if host.queue and host.queue[0]["until"] <= host.clock():
                    break
                yield host.wait(host.queue[0]["until"] if host.queue else None)
            batch, host.queue[:] = host.queue[:most], host.queue[most:]
            yield host.release()
            answers = yield host.run([entry["request"] for entry in batch])
            for entry, answer in zip(batch, answers, strict=True):
                entry["future"].set(answer)

    return host.play(submit, serve, most, patience)


@right("lock_kept_between_batches")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        yield host.acquire()
        future = host.future()
        queue.insert(len(queue), (request, future, host.clock()))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        yield host.acquire()
        while True:
            while len(queue) < most and (not queue or host.clock() < queue[0][2] + patience):
                yield host.wait(queue[0][2] + patience if queue else None)
            requests, futures = [], []
            while queue and len(requests) < most:
                request, future, _ = queue.pop(0)
                requests.append(request)
                futures.append(future)
            yield host.release()
            answers = yield host.run(requests)
            for k in range(len(answers)):
                futures[k].set(answers[k])
            yield host.acquire()

    return host.play(submit, serve, most, patience)


@right("two_loops_and_a_look")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue:
                yield host.wait()
            while queue and len(queue) < most and host.clock() < queue[0][2]:
                yield host.wait(queue[0][2])
            batch = queue[:most]
            del queue[: len(batch)]
            yield host.release()
            if batch:
                answers = yield host.run([one[0] for one in batch])
                for one, answer in zip(batch, answers, strict=True):
                    one[1].set(answer)

    return host.play(submit, serve, most, patience)


@right("futures_in_a_dictionary")
def gather_requests(host, most, patience):
    futures = {}

    def submit(request):
        futures[request] = host.future()
        yield host.acquire()
        host.queue.append((host.clock(), request))
        yield host.notify()
        yield host.release()
        return (yield host.result(futures[request]))

    def serve():
        while True:
            yield host.acquire()
            while not host.queue or len(host.queue) < most and host.clock() - host.queue[0][0] < patience:
                yield host.wait(host.queue[0][0] + patience if host.queue else None)
            requests = [request for _, request in host.queue[:most]]
            del host.queue[:most]
            yield host.release()
            answers = yield host.run(requests)
            for request, answer in zip(requests, answers, strict=True):
                futures[request].set(answer)

    return host.play(submit, serve, most, patience)


@right("steps_from_a_helper")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def next_batch():
        yield host.acquire()
        while not queue or (len(queue) < most and host.clock() < queue[0][2]):
            yield host.wait(queue[0][2] if queue else None)
        batch = queue[:most]
        del queue[:most]
        yield host.release()
        return batch

    def serve():
        while True:
            batch = yield from next_batch()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("caller_keeps_the_lock", misconception="deadlock", says="give it back before you wait")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("result_before_release", misconception="deadlock", says="a thread that will never go on has the lock")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        answer = yield host.result(future)
        yield host.release()
        return answer

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("nobody_notifies", misconception="lost_wake_up", says="the server sleeps, since nobody told it")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("answers_turned_round", misconception="other_callers_answer", says="in the order of the requests that were run")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, reversed(answers), strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("put_without_the_lock", misconception="without_the_lock", says="by a thread that has not got the lock")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        queue.append((request, future, host.clock() + patience))
        yield host.acquire()
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("asked_without_the_lock", misconception="without_the_lock", says="take it first")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("released_and_then_taken", misconception="without_the_lock", says="by a thread that has not got the lock")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            yield host.release()
            batch = queue[:most]
            del queue[:most]
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("full_batches_alone", misconception="too_late", says="when its first request has waited for patience")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while len(queue) < most:
                yield host.wait()
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("patience_of_the_server", misconception="too_late", says="counted from when that one came")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue:
                yield host.wait()
            until = host.clock() + patience
            while not queue or (len(queue) < most and host.clock() < until):
                yield host.wait(until if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("whatever_is_there", misconception="too_early", says="others could have come along")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue:
                yield host.wait()
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("all_that_is_there", misconception="too_many", says="more requests than the engine takes")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:]
            del queue[:]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("run_with_the_lock", misconception="lock_held", says="nobody could put a request into the queue")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            answers = yield host.run([request for request, _, _ in batch])
            yield host.release()
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("if_in_place_of_while", misconception="woken_for_nothing", says="ask again after every wait")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            if not queue:
                yield host.wait()
            while len(queue) < most and host.clock() < queue[0][2]:
                yield host.wait(queue[0][2])
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("newest_first", misconception="overtaken", says="take them from the front")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[-most:]
            del queue[-most:]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)


@wrong("first_future_alone", misconception="never_answered", says="its future never set")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)
                break

    return host.play(submit, serve, most, patience)


@wrong("round_and_round", misconception="busy_waiting", says="in place of sleeping")
def gather_requests(host, most, patience):
    queue = host.queue

    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.release()
                yield host.acquire()
            batch = queue[:most]
            del queue[:most]
            yield host.release()
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)

    return host.play(submit, serve, most, patience)
