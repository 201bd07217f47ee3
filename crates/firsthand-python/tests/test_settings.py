"""Settings: by keyword, from a file or a dict, with the names and defaults of the command line."""

from __future__ import annotations

import inspect
import pathlib
import re
import subprocess
import sys
import tomllib
from typing import Any, get_type_hints

import pytest

import firsthand as fh
from firsthand import _keywords, _native

COMMAND = [sys.executable, "-m", "firsthand"]


def command(*args: str) -> str:
    return subprocess.run([*COMMAND, *args], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"profile": "corpus"},
        {"profile": "mail", "threshold": 0.6},
        {"method": "spotsigs"},
        {"method": "shingles", "n": 4, "matcher": "bands", "bands": 20},
        {"threshold": "4/5", "measure": "dice", "max_file": "5M", "template": False},
        {"text_field": "body", "original": "longest"},
    ],
)
def test_keywords_are_flags(keywords: dict[str, Any]) -> None:
    flags = [f"--{name.replace('_', '-')}={str(value).lower()}" for name, value in keywords.items()]
    assert tomllib.loads(fh.Detector(**keywords).settings) == tomllib.loads(command("config", "show", *flags))


def test_every_flag_is_a_keyword_with_a_type() -> None:
    names = {name for name, *_ in _native.setting_names()}
    shown = command("config", "show", "--help") + command("stream", "--help")
    flags = set(re.findall(r"--([a-z][a-z-]*)", shown))
    missing = {flag for flag in flags if flag.replace("-", "_") not in names}
    running = {"config", "profile", "method", "model", "help", "version", "quiet", "verbose", "threads", "window"}
    assert missing <= running | {"store", "new-generation", "out", "format", "exit-code", "dry-run", "time", "keep-text", "decisions"}
    typed = set(_keywords.StreamKeywords.__annotations__)
    for parent in (_keywords.SettingKeywords, _keywords.ReadingKeywords):
        typed |= set(parent.__annotations__)
    columns = {"id", "text", "html", "title", "url", "source", "time", "cluster"}
    assert typed == names | columns | {"profile", "method", "model", "settings"}


@pytest.mark.parametrize(
    ("function", "words"),
    [(fh.dedup, "dedup"), (fh.evaluate, "eval"), (fh.tune, "tune"), (fh.learn, "learn"), (fh.Store.clusters, "store clusters")],
)
def test_defaults_are_those_of_the_command_line(function: Any, words: str) -> None:
    shown = command(*words.split(), "--help")
    defaults = dict(re.findall(r"--([a-z-]+) <[^>]*>(?:(?!\n *-).)*?\[default: ([^\],]+)\]", shown, re.DOTALL))
    compared = 0
    for parameter in inspect.signature(function).parameters.values():
        flag = parameter.name.replace("_", "-")
        if flag in defaults and parameter.default is not None and isinstance(parameter.default, (str, int)):
            assert str(parameter.default) == defaults[flag], flag
            compared += 1
    assert compared > 0


def test_files_and_dicts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('profile = "corpus"\nthreshold = 0.7\n')
    written = fh.Detector(settings=path).settings
    assert written == fh.Detector(settings=str(path)).settings
    assert written == fh.Detector(settings={"profile": "corpus", "threshold": 0.7}).settings
    assert written == fh.Detector(profile="corpus", threshold=0.7).settings
    # What a result was made with makes the same again.
    path.write_text(written)
    assert fh.Detector(settings=path).settings == written


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"threshold": 1.5}, "threshold"),
        ({"threshold": "80%"}, "0.8"),
        ({"profile": "corpse"}, "corpse"),
        ({"profile": "corpus", "method": "shingles"}, "keep one"),
        ({"measure": "jacard"}, "jaccard"),
        ({"n": 3, "q": 4}, "n"),
        ({"settings": {"treshold": 1}}, "treshold"),
        ({"settings": "no/such.toml"}, "no/such.toml"),
        ({"matcher": "exact", "bands": 3}, "bands"),
    ],
)
def test_what_cannot_be_used(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(fh.SettingsError, match=re.escape(message)) as caught:
        fh.dedup(["a text"], **keywords)
    assert "--" not in str(caught.value) and isinstance(caught.value, (fh.FirsthandError, ValueError))


def test_slips_of_the_finger() -> None:
    with pytest.raises(TypeError, match="do you mean threshold"):
        fh.dedup(["a text"], treshold=0.8)  # type: ignore[call-arg]
    with pytest.raises(fh.SettingsError, match="pairs"):
        fh.dedup(["a text"], pairs="most")  # type: ignore[arg-type]
    with pytest.raises(fh.SettingsError, match="90s"):
        fh.dedup(["a text"], stop_after="soon")


def test_annotations_can_be_looked_at() -> None:
    assert "text" in get_type_hints(_keywords.ReadingKeywords)
