"""What says who and which version says the same everywhere."""

from __future__ import annotations

import re
import tomllib

import yaml

from tools.make import version
from tools.parts.units import ROOT


def test_the_citation_names_the_version_and_licence_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert project["version"] == cited["version"]
    assert project["license"].split(" AND ")[0] == cited["license"]
    assert project["authors"] == [{"name": author["name"]} for author in cited["authors"]]


def test_the_licence_of_the_code_and_that_of_the_text_are_the_same_wherever_they_are_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))["about"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert project["license"] == recipe["license"] and project["license-files"] == recipe["license_file"]
    for licence, file in (("Apache-2.0", "LICENSE"), ("CC BY 4.0", "LICENSE-TEXT.md")):
        assert f"[{licence}]({file})" in readme and licence.replace(" ", "-") in project["license"]


def test_every_form_and_workflow_is_yaml_that_the_code_host_can_read():
    for path in sorted((ROOT / ".github").rglob("*.yml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))

        assert {"name"} <= document.keys(), path
        if path.parent.name == "ISSUE_TEMPLATE":
            assert "description" in document and all("type" in field for field in document["body"]), path


def test_the_paper_keeps_to_the_journals_length():
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").split("---", 2)[2]

    assert len(text.split()) < 1000


def test_the_recipe_needs_what_the_wheel_needs_and_has_its_commands():
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [re.sub(r"^([a-z]+)", r"\1 ", each) for each in project["dependencies"]]
    commands = {f"{name} = {place}" for name, place in project["scripts"].items()}

    assert {f"python {project['requires-python']}", *needed} == set(recipe["requirements"]["run"])
    assert commands == set(recipe["build"]["python"]["entry_points"])


def test_every_file_that_names_the_version_names_that_of_the_project():
    assert 0 == version.main(["--check"]), "run `python -m tools.make.version`"


def test_another_version_is_written_and_nothing_else():
    for name, line in (("CITATION.cff", "version: {}"), ("recipe/recipe.yaml", '  version: "{}"')):
        text = (ROOT / name).read_text(encoding="utf-8")
        now = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        older = text.replace(line.format(now), line.format("0.0.9"))

        assert older != text == version.current(name, older)


def test_the_changelog_of_a_release_is_no_longer_than_a_user_reads():
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]

    assert [] == [section.partition("\n")[0] for section in sections if section.rstrip().count("\n") + 1 > 60]
