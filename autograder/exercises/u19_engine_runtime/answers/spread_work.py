"""Answers to engine_runtime.spread_work."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("started_when_idle")
def spread_work(devices, n_requests):
    plans = {}
    for d in range(devices.count):
        plan = plans.get(devices.model(d)) or devices.build(d)
        plans[devices.model(d)] = plan
        devices.load(d, plan)
    owner = np.full(n_requests, -1)
    busy, request = devices.count, 0
    while busy:
        d = devices.wait()
        busy -= 1
        if request < n_requests:
            devices.start(d, request)
            owner[request] = d
            request += 1
            busy += 1
    return owner, devices.clock()


@right("for_each_request_then_the_rest")
def spread_work(devices, n_requests):
    plans, owner = {}, np.zeros(n_requests, np.int64)
    for d in range(devices.count):
        if devices.model(d) not in plans:
            plans[devices.model(d)] = devices.build(d)
        devices.load(d, plans[devices.model(d)])
    for request in range(n_requests):
        owner[request] = devices.wait()
        devices.start(int(owner[request]), request)
    for _ in range(devices.count):
        devices.wait()
    return owner, devices.clock()


@right("an_iterator_of_requests")
def spread_work(devices, n_requests):
    plans = {}
    for d in range(devices.count):
        kind = devices.model(d)
        plans.setdefault(kind, None)
        plans[kind] = plans[kind] or devices.build(d)
        devices.load(d, plans[kind])
    requests, owner, running = iter(range(n_requests)), {}, set(range(devices.count))
    while running:
        d = devices.wait()
        running.discard(d)
        request = next(requests, None)
        if request is not None:
            devices.start(d, request)
            owner[request] = d
            running.add(d)
    return [owner[r] for r in range(n_requests)], devices.clock()


@right("models_in_a_list")
def spread_work(devices, n_requests):
    models, plans = [], []
    for d in range(devices.count):
        if devices.model(d) in models:
            plan = plans[models.index(devices.model(d))]
        else:
            plan = devices.build(d)
            models.append(devices.model(d))
            plans.append(plan)
        devices.load(d, plan)
    owner = []
    for k in range(n_requests + devices.count):
        d = devices.wait()
        if k < n_requests:
            devices.start(d, k)
            owner += [d]
    return np.array(owner), devices.clock()


@right("a_queue")
def spread_work(devices, n_requests):
    from collections import deque

    plans, waiting = {}, deque(range(n_requests))
    owner = np.empty(n_requests, np.int64)
    for d in range(devices.count):
        m = devices.model(d)
        if m not in plans:
            plans[m] = devices.build(d)
        devices.load(d, plans[m])
    at_work = devices.count
    while at_work > 0:
        d = devices.wait()
        if waiting:
            r = waiting.popleft()
            owner[r] = d
            devices.start(d, r)
        else:
            at_work -= 1
    return owner, devices.clock()


@right("times_kept")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        model = devices.model(d)
        if model not in plans:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])
    for _ in range(devices.count + n_requests):  # each engine and each request is waited for once
        d = devices.wait()
        if len(owner) < n_requests:
            devices.start(d, len(owner))
            owner.append(d)
        time = devices.clock()
    return owner, time


@wrong("dealt_out_in_turns", misconception="in_turns", says="whoever is done takes the next one")
def spread_work(devices, n_requests):
    plans = {}
    for d in range(devices.count):
        if devices.model(d) not in plans:
            plans[devices.model(d)] = devices.build(d)
        devices.load(d, plans[devices.model(d)])
    owner = [r % devices.count for r in range(n_requests)]
    mine = {d: [r for r in range(n_requests) if owner[r] == d] for d in range(devices.count)}
    for _ in range(devices.count + n_requests):
        d = devices.wait()
        if mine[d]:
            devices.start(d, mine[d].pop(0))
    return owner, devices.clock()


@wrong("equal_parts", misconception="in_blocks", says="an equal part beforehand")
def spread_work(devices, n_requests):
    plans = {}
    for d in range(devices.count):
        if devices.model(d) not in plans:
            plans[devices.model(d)] = devices.build(d)
        devices.load(d, plans[devices.model(d)])
    part = -(-n_requests // devices.count)
    owner = [r // part for r in range(n_requests)]
    mine = {d: [r for r in range(n_requests) if owner[r] == d] for d in range(devices.count)}
    for _ in range(devices.count + n_requests):
        d = devices.wait()
        if mine[d]:
            devices.start(d, mine[d].pop(0))
    return owner, devices.clock()


@wrong("rounds_of_all", misconception="all_waited_for", says="to the device that wait() names")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        if devices.model(d) not in plans:
            plans[devices.model(d)] = devices.build(d)
        devices.load(d, plans[devices.model(d)])
    running = devices.count
    while running:
        for _ in range(running):
            devices.wait()
        running = min(devices.count, n_requests - len(owner))
        for d in range(running):
            devices.start(d, len(owner))
            owner.append(d)
    return owner, devices.clock()


@wrong("first_device_alone", misconception="one_device", says="device 0 does everything")
def spread_work(devices, n_requests):
    devices.load(0, devices.build(0))
    for request in range(n_requests):
        devices.wait()
        devices.start(0, request)
    devices.wait()
    return np.zeros(n_requests, int), devices.clock()


@wrong("each_waited_for", misconception="one_at_a_time", says="start returns at once")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        if devices.model(d) not in plans:
            plans[devices.model(d)] = devices.build(d)
        devices.load(d, plans[devices.model(d)])
    for _ in range(devices.count):
        devices.wait()
    for request in range(n_requests):
        d = request % devices.count
        devices.start(d, request)
        owner.append(devices.wait())
    return owner, devices.clock()


@wrong("last_ones_still_run", misconception="last_not_waited_for", says="wait for all that runs")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        model = devices.model(d)
        if model not in plans:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])
    for _ in range(n_requests):  # each engine and each request is waited for once
        d = devices.wait()
        if len(owner) < n_requests:
            devices.start(d, len(owner))
            owner.append(d)
    return np.array(owner), devices.clock()


@wrong("a_build_for_each", misconception="plan_per_device", says="devices of one model share a plan")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        model = devices.model(d)
        if True:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])
    for _ in range(devices.count + n_requests):  # each engine and each request is waited for once
        d = devices.wait()
        if len(owner) < n_requests:
            devices.start(d, len(owner))
            owner.append(d)
    return np.array(owner), devices.clock()


@wrong("loads_waited_for_first", misconception="wrong_formula", says="your function waits for device")
def spread_work(devices, n_requests):
    plans, owner = {}, []
    for d in range(devices.count):
        model = devices.model(d)
        if model not in plans:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])
    idle = [devices.wait() for _ in range(devices.count)]
    for d in idle[:n_requests]:
        devices.start(d, len(owner))
        owner.append(d)
    for _ in range(n_requests):
        d = devices.wait()
        if len(owner) < n_requests:
            devices.start(d, len(owner))
            owner.append(d)
    return np.array(owner), devices.clock()
