"""A store from Python."""

from __future__ import annotations

import multiprocessing
import pathlib
from typing import Any

import polars as pl
import pytest

import firsthand as fh

Rows = list[dict[str, Any]]


def test_a_store_remembers(tmp_path: pathlib.Path, ferries: Rows) -> None:
    with fh.Store(tmp_path / "seen", profile="feed", text="body") as store:
        verdicts = store.add(pl.DataFrame(ferries[:2]))
        assert pl.DataFrame(verdicts)["verdict"].to_list() == ["original", "original"]
        assert len(store) == 2
    with fh.Store(tmp_path / "seen", text="body") as store:
        checked = store.check(ferries[3:]).to_dicts()[0]
        assert (checked["verdict"], checked["original"], checked["exact"]) == ("duplicate", "a", True)
        assert len(store) == 2
        added = store.add(ferries[2:])
        assert added["original"] == ["a", "a"] and added["cluster"] == ["a", "a"]
        assert store.add(ferries[2:3])["repeated"] == [True]
        found = store.get("a")
        assert found is not None and found["copies"] == ["c", "d"]
        assert store.get("x") is None
        assert store.clusters().to_dicts()[0]["size"] == 3
        assert [line["id"] for line in store.export()] == ["a", "b", "c", "d"]
        assert store.delete(["a", "x"]) == [True, False]
        assert store.get("a") is None and store.delete("b") == [True]
        assert len(store.clusters(min_size=3)) == 0 and len(store.clusters(limit=1)) == 1
    with pytest.raises(fh.StoreError, match="closed"):
        len(store)


def test_rows_that_cannot_be_judged(ferries: Rows) -> None:
    with fh.Store("memory:", text="body") as store:
        answers = store.add([ferries[0], {"id": "n", "body": None}, {"body": "without an id"}]).to_dicts()
    assert [answer["verdict"] for answer in answers] == ["original", "error", "error"]
    assert "row 1: no text" in answers[1]["error"] and "row 2: no id" in answers[2]["error"]


def test_stores_that_cannot_be_used(tmp_path: pathlib.Path) -> None:
    with pytest.raises(fh.StoreError):
        fh.Store(tmp_path / "none", read_only=True)
    with fh.Store(tmp_path / "one", profile="feed"):
        with pytest.raises(fh.StoreError, match="open"):
            fh.Store(tmp_path / "one")
    with pytest.raises(fh.StoreError, match="new_generation"):
        fh.Store(tmp_path / "one", profile="mail")
    with pytest.raises(TypeError, match="id or a url"):
        fh.Store("memory:").get()
    with pytest.raises(fh.SettingsError, match="size, first, last"):
        fh.Store("memory:").clusters(sort="best")  # type: ignore[arg-type]


SHARED: list[fh.Store] = []


def use_of_a_parent(_: int) -> str:
    try:
        SHARED[0].add([{"id": "z", "text": "a text"}])
    except fh.StoreError as error:
        return str(error)
    return "nothing was said"


def test_a_fork_may_not_use_the_store_of_its_parent() -> None:
    SHARED.append(fh.Store("memory:"))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert "after the fork" in pool.map_async(use_of_a_parent, [1]).get(timeout=60)[0]
