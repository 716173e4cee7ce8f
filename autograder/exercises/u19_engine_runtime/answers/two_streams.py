"""Answers to engine_runtime.two_streams."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("the_other_one_waited_for_after_a_launch")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches):
        s = b % 2
        device.fill(s, b)
        device.copy_in(s)
        device.run(s)
        device.copy_out(s)
        if b > 0:
            device.wait(1 - s)
            answers[b - 1] = device.take(1 - s)
    last = (n_batches - 1) % 2
    device.wait(last)
    answers[n_batches - 1] = device.take(last)
    return answers, device.clock()


@right("a_queue_of_those_in_flight")
def two_streams(device, n_batches):
    from collections import deque

    free, flying, answers = [0, 1], deque(), []
    for b in range(n_batches):
        if not free:
            s = flying.popleft()
            device.wait(s)
            answers.append(device.take(s))
            free.append(s)
        s = free.pop(0)
        device.fill(s, b)
        for job in (device.copy_in, device.run, device.copy_out):
            job(s)
        flying.append(s)
    for s in flying:
        device.wait(s)
        answers.append(device.take(s))
    return answers, device.clock()


@right("what_a_stream_holds")
def two_streams(device, n_batches):
    answers, holds = np.full(n_batches, -9), {}

    def finish(s):
        if s in holds:
            device.wait(s)
            answers[holds.pop(s)] = device.take(s)

    for b in range(n_batches):
        finish(b % 2)
        holds[b % 2] = b
        device.fill(b % 2, b)
        device.copy_in(b % 2)
        device.run(b % 2)
        device.copy_out(b % 2)
    finish(n_batches % 2)
    finish(1 - n_batches % 2)
    return answers, device.clock()


@wrong("waited_for_at_once", misconception="one_stream", says="before you wait for this one")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches):
        s = b % 2
        device.fill(s, b)
        device.copy_in(s)
        device.run(s)
        device.copy_out(s)
        device.wait(s)
        answers[b] = device.take(s)
    return answers, device.clock()


@wrong("stream_0_alone", misconception="one_stream", says="begin a batch in the other stream")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 1):
        s = 0
        if b >= 1:
            device.wait(s)
            answers[b - 1] = device.take(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong("both_waited_for", misconception="all_waited_for", says="wait for the one whose buffer you need")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(0, n_batches, 2):
        mine = [one for one in (b, b + 1) if one < n_batches]
        for one in mine:
            device.fill(one % 2, one)
            device.copy_in(one % 2)
            device.run(one % 2)
            device.copy_out(one % 2)
        device.wait(0)
        device.wait(1)
        for one in mine:
            answers[one] = device.take(one % 2)
    return answers, device.clock()


@wrong("filled_and_then_waited", misconception="filled_early", says="wait for its stream first")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 2):
        s = b % 2
        if b < n_batches:
            device.fill(s, b)
        if b >= 2:
            device.wait(s)
            answers[b - 2] = device.take(s)
        if b < n_batches:
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong("filled_over_the_answers", misconception="filled_early", says="take them first")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 2):
        s = b % 2
        device.wait(s)
        if b < n_batches:
            device.fill(s, b)
        if b >= 2:
            answers[b - 2] = device.take(s)
        if b < n_batches:
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong("taken_and_then_waited", misconception="taken_early", says="wait for the stream, then take")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 2):  # past the last one, to take what is in flight
        s = b % 2
        if b >= 2:
            answers[b - 2] = device.take(s)
            device.wait(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong("last_two_in_flight", misconception="last_ones_left", says="two are in flight when the batches are all begun")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches):
        s = b % 2
        if b >= 2:
            device.wait(s)
            answers[b - 2] = device.take(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong(
    "kept_under_the_new_number",
    misconception="other_batchs_answer",
    says="belongs to the batch that was filled in there last",
)
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 2):  # past the last one, to take what is in flight
        s = b % 2
        if b >= 2:
            device.wait(s)
            answers[b % n_batches] = device.take(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()


@wrong("the_other_stream_waited_for_too", misconception="wrong_formula", says="a stream whose buffer it does not need")
def two_streams(device, n_batches):
    answers = np.zeros(n_batches, np.int64)
    for b in range(n_batches + 2):  # past the last one, to take what is in flight
        s = b % 2
        if b >= 2:
            device.wait(0)
            device.wait(1)
            answers[b - 2] = device.take(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    return answers, device.clock()
