"""The conda recipe builds, and its own tests pass on the package, in environments that hold nothing else."""

from __future__ import annotations

import platform
import shutil
import sys
import zipfile

import pytest

from tools import build_recipe

pytest.importorskip("rattler_build", reason="py-rattler-build is not installed: python tools/set_up.py --dev")
linux_only = pytest.mark.skipif(platform.system() != "Linux", reason="a channel is made of a Python for Linux only")


def test_what_the_recipe_asks_for_besides_python_is_known_by_name_and_pin():
    assert [("numpy", ">=2.0"), ("pip", ""), ("setuptools", ">=77")] == list(build_recipe._needed())


@linux_only
def test_a_python_with_folders_of_its_own_is_refused_in_a_sentence(tmp_path):
    if sys.prefix == sys.base_prefix:
        pytest.skip("this Python runs in no virtual environment")
    with pytest.raises(build_recipe.NoSuchPython, match="Pass --python"):
        build_recipe.make_channel(tmp_path, sys.executable)


@pytest.mark.release
@linux_only
def test_the_recipe_builds_and_its_tests_pass(tmp_path):
    for python in filter(None, (sys._base_executable, shutil.which("python3"))):
        try:
            build_recipe.make_channel(tmp_path, python)
            break
        except build_recipe.NoSuchPython as error:
            why = str(error)
    else:
        pytest.skip(why)

    package = build_recipe.build(tmp_path, [])
    assert package.name.startswith("warpbook-")
    assert any(name.startswith("pkg-") for name in zipfile.ZipFile(package).namelist())
