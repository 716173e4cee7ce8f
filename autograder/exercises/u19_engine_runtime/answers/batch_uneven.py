"""Answers to engine_runtime.batch_uneven."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("row_by_row")
def batch_uneven(engine, tokens, starts):
    n = len(starts) - 1
    answers = np.zeros(n, np.int64) - 1
    low = 0
    for end in engine.ends:
        mine = [i for i in range(n) if low < starts[i + 1] - starts[i] <= end]
        low = end
        for at in range(0, len(mine), engine.most):
            some = mine[at : at + engine.most]
            batch = np.zeros((len(some), end), np.int64)
            mask = np.zeros((len(some), end), bool)
            for row, i in enumerate(some):
                sequence = tokens[starts[i] : starts[i + 1]]
                batch[row, : len(sequence)] = sequence
                mask[row, : len(sequence)] = True
            answers[some] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@right("a_batch_as_soon_as_it_is_full")
def batch_uneven(engine, tokens, starts):
    answers = np.full(len(starts) - 1, -1)
    waiting = {int(end): [] for end in engine.ends}

    def run(end):
        mine, waiting[end] = waiting[end], []
        batch, mask = np.full((2, len(mine), end), 0)
        for row, i in enumerate(mine):
            length = starts[i + 1] - starts[i]
            batch[row, :length] = tokens[starts[i] : starts[i + 1]]
            mask[row, :length] = 1
        answers[mine] = engine.run(batch, mask)

    for i in range(len(answers)):
        end = next((end for end in waiting if end >= starts[i + 1] - starts[i]), None)
        if end is not None:
            waiting[end].append(i)
            if len(waiting[end]) == engine.most:
                run(end)
    for end in waiting:
        if waiting[end]:
            run(end)
    return answers, engine.runs, engine.elements


@right("with_places")
def batch_uneven(engine, tokens, starts):
    lengths = starts[1:] - starts[:-1]
    answers = np.full(lengths.size, -1, np.int64)
    bucket = np.searchsorted(engine.ends, lengths)
    for number, end in enumerate(engine.ends):
        (members,) = np.nonzero(bucket == number)
        while len(members):
            rows, members = members[: engine.most], members[engine.most :]
            place = np.arange(end)[None, :]
            mask = place < lengths[rows][:, None]
            at = np.where(mask, starts[rows][:, None] + place, 0)
            answers[rows] = engine.run(np.where(mask, tokens[at], 7), mask)
    return answers, engine.runs, engine.elements


@right("sorted_by_length")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    order = np.argsort(lengths, kind="stable")
    at = 0
    while at < len(order) and lengths[order[at]] <= engine.ends[-1]:
        end = min(e for e in engine.ends if e >= lengths[order[at]])
        rows = [i for i in order[at : at + engine.most] if lengths[i] <= end]
        batch = np.array([np.pad(tokens[starts[i] : starts[i + 1]], (0, end - lengths[i])) for i in rows])
        answers[rows] = engine.run(batch, np.arange(end) < lengths[rows].reshape(-1, 1))
        at += len(rows)
    return answers, engine.runs, engine.elements


@wrong("everything_is_real", misconception="padding_counts", says="a row's own elements are those before its length")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, np.ones_like(mask))
    return answers, engine.runs, engine.elements


@wrong("no_zero_is_real", misconception="zeros_masked", says="its place says, not its value")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, batch != 0)
    return answers, engine.runs, engine.elements


@wrong("up_to_the_length", misconception="one_too_many", says="the last real one is length - 1")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, np.arange(end) <= lengths[rows, None])
    return answers, engine.runs, engine.elements


@wrong("to_the_right", misconception="padded_in_front", says="they begin at place 0")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) >= end - lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("one_bucket", misconception="longest_for_all", says="short sequences have buckets of their own")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.where(lengths <= engine.ends[-1], len(engine.ends) - 1, -1)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("right_side", misconception="next_bucket", says="it fits without padding")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths, side="right")
    bucket[lengths == engine.ends[-1]] = len(engine.ends) - 1
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("each_alone", misconception="one_by_one", says="a batch takes up to engine.most")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), 1):
            rows = members[at : at + 1]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("whole_batches_alone", misconception="rest_left_out", says="the last batch may be smaller")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members) - engine.most + 1, engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("cut_to_the_largest", misconception="cut_off", says="their answer is -1")
def batch_uneven(engine, tokens, starts):
    lengths = np.minimum(np.diff(starts), engine.ends[-1])
    answers = np.full(len(lengths), -1)
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i] + lengths[i]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("padded_as_they_come", misconception="as_they_came", says="sort them into buckets first")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    members = np.flatnonzero(lengths <= engine.ends[-1])
    for at in range(0, len(members), engine.most):
        rows = members[at : at + engine.most]
        end = engine.ends[np.searchsorted(engine.ends, lengths[rows].max())]
        batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
        batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
        answers[rows] = engine.run(batch, mask)
    return answers, engine.runs, engine.elements


@wrong("one_list_of_answers", misconception="in_order_of_batches", says="the sequence that it was made of")
def batch_uneven(engine, tokens, starts):
    lengths = np.diff(starts)
    answers = []
    bucket = np.searchsorted(engine.ends, lengths)
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers += engine.run(batch, mask).tolist()
    return np.array(answers + [-1] * (len(lengths) - len(answers))), engine.runs, engine.elements
