"""Answers to compression.choose_ratios."""

import heapq

import numpy as np

from autograder.exercises.catalogue import right, wrong


def step_by_step(lost, n_bytes, budget, price):
    """Steps of the least price(lost, saved, layer) until the budget is kept."""
    n_layers, n_ratios = lost.shape
    at = [0] * n_layers
    while sum(n_bytes[layer, at[layer]] for layer in range(n_layers)) > budget:
        left = [layer for layer in range(n_layers) if at[layer] + 1 < n_ratios]
        best = min(left, key=lambda layer: price(layer, at[layer]))
        at[best] += 1
    return np.array(at)


@right("a_table_of_prices")
def choose_ratios(lost, n_bytes, budget):
    rows = np.arange(len(lost))
    prices = np.full(lost.shape, np.inf)
    prices[:, :-1] = np.diff(lost, axis=1) / -np.diff(n_bytes, axis=1)
    at = np.zeros(len(lost), int)
    while n_bytes[rows, at].sum() > budget:
        at[np.argmin(prices[rows, at])] += 1
    return at


@right("a_heap_of_steps")
def choose_ratios(lost, n_bytes, budget):
    lost, n_bytes = lost.tolist(), n_bytes.tolist()
    step = lambda k, r: ((lost[k][r + 1] - lost[k][r]) / (n_bytes[k][r] - n_bytes[k][r + 1]), k, r)  # noqa: E731
    heap = [step(k, 0) for k in range(len(lost))]
    heapq.heapify(heap)
    at, total = [0] * len(lost), sum(row[0] for row in n_bytes)
    while total > budget:
        _, k, r = heapq.heappop(heap)
        at[k] = r + 1
        total -= n_bytes[k][r] - n_bytes[k][r + 1]
        if r + 2 < len(lost[k]):
            heapq.heappush(heap, step(k, r + 1))
    return np.array(at)


@right("with_a_helper")
def choose_ratios(lost, n_bytes, budget):
    return step_by_step(
        lost,
        n_bytes,
        budget,
        lambda k, r: (lost[k, r + 1] - lost[k, r]) / (n_bytes[k, r] - n_bytes[k, r + 1]),
    )


@right("compared_one_by_one")
def choose_ratios(lost, n_bytes, budget):
    chosen = np.zeros(len(lost), np.int64)
    while True:
        total = 0
        for k, r in enumerate(chosen):
            total += n_bytes[k, r]
        if total <= budget:
            return chosen
        best, best_price = -1, float("inf")
        for k, r in enumerate(chosen):
            if r + 1 < lost.shape[1]:
                price = (lost[k, r + 1] - lost[k, r]) / (n_bytes[k, r] - n_bytes[k, r + 1])
                if price < best_price:
                    best, best_price = k, price
        chosen[best] += 1


@wrong("least_loss", misconception="loss_alone", says="what they lose alone")
def choose_ratios(lost, n_bytes, budget):
    return step_by_step(lost, n_bytes, budget, lambda k, r: lost[k, r + 1] - lost[k, r])


@wrong("most_bytes", misconception="bytes_alone", says="the bytes they save alone")
def choose_ratios(lost, n_bytes, budget):
    return step_by_step(lost, n_bytes, budget, lambda k, r: n_bytes[k, r + 1] - n_bytes[k, r])


@wrong("from_the_start", misconception="whole_way", says="the whole way")
def choose_ratios(lost, n_bytes, budget):
    return step_by_step(lost, n_bytes, budget, lambda k, r: lost[k, r + 1] / (n_bytes[k, 0] - n_bytes[k, r + 1]))


@wrong("dearest_first", misconception="upside_down", says="the wrong way round")
def choose_ratios(lost, n_bytes, budget):
    return step_by_step(
        lost,
        n_bytes,
        budget,
        lambda k, r: -(lost[k, r + 1] - lost[k, r]) / (n_bytes[k, r] - n_bytes[k, r + 1]),
    )


@wrong("one_ratio_for_all", misconception="alike_everywhere", says="same ratio")
def choose_ratios(lost, n_bytes, budget):
    return np.full(len(lost), np.argmax(n_bytes.sum(axis=0) <= budget))


@wrong("below_the_budget", misconception="budget_not_reached", says="one step too many")
def choose_ratios(lost, n_bytes, budget):
    n_layers, n_ratios = lost.shape
    at = [0] * n_layers
    while sum(n_bytes[k, at[k]] for k in range(n_layers)) >= budget:
        left = [k for k in range(n_layers) if at[k] + 1 < n_ratios]
        if not left:
            break
        price = lambda k: (lost[k, at[k] + 1] - lost[k, at[k]]) / (n_bytes[k, at[k]] - n_bytes[k, at[k] + 1])  # noqa: E731
        at[min(left, key=price)] += 1
    return np.array(at)


@wrong("a_later_one_wins", misconception="ties_to_the_last", says="the first does")
def choose_ratios(lost, n_bytes, budget):
    chosen = np.zeros(len(lost), np.int64)
    while n_bytes[np.arange(len(lost)), chosen].sum() > budget:
        best, best_price = -1, float("inf")
        for k, r in enumerate(chosen):
            if r + 1 < lost.shape[1]:
                price = (lost[k, r + 1] - lost[k, r]) / (n_bytes[k, r] - n_bytes[k, r + 1])
                if price <= best_price:
                    best, best_price = k, price
        chosen[best] += 1
    return chosen
