"""Answers to language_models.share_batch."""

import heapq

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("step_after_step")
def share_batch(arrivals, lengths, n_slots, n_pages):
    n = len(arrivals)
    begins, slots = np.full(n, -1), np.full(n, -1)
    busy = [None] * int(n_slots)
    free_pages, step, following = int(n_pages), 0, 0
    while following < n:
        for slot, one in enumerate(busy):
            if one is not None and begins[one] + lengths[one, 1] == step:
                free_pages += (int(lengths[one].sum()) + 15) // 16
                busy[slot] = None
        while following < n and arrivals[following] <= step and None in busy:
            need = (int(lengths[following].sum()) + 15) // 16
            if need > free_pages:
                break
            slot = busy.index(None)
            busy[slot], begins[following], slots[following] = following, step, slot
            free_pages -= need
            following += 1
        step += 1
    return begins, slots


@right("a_heap_of_ends")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots, ends = [], [], []
    free, pages, now = list(range(int(n_slots))), int(n_pages), 0
    for arrival, (prompt, new) in zip(arrivals.tolist(), lengths.tolist(), strict=True):
        need, now = -(-(prompt + new) // 16), max(now, arrival)
        while ends and (ends[0][0] <= now or not free or pages < need):
            end, slot, given = heapq.heappop(ends)
            now, pages = max(now, end), pages + given
            heapq.heappush(free, slot)
        slot = heapq.heappop(free)
        heapq.heappush(ends, (now + new, slot, need))
        pages -= need
        begins.append(now)
        slots.append(slot)
    return np.array(begins), np.array(slots)


@right("arrays_of_slots")
def share_batch(arrivals, lengths, n_slots, n_pages):
    need = np.ceil(lengths.sum(1) / 16).astype(int)
    until, held = np.zeros(n_slots, int), np.zeros(n_slots, int)
    found, step = np.zeros((len(need), 2), np.int64), 0
    for i in range(len(need)):
        step = max(step, arrivals[i])
        while (until > step).all() or held[until > step].sum() + need[i] > n_pages:
            step += 1
        slot = np.flatnonzero(until <= step)[0]
        until[slot], held[slot] = step + lengths[i, 1], need[i]
        found[i] = step, slot
    return found[:, 0].copy(), found[:, 1].copy()


@wrong("all_must_have_ended", misconception="whole_batches", says="in the very next step")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths.sum(axis=1) // 16)
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            together = all(begins[other] == step for other in running.values())
            if together and len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("before_they_come", misconception="arrivals_ignored", says="before they have arrived")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths.sum(axis=1) // 16)
    step, running = 0, {}
    for text in range(len(arrivals)):
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("slots_alone", misconception="pages_ignored", says="slots are not all")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            if len(running) < n_slots:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("pages_of_the_prompt", misconception="prompt_alone", says="for the prompt alone")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths[:, 0] // 16)
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("whole_pages_only", misconception="page_begun", says="round up")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = lengths.sum(axis=1) // 16
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("one_step_longer", misconception="freed_late", says="a step too late")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths.sum(axis=1) // 16)
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] >= step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("from_the_end", misconception="highest_slot", says="take the lowest")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths.sum(axis=1) // 16)
    step, running = 0, {}
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, max(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    return begins, slots


@wrong("who_fits_goes_first", misconception="overtaken", says="went past a longer one")
def share_batch(arrivals, lengths, n_slots, n_pages):
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    pages = -(-lengths.sum(axis=1) // 16)
    step, running, waiting = 0, {}, list(range(len(arrivals)))
    while waiting:
        running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
        for text in list(waiting):
            used = sum(pages[other] for other in running.values())
            if arrivals[text] <= step and len(running) < n_slots and used + pages[text] <= n_pages:
                begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
                running[slots[text]] = text
                waiting.remove(text)
        step += 1
    return begins, slots
