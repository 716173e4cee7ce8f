"""pip's environment and conda's are the same: names and pins of pyproject.toml and environment.yml agree."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from tools.parts.units import ROOT

CONDA_NAMES = {"matplotlib": "matplotlib-base", "playwright": "playwright-python"}  # where conda-forge's differ
ONLY_CONDA = {"python", "pip"}
INSTALLED = ("lab", "cu13", "dev", "drills", "engine")  # extras that environment.yml brings, too


def split(requirement: str) -> tuple[str, str]:
    """A requirement's name, without extras, and its pin."""
    name, pin = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*(.*)", requirement).groups()
    return name, pin


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def listed() -> tuple[list[str], list[str]]:
    """The lines for conda, and those that it hands to pip."""
    lines = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    by_pip = [line for each in lines if isinstance(each, dict) for line in each["pip"]]
    return [each for each in lines if isinstance(each, str)], by_pip


def conda() -> dict[str, str]:
    """Every name of environment.yml with its pin, whoever installs it."""
    by_conda, by_pip = listed()
    return dict(split(each) for each in [*by_conda, *by_pip] if not each.startswith("-"))


def test_environment_yml_has_the_names_and_pins_of_pyproject():
    extras = project()["optional-dependencies"]
    wanted = dict(split(each) for each in project()["dependencies"] + sum(map(extras.get, INSTALLED), []))
    expected = {CONDA_NAMES.get(name, name): pin for name, pin in wanted.items()}
    actual = {name: pin for name, pin in conda().items() if name not in ONLY_CONDA}

    assert expected == actual


def test_conda_hands_pip_lines_that_a_file_of_requirements_may_hold():
    options = [line for line in listed()[1] if line.startswith("-")]

    assert ["-e ."] == options  # pip refuses --no-deps and most other options there


def test_environment_yml_asks_for_the_same_python():
    assert project()["requires-python"] == conda()["python"]


def test_both_cuda_extras_pin_numba_cuda_alike():
    extras = project()["optional-dependencies"]
    pins = {split(extras[name][0]) for name in ("cu12", "cu13")}

    assert 1 == len(pins)


@pytest.mark.parametrize("major", ["12", "13"])
def test_a_cuda_extra_asks_for_its_own_major_version(major):
    requirement = project()["optional-dependencies"][f"cu{major}"][0]

    assert requirement.startswith(f"numba-cuda[cu{major}]")


@pytest.mark.parametrize("major", ["12", "13"])
def test_the_successors_extra_asks_for_its_own_major_version_and_leaves_numpy_alone(major):
    (requirement,) = project()["optional-dependencies"][f"mlir{major}"]

    assert requirement.startswith(f"numba-cuda-mlir[cu{major}]")


def test_numpy_stays_below_the_version_that_numba_cuda_cannot_compile_with():
    extras = project()["optional-dependencies"]

    for name in ("cu12", "cu13"):
        assert dict(split(each) for each in extras[name])["numpy"].endswith("<2.5")
    assert "numpy" not in dict(split(each) for each in extras["lab"]), "without numba-cuda any NumPy will do"


def test_the_base_asks_for_numpy_alone():
    assert ["numpy"] == [split(each)[0] for each in project()["dependencies"]]
