"""The pages say nothing that the repository contradicts: links, commands, units, and words about who wrote what."""

from __future__ import annotations

import re

import pytest

from autograder.cli import parser
from tools.parts.units import ROOT, units_of

OF_THE_PAST = ("history",)  # commands and files of then may be gone
GUIDE_PAGES = (path for path in (ROOT / "docs").glob("*.md") if path.stem not in OF_THE_PAST)
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in GUIDE_PAGES)]
GUIDES = "architecture glossary instructor-guide interpreter-fidelity security-model".split()


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose_of(text: str) -> str:
    """A page without its code, where brackets mean something else."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors_of(text: str) -> set[str]:
    """What a heading is called in a link, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def code_of(text: str) -> list[str]:
    """Lines of fenced blocks, and inline code."""
    fenced = re.findall(r"^ *```\w*\n(.*?)^ *```", text, flags=re.MULTILINE | re.DOTALL)
    return [line.strip() for block in fenced for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", text)


def commands_of(tool: str, text: str) -> set[str]:
    """The first word after a tool's name, wherever a piece of code starts with it."""
    return {found[1] for piece in code_of(text) if (found := re.match(rf"{tool} ([a-z][\w-]*)", piece))}


def test_the_pages_that_are_promised_are_there():
    assert {f"docs/{name}.md" for name in GUIDES} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_to_a_file_and_to_a_heading_of_it(page):
    broken = []
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose_of(text_of(page))):
        path, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        if not target.exists() or anchor and anchor not in anchors_of(target.read_text(encoding="utf-8")):
            broken.append(link)
    assert [] == broken


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_make_exist(page):
    targets = set(re.findall(r"^([a-z-]+):.*## ", text_of("Makefile"), flags=re.MULTILINE))
    assert commands_of("make", text_of(page)) <= targets


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_warpbook_exist_and_know_their_options(page):
    used = [piece for piece in code_of(text_of(page)) if piece.startswith("warpbook ")]
    known = {name: sub.format_help() for name, sub in _subparsers().items()}
    for piece in used:
        name = piece.split()[1]
        assert name in known, piece
        assert [] == [option for option in re.findall(r"--[a-z-]+", piece) if option not in known[name]], piece


def _subparsers() -> dict:
    return next(action.choices for action in parser()._actions if isinstance(action.choices, dict))


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_a_page_runs_exist(page):
    modules = re.findall(r"python -m ((?:tools|autograder)[a-z_.]*[a-z])\b", text_of(page))
    paths = [ROOT / name.replace(".", "/") for name in modules]
    assert [] == [str(path) for path in paths if not path.with_suffix(".py").exists() and not path.is_dir()]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_machine(page):
    assert [] == re.findall(r"(?:^|[\s(`])/(?:work|tmp|home|root)/\S*", text_of(page))


def glossary() -> list[tuple[str, str, str]]:
    rows = re.findall(r"^\| (.+?) \| \[?(.+?)\]? \| (.+) \|$", text_of("docs/glossary.md"), flags=re.MULTILINE)
    return [row for row in rows if row[0] != "word"]


def test_the_glossary_defines_each_word_once():
    words = [word for word, _, _ in glossary()]
    assert sorted(set(words)) == sorted(words)


def test_the_units_that_the_glossary_names_exist():
    units = {unit.id[:2] for unit in units_of(ROOT / "solutions")}
    assert {number for _, number, _ in glossary()} - {"–"} <= units


def test_the_glossary_leads_to_the_unit_that_explains_a_word():
    page = text_of("docs/glossary.md")
    leads = dict(re.findall(r"^\[(\d\d)\]: \.\./(course/\S+)$", page, flags=re.MULTILINE))

    assert {number for _, number, _ in glossary()} - {"–"} == set(leads)
    assert [] == [path for number, path in leads.items() if not (ROOT / path).is_file() or f"/{number}_" not in path]
    assert [] == re.findall(r"^\| [^|]+ \| \d\d \|", page, flags=re.MULTILINE)


def test_the_terms_of_verdicts_and_counters_are_in_the_glossary():
    words = " ".join(word for word, _, _ in glossary())
    terms = "grid block warp lane sector request bank wavefront race barrier occupancy divergence atomic spill roofline"
    assert [] == [term for term in terms.split() if term not in words]


def test_the_comparisons_with_hardware_that_a_page_quotes_stand_in_the_module_it_links_to():
    pattern = r"\[([\d.,]+ (?:of|and) [\d.,]+)[^]]*\]\(\.\./(simt/[\w/]+\.py)\)"
    rows = re.findall(pattern, text_of("docs/interpreter-fidelity.md"))
    assert 3 == len(rows)
    for quoted, path in rows:
        said = set(re.findall(r"\d+(?:\.\d+)?", text_of(path)))
        assert set(re.split(" of | and ", quoted)) <= said, (quoted, path)
