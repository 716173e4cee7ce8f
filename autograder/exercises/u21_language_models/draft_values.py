"""Inputs, oracle, launch and cases of unit 21 for a draft of several tokens that is checked at once."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u21_language_models.choice_values import MANY, chosen_by, middle_of_a_step

WHOLE = 4_096  # into so many equal shares "exact" probabilities are divided
DRAFT_ARGUMENTS = (
    Argument("target", "in", "float32", "(n_texts, n_drafted + 1, n_words)", "the model's probabilities at each place"),
    Argument(
        "draft", "in", "float32", "(n_texts, n_drafted, n_words)", "those of the small model that wrote the draft"
    ),
    Argument("drafted", "in", "int32", "(n_texts, n_drafted)", "the draft's words, 1 to 31 of them"),
    Argument("chances", "in", "float32", "(n_texts, n_drafted + 1)", "random numbers from 0 to 0.999"),
    Argument("n_kept", "out", "int32", "(n_texts,)", "how many words of the draft stay"),
    Argument("added", "out", "int32", "(n_texts,)", "the word that follows them"),
)


def drafts(n_texts: int, n_drafted: int, n_words: int) -> dict[str, int]:
    """Sizes of drafts."""
    return {"n_texts": n_texts, "n_drafted": n_drafted, "n_words": n_words}


DRAFT_FULL = drafts(9, 3, 270)
DRAFT_CASES = (
    Case(DRAFT_FULL),
    *(Case(drafts(*sizes)) for sizes in ((1, 1, 2), (3, 2, 7), (2, 5, 256), (9, 31, 33))),
    Case(drafts(8, 4, 50), "general"),
    Case(drafts(5, 3, 530), "general"),
    Case(drafts(30, 6, 2_000), "general", trace=False),
)


def probabilities(shape: tuple[int, ...], kind: str, rng: np.random.Generator) -> np.ndarray:
    """Rows that come to 1: of whole 4,096ths, so that sums of them are exact, or a softmax."""
    if kind == "exact":
        rows = [rng.multinomial(WHOLE, rng.dirichlet(np.ones(shape[-1]))) / WHOLE for _ in range(np.prod(shape[:-1]))]
        return np.stack(rows).reshape(shape).astype(np.float32)
    powers = np.exp(rng.normal(0, 2, shape))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


def make_drafts(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Probabilities, and drafts whose first refused word is another one in every text."""
    n_texts, n_drafted, n_words = (sizes[name] for name in ("n_texts", "n_drafted", "n_words"))
    values = {
        "target": probabilities((n_texts, n_drafted + 1, n_words), kind, rng),
        "draft": probabilities((n_texts, n_drafted, n_words), kind, rng),
        "drafted": np.zeros((n_texts, n_drafted), np.int32),
        "chances": np.zeros((n_texts, n_drafted + 1), np.float32),
        "n_kept": np.zeros(n_texts, np.int32),
        "added": np.zeros(n_texts, np.int32),
    }
    for text in range(n_texts):
        wanted = int(rng.permutation(n_drafted + 1)[0]) if text else n_drafted
        for i in range(n_drafted):
            draw(values, text, i, refused=i == wanted or i > wanted and bool(rng.integers(2)), rng=rng)
        left = left_of(values, text, int(kept_of(values, text)))
        step = middle_of_a_step(left, rng)
        values["chances"][text, -1] = min(np.floor(64 * step) / 64 if kind == "exact" else step, 0.999)
    return values


def draw(values: Values, text: int, i: int, refused: bool, rng: np.random.Generator) -> None:
    """A draft's word i, and a chance that refuses it or lets it stay. One word in four lies on the edge where it can:
    both sides are equal to the last bit, which refuses it."""
    target, draft = (values[name][text, i].astype(np.float64) for name in ("target", "draft"))
    more = np.flatnonzero((draft > 1.01 * target) if refused else (draft > 0) & (target > 0))
    if not len(more):  # a model that agrees with the other one, or has nothing in common with it
        more = np.flatnonzero(draft > 0)
    word = int(rng.choice(more))
    share = min(target[word] / draft[word], 1.0)
    chance = share + (1 - share) * rng.uniform(0.1, 0.9) if refused else share * rng.uniform(0, 0.9)
    if refused and rng.integers(4) == 0 and share < 0.999 and np.float32(share) == share:
        chance = share
    values["drafted"][text, i], values["chances"][text, i] = word, min(chance, 0.999)


def stays(values: Values, text: int) -> np.ndarray:
    """(n_drafted,) bool: which words would stay, each for itself."""
    words = values["drafted"][text] % values["draft"].shape[2]  # a picture tries other numbers, too
    at = np.arange(len(words)), words
    target, draft = (values[name][text][at].astype(np.float64) for name in ("target", "draft"))
    return values["chances"][text, :-1] * draft < target


def kept_of(values: Values, text: int) -> int:
    """How many words stay: those before the first that is refused."""
    refused = np.flatnonzero(~stays(values, text))
    return int(refused[0]) if len(refused) else values["drafted"].shape[1]


def left_of(values: Values, text: int, kept: int) -> np.ndarray:
    """(n_words,) float64: what the target has more of than the draft at the place of the added word."""
    target = values["target"][text, kept].astype(np.float64)
    if kept == values["draft"].shape[1]:
        return target
    return np.maximum(target - values["draft"][text, kept].astype(np.float64), 0)


def by_text(values: Values, kept: np.ndarray, added) -> dict:
    """n_kept, and added of a function of a text's number and how many words it keeps."""
    words = [added(text, int(n)) for text, n in enumerate(kept)]
    return {"n_kept": kept.astype(np.int32), "added": np.array(words, np.int32)}


def drawn_from(left: np.ndarray, chance: float) -> int:
    """The first word at which the sum exceeds the chance's share of it all."""
    return chosen_by(left, np.ones(len(left), bool), chance)


def all_kept(values: Values) -> np.ndarray:
    """(n_texts,): how many words of each draft stay."""
    return np.array([kept_of(values, text) for text in range(len(values["n_kept"]))])


def check_draft(values: Values) -> dict:
    """How many words stay, and which one follows."""
    return by_text(
        values,
        all_kept(values),
        lambda text, kept: drawn_from(left_of(values, text, kept), values["chances"][text, -1]),
    )


def a_block_per_draft(values: Values) -> tuple:
    """A block of 256 threads for each text."""
    return len(values["n_kept"]), MANY
