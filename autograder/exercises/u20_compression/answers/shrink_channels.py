"""Answers to compression.shrink_channels."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("columns_named_one_by_one")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(np.hstack([weights, shortcut])).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    area = following.shape[1] // len(weights)
    columns = (kept[:, None] * area + np.arange(area)).ravel()
    return kept, weights[kept], norm[:, kept], shortcut[kept], following[:, columns]


@right("a_mask_of_channels")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    mask = np.zeros(len(size), bool)
    mask[sorted(range(len(size)), key=lambda k: (-size[k], k))[:keep]] = True
    wide = np.repeat(mask, following.shape[1] // len(size))
    return np.flatnonzero(mask), weights[mask], norm[:, mask], shortcut[mask], following[:, wide]


@right("those_that_go_are_deleted")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    gone = np.argsort(-size, kind="stable")[keep:]
    n_out, n_mid = len(following), len(weights)
    by_channel = np.delete(following.reshape(n_out, n_mid, -1), gone, axis=1)
    kept = np.delete(np.arange(n_mid), gone)
    rest = np.delete(weights, gone, axis=0), np.delete(norm, gone, axis=1), np.delete(shortcut, gone, axis=0)
    return kept, *rest, by_channel.reshape(n_out, -1)


@right("taken_along_axes")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.linalg.norm(weights.astype(np.float64), 1, axis=1) + np.linalg.norm(
        shortcut.astype(np.float64), 1, axis=1
    )
    kept = np.sort(np.lexsort((np.arange(len(size)), -size))[:keep])
    new = following.reshape(len(following), len(size), -1).take(kept, axis=1)
    return (
        kept,
        weights.take(kept, axis=0),
        norm.take(kept, axis=1),
        shortcut.take(kept, axis=0),
        new.reshape(len(new), -1),
    )


@wrong("by_the_layer_alone", misconception="shortcut_left_out", says="the shortcut adds")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("sums_with_signs", misconception="sign_left_in", says="magnitudes")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = weights.sum(axis=1) + shortcut.sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("smallest_first", misconception="smallest_kept", says="take the largest")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("sums_of_squares", misconception="squares_added", says="sum of magnitudes")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.square(weights).sum(axis=1) + np.square(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("gamma_decides", misconception="by_gamma", says="chosen by gamma")
def shrink_channels(weights, norm, shortcut, following, keep):
    kept = np.sort(np.argsort(-np.abs(norm[0]), kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("largest_first", misconception="order_lost", says="their old order")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.argsort(-size, kind="stable")[:keep]
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("sorted_and_turned_round", misconception="ties_to_the_last", says="the first does")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(size, kind="stable")[::-1][:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("norm_cut_short", misconception="norm_left_behind", says="batch norm")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, :keep], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)


@wrong("shortcut_cut_short", misconception="shortcut_left_behind", says="shortcut's rows")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)
    return kept, weights[kept], norm[:, kept], shortcut[:keep], by_channel[:, kept].reshape(n_out, -1)


@wrong("following_cut_short", misconception="following_left_behind", says="the next layer keeps")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    area = following.shape[1] // len(weights)
    return kept, weights[kept], norm[:, kept], shortcut[kept], following[:, : area * keep]


@wrong("channels_last", misconception="area_strided", says="they are neighbours")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_place = following.reshape(n_out, -1, n_mid)
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_place[:, :, kept].reshape(n_out, -1)


@wrong("a_column_for_each_channel", misconception="wrong_return", says="new_following")
def shrink_channels(weights, norm, shortcut, following, keep):
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    return kept, weights[kept], norm[:, kept], shortcut[kept], following[:, kept]
