"""Inputs, oracle, launch and cases of unit 21 for choosing the next token."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

MANY = 256  # threads of a block that looks at all logits of a text
SEEN = 2e-5  # share of a sum that no order of float32 additions can lose
FAR = 150  # what some texts have added to all their logits: exp of it is infinite in float32
TEMPERATURES = (1.0, 0.5, 2.0, 0.75)

CHOICE_ARGUMENTS = (
    Argument("logits", "in", "float32", "(n_texts, n_words)", "what the model says of each word, at most 131,072"),
    Argument("temperatures", "in", "float32", "(n_texts,)", "what logits are divided by, above 0"),
    Argument("top_ks", "in", "int32", "(n_texts,)", "how many words may be chosen from, 1 to n_words"),
    Argument("top_ps", "in", "float32", "(n_texts,)", "what share of them must be left, up to 1"),
    Argument("chances", "in", "float32", "(n_texts,)", "random numbers from 0 to 0.999"),
    Argument("tokens", "out", "int32", "(n_texts,)", "the word chosen for each text"),
)


def texts(n_texts: int, n_words: int) -> dict[str, int]:
    """Sizes of logits."""
    return {"n_texts": n_texts, "n_words": n_words}


CHOICE_FULL = texts(12, 270)
CHOICE_CASES = (
    Case(CHOICE_FULL),
    *(Case(texts(*sizes)) for sizes in ((1, 1), (15, 7), (2, 256))),
    Case(texts(9, 33), "general"),
    Case(texts(4, 530), "general"),
    Case(texts(12, 3_000), "general", trace=False),
)


def weights_of(logits: np.ndarray, temperature: float) -> np.ndarray:
    """exp of logits below their largest, over the temperature, float64."""
    logits = logits.astype(np.float64)
    return np.exp((logits - logits.max()) / float(temperature))


def at_least_kth(logits: np.ndarray, k: int) -> np.ndarray:
    """bool: which are as large as the k-th largest, ties included."""
    return logits >= np.sort(logits)[-int(np.clip(k, 1, len(logits)))]  # a picture tries other numbers, too


def likely(logits: np.ndarray, weights: np.ndarray, kept: np.ndarray, goal: float) -> np.ndarray:
    """bool: the fewest most likely ones of `kept` whose weights come to `goal`, and all that tie with the last."""
    order = np.argsort(-logits[kept], kind="stable")
    sums = np.cumsum(weights[kept][order])
    last = logits[kept][order][min(int(np.searchsorted(sums, goal)), len(sums) - 1)]
    return kept & (logits >= last)


def chosen_by(weights: np.ndarray, kept: np.ndarray, chance: float) -> int:
    """The first word, by number, at which the sum of kept weights exceeds the chance's share of them all."""
    sums = np.cumsum(np.where(kept, weights, 0))
    return int(min(np.searchsorted(sums, float(chance) * sums[-1], side="right"), len(sums) - 1))


def kept_of(values: Values, text: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights of a text's words, and which of them may be chosen."""
    logits = values["logits"][text]
    weights = weights_of(logits, values["temperatures"][text])
    kept = at_least_kth(logits, values["top_ks"][text])
    return weights, likely(logits, weights, kept, float(values["top_ps"][text]) * weights[kept].sum())


def choose_token(values: Values) -> dict:
    """The word of each text."""
    return by_text(values, lambda text: chosen_by(*kept_of(values, text), values["chances"][text]))


def by_text(values: Values, choose) -> dict:
    """tokens of a function of a text's number."""
    return {"tokens": np.array([choose(text) for text in range(len(values["chances"]))], np.int32)}


def make_choice(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Logits with many ties ("exact"), or none. Shares and chances lie in the middle of what they decide, so that no
    order of additions decides otherwise; every third chance is 0, every fourth share 1."""
    shape = n_texts, n_words = sizes["n_texts"], sizes["n_words"]
    logits: np.ndarray = rng.integers(-6, 7, shape) if kind == "exact" else rng.normal(0, 2, shape)
    logits = (logits + FAR * (np.arange(n_texts) % 3 - 1)[:, None]).astype(np.float32)
    values = {
        "logits": logits,
        "temperatures": np.resize(np.array(TEMPERATURES, np.float32), n_texts),
        "top_ks": np.minimum(1 + np.exp(rng.uniform(0, np.log(n_words + 1), n_texts)).astype(np.int32), n_words),
        "top_ps": np.ones(n_texts, np.float32),
        "chances": np.zeros(n_texts, np.float32),
        "tokens": np.zeros(n_texts, np.int32),
    }
    settle_all(values, rng)
    return values


def settle_all(values: Values, rng: np.random.Generator) -> None:
    """Shares and chances that suit the logits."""
    for text in range(len(values["logits"])):
        settle(values, text, rng)


def settle(values: Values, text: int, rng: np.random.Generator) -> None:
    """A text's share and chance, each in the middle of a step that is high enough to be seen."""
    weights = weights_of(values["logits"][text], values["temperatures"][text])
    kept = at_least_kth(values["logits"][text], values["top_ks"][text])
    values["top_ps"][text] = 1
    if text % 4 != 3:
        heights = np.array([weights[kept & (values["logits"][text] == x)].sum() for x in levels(values, text, kept)])
        values["top_ps"][text] = middle_of_a_step(heights, rng)
    weights, kept = kept_of(values, text)
    values["chances"][text] = 0
    if text % 3 != 1 or weights[kept][0] < SEEN * weights[kept].sum():
        values["chances"][text] = min(middle_of_a_step(np.where(kept, weights, 0), rng), 0.999)


def levels(values: Values, text: int, kept: np.ndarray) -> np.ndarray:
    """The distinct logits of a text's kept words, the largest first."""
    return np.unique(values["logits"][text][kept])[::-1]


def middle_of_a_step(heights: np.ndarray, rng: np.random.Generator) -> float:
    """The share of the whole at the middle of one of the steps that are high enough."""
    ends = np.cumsum(heights)
    step = rng.choice(np.flatnonzero(heights > SEEN * ends[-1]))
    return float((ends[step] - heights[step] / 2) / ends[-1])


def a_block_per_text(values: Values) -> tuple:
    """A block of 256 threads for each text."""
    return len(values["tokens"]), MANY
