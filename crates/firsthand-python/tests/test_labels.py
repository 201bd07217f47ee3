"""Labelled documents, pages, and reading."""

from __future__ import annotations

import pathlib
import random
from typing import Any

import polars as pl
import pytest
from conftest import WORDS

import firsthand as fh

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def labelled() -> Rows:
    chance, rows = random.Random(3), []
    for cluster in range(40):
        words = chance.choices(WORDS, k=60)
        for copy in range(3):
            changed = list(words)
            for _ in range(copy * 4):
                changed[chance.randrange(60)] = chance.choice(WORDS)
            rows.append({"id": f"{cluster}-{copy}", "text": " ".join(changed), "cluster": f"c{cluster}"})
    return rows


def test_methods_are_measured(labelled: Rows, tmp_path: pathlib.Path) -> None:
    measured = fh.evaluate(pl.DataFrame(labelled), methods=["shingles", "profile:corpus"], draws=50)
    names = [method["name"] for method in measured.report["methods"]]
    assert sorted(names) == ["profile:corpus", "shingles"] and "shingles" in str(measured)
    measured.write_page(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>") or "<html" in (tmp_path / "report.html").read_text()
    with pytest.raises(fh.SettingsError, match="shingels"):
        fh.evaluate(labelled, methods=["shingels"])
    with pytest.raises(fh.InputError):
        fh.evaluate([{"id": "a", "text": "no label"}], methods=["shingles"])


def test_settings_are_chosen(labelled: Rows, tmp_path: pathlib.Path) -> None:
    tuned = fh.tune(labelled, methods="shingles", draws=50)
    tuned.write(tmp_path / "tuned.toml")
    found = fh.dedup(labelled, settings=tmp_path / "tuned.toml")
    assert len(set(found.clusters["cluster"])) == 40 and "shingles" in str(tuned)
    with pytest.raises(TypeError, match="do not go together"):
        fh.tune(labelled, precision=0.9, recall=0.9)


def test_models_are_learned(labelled: Rows, tmp_path: pathlib.Path) -> None:
    model = fh.learn(labelled, orders=2_000, folds=0)
    model.write(tmp_path / "model.json")
    assert fh.Model.read(tmp_path / "model.json").fingerprint == model.fingerprint in repr(model)
    by_value = fh.dedup(labelled, model=model).pairs.to_dicts()
    assert by_value == fh.dedup(labelled, model=tmp_path / "model.json").pairs.to_dicts() != []
    assert any("gram" in line for line in model.summary)


def test_every_format_is_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "page.html").write_text("<title>A ferry</title><p>The ferry did not sail today, it was said.</p>")
    (tmp_path / "news.jsonl").write_text('{"id": 7, "text": "A bridge", "time": "2024-05-31"}\nbroken\n')
    documents = fh.read(tmp_path)
    for _ in range(2):
        frame = pl.DataFrame(documents)
        assert sorted(frame["text"]) == ["A bridge", "The ferry did not sail today, it was said."]
    assert frame.schema["time"] == pl.Datetime("ms", "UTC")
    table, problems = documents.read_all()
    assert len(table) == 2 and "not valid JSON" in problems[0]
    assert fh.dedup(documents).rows["kept"] == [True, True]


def test_the_text_of_a_page() -> None:
    story = "The ferry to the island did not sail today because of the storm, the harbour master said. " * 3
    page = f"<nav><a href=/>Home</a> <a href=/news>News</a></nav><article><p>{story}</p></article>"
    assert fh.extract(page) == fh.extract(page.encode()) == story.strip()
    assert "Home" in fh.extract(page, extract="text")
