"""What says who and which version says the same everywhere."""

from __future__ import annotations

import re
import tomllib

import yaml

from tools.parts.units import ROOT


def test_the_citation_names_the_version_and_licence_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (project["version"], project["license"]) == (cited["version"], cited["license"])
    assert project["authors"] == [{"name": author["name"]} for author in cited["authors"]]


def test_every_form_and_workflow_is_yaml_that_the_code_host_can_read():
    for path in sorted((ROOT / ".github").rglob("*.yml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))

        assert {"name"} <= document.keys(), path
        if path.parent.name == "ISSUE_TEMPLATE":
            assert "description" in document and all("type" in field for field in document["body"]), path


def test_the_paper_keeps_to_the_journals_length():
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").split("---", 2)[2]

    assert len(text.split()) < 1000


def test_the_recipe_needs_what_the_wheel_needs_and_starts_its_commands():
    recipe = (ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [re.sub(r"^([a-z]+)", r"\1 ", each) for each in project["dependencies"]]
    run = re.search(r"  run:\n((?:    - .*\n)+)", recipe)[1]

    assert {f"python {project['requires-python']}", *needed} == set(re.findall(r"- (.+)", run))
    commands = {f"{name} = {place}" for name, place in project["scripts"].items()}
    assert commands == set(re.findall(r"- (warpbook.* = .+)", recipe))
