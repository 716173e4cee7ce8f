"""Words and numbers that all renderers share, so that text, HTML and JSON never disagree."""

from __future__ import annotations

from autograder.diagnosis.misconceptions import title_of_kind
from autograder.outcome import BudgetResult, Cause, Outcome
from autograder.words import count_text

COMPILED_WORDS = (
    "A register holds a number of a single thread. Occupancy is the share of a multiprocessor's places for warps that "
    "can be taken at once; more is not always faster."
)
SINGULAR = {  # not less an s
    "accesses": "access", "passes": "pass", "branches": "branch", "copies": "copy", "launches": "launch",
}  # fmt: skip


def others_sentence(outcome: Outcome) -> str:
    """How many more causes there are, which the first may explain; "" for none.

    What the same line does to other arrays is the same mistake, and missed budgets are listed anyway.
    """
    first, *more = outcome.causes
    others = [cause for cause in more if cause.kind != "over_budget" and not _is_same(cause, first)]
    if not others:
        return ""
    kinds = ", ".join(dict.fromkeys(title(cause).lower() for cause in others))
    return f"{count_text(len(others), 'more finding')} ({kinds}); mend this one first, it may explain the rest."


def _is_same(cause: Cause, first: Cause) -> bool:
    return bool(cause.lines) and (cause.kind, cause.lines) == (first.kind, first.lines)


def missed_budget(outcome: Outcome) -> str:
    """The number that missed the budget which is the first cause: "2,048 global store requests, at most 8 allowed."."""
    missed = outcome.causes[0].missed if outcome.causes else None
    return allowed(missed) if missed is not None else ""


def allowed(budget: BudgetResult) -> str:
    """A missed budget in words."""
    name = counter_name(budget.counter, budget.value)
    if budget.floor:
        return f"{number(budget.value)} {name}, at least {number(budget.at_most)} asked for."
    return f"{number(budget.value)} {name}, at most {number(budget.at_most)} allowed."


def title(cause: Cause) -> str:
    """What kind of cause it is, in a learner's words."""
    return title_of_kind(cause.kind)


def number(value: float) -> str:
    """A counter or a ratio as people read it: 2800 -> "2,800", 4.0 -> "4", 1.25 -> "1.25"."""
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}"


def source_line(outcome: Outcome, line: int) -> str:
    """The learner's source at a line of their cell or file, stripped; "" where it is unknown."""
    lines = outcome.source.splitlines()
    index = line - outcome.first_line
    return lines[index].strip() if 0 <= index < len(lines) else ""


def counter_name(counter: str, value: float = 0) -> str:
    """A counter's key as words: "global_load_sectors_per_request" -> "global load sectors per request".

    value: 1 makes it singular, as in "1 device allocation", "1 load in flight" and "1 global load sector per request".
    """
    words = counter.split("_")
    plural = next((place for place, word in enumerate(words) if word.endswith("s")), None)
    if value == 1 and plural is not None:
        words[plural] = SINGULAR.get(words[plural], words[plural][:-1])
    return " ".join(words)


def telling_budgets(outcome: Outcome) -> tuple[BudgetResult, ...]:
    """One budget a measured number: of several, the most generous one missed, else the strictest one met."""
    telling: dict[tuple[str, float], BudgetResult] = {}
    for budget in outcome.budgets:
        key = budget.counter, budget.value
        telling[key] = max(telling.get(key, budget), budget, key=_how_telling)
    return tuple(telling.values())


def _how_telling(budget: BudgetResult) -> tuple[bool, float]:
    strict = budget.at_most if budget.floor else -budget.at_most
    return not budget.met, strict if budget.met else -strict


def cases_sentence(outcome: Outcome) -> str:
    """How many cases were right, and on what: "14 of 14 cases right in the interpreter"."""
    sentences = []
    for device, name in (("simt", "in the interpreter"), ("cuda", "on the GPU")):
        results = [case for case in outcome.cases if case.device == device and case.status != "not_run"]
        if results:
            right = sum(case.status == "right" for case in results)
            sentences.append(f"{right} of {count_text(len(results), 'case')} right {name}")
    return ", ".join(sentences)


def points_sentence(outcome: Outcome) -> str:
    """Points as a fraction: "6 of 6 points"."""
    return f"{outcome.points:g} of {outcome.max_points:g} points"


def compile_sentence(outcome: Outcome) -> str:
    """Registers, shared memory and occupancy, architectures with the same facts together; "" without compile facts."""
    together: dict[str, list[str]] = {}
    for architecture, facts in outcome.facts.get("compile", {}).items():
        parts = [f"{facts['registers']} registers"]
        if facts.get("shared_bytes"):
            parts.append(f"{facts['shared_bytes']:,} B shared")
        if facts.get("spill_bytes"):
            parts.append(f"{facts['spill_bytes']:,} B spilled")
        if facts.get("occupancy") is not None:
            parts.append(f"{facts['occupancy']:.0%} occupancy")
        together.setdefault(", ".join(parts), []).append(architecture)
    return "; ".join(f"{facts} ({', '.join(names)})" for facts, names in together.items())


def printed_sentence(outcome: Outcome) -> str:
    """What the learner's own code printed on one case, under a line that names it; "" where it printed nothing."""
    return str(outcome.facts.get("printed", ""))
