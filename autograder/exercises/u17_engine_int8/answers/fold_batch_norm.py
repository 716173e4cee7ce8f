"""Answers to engine_int8.fold_batch_norm."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("in_two_lines")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], (bias - mean) * factor + beta


@right("rows_in_a_loop")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    new_weights, new_bias = weights.copy(), bias.copy()
    for k in range(len(gamma)):
        factor = gamma[k] / (variance[k] + eps) ** 0.5
        new_weights[k] *= factor
        new_bias[k] = factor * bias[k] - factor * mean[k] + beta[k]
    return new_weights, new_bias


@right("transposed_to_broadcast")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    std = np.sqrt(variance + eps)
    return (weights.T * (gamma / std)).T, gamma * (bias - mean) / std + beta


@right("a_diagonal_matrix")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    diagonal = np.diag(gamma / np.sqrt(variance + eps))
    return diagonal @ weights, diagonal @ (bias - mean) + beta


@right("doubles_rounded_at_the_end")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma.astype(np.float64) / np.sqrt(variance.astype(np.float64) + float(eps))
    folded = weights.astype(np.float64) * factor.reshape(-1, 1)
    shift = beta - mean * factor
    return folded.astype(np.float32), (bias * factor + shift).astype(np.float32)


@right("einsum")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    scale = gamma * np.power(variance + eps, np.float32(-0.5))
    return np.einsum("k,ki->ki", scale, weights), np.subtract(bias, mean) * scale + beta


@wrong("variance_without_root", misconception="no_root", says="divides by its root")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / (variance + eps)
    return weights * factor[:, None], (bias - mean) * factor + beta


@wrong("no_eps", misconception="eps_left_out", says="eps is missing")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance)
    return weights * factor[:, None], (bias - mean) * factor + beta


@wrong("eps_beside_the_root", misconception="eps_outside", says="under the root")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / (np.sqrt(variance) + eps)
    return weights * factor[:, None], (bias - mean) * factor + beta


@wrong("no_gamma", misconception="gamma_left_out", says="gamma is missing")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = 1 / np.sqrt(variance + eps)
    return weights * factor[:, None], (bias - mean) * factor + beta


@wrong("bias_added_as_it_was", misconception="bias_not_folded", says="all that the layer gives")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], bias + beta - mean * factor


@wrong("no_mean", misconception="mean_left_out", says="the mean is missing")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], bias * factor + beta


@wrong("mean_behind_the_product", misconception="mean_not_scaled", says="subtracted as it is")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], bias * factor - mean + beta


@wrong("no_bias_of_the_layer", misconception="bias_left_out", says="own bias is missing")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], beta - mean * factor


@wrong("beta_in_the_product", misconception="beta_scaled", says="added at the very end")
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], (bias - mean + beta) * factor
