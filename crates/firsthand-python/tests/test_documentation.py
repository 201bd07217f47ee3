"""Everything that is written about the package runs: examples, pages, types."""

from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import firsthand

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = [ROOT / "docs/python.md", ROOT / "docs/recipes.md", ROOT / "crates/firsthand-python/README.md"]
MODULES = [name for _, name, _ in pkgutil.iter_modules(firsthand.__path__) if name not in ("_native", "__main__", "spark")]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples_of_modules(name: str) -> None:
    module = importlib.import_module("firsthand" + (f".{name}" if name else ""))
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_pages(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    # In a process of its own: a session of Spark would leave its settings behind.
    env = os.environ | {"PYSPARK_PYTHON": sys.executable}
    ran = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_types() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "-p", "firsthand"], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_stubs() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "firsthand._native"], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
