"""Results: tables for every library, explanations, what people see of them."""

from __future__ import annotations

import json
import pathlib
import pickle
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import firsthand as fh

Rows = list[dict[str, Any]]


def test_tables_go_everywhere(ferries: Rows) -> None:
    frame = pl.DataFrame(ferries)
    found = fh.dedup(frame, text="body")
    rows = found.rows
    assert rows.column_names == ["id", "cluster", "original", "score", "exact", "kept", "reason"]
    expected = rows.to_dicts()
    assert pl.DataFrame(rows).to_dicts() == expected
    assert pa.table(rows).to_pylist() == expected
    assert pd.DataFrame.from_arrow(rows)["kept"].tolist() == rows["kept"]
    assert duckdb.sql("select id from rows where kept order by id").fetchall() == [("a",), ("b",)]
    assert frame.filter(pl.DataFrame(rows)["kept"])["id"].to_list() == ["a", "b"]
    assert pl.DataFrame(found.pairs).columns == ["a", "b", "score", "exact"]
    assert pl.DataFrame(found.clusters)["size"].to_list() == [3, 3, 3]
    assert rows[-1]["reason"] == "same text as its original"
    # A schema that is asked for may be left alone.
    assert pa.RecordBatchReader.from_stream(rows).read_all().num_rows == 4
    assert pa.schema(rows).names == rows.column_names


def test_why(ferries: Rows) -> None:
    why = fh.dedup(ferries, text="body").explain("a", "c")
    assert (why.verdict, why.to_dict()["a"]["id"]) == ("near-duplicate", "a")
    assert 0.5 < why.score < 1 and "Friday" in str(why)
    with pytest.raises(fh.InputError, match='no document with the id "x"; ids look like "a"'):
        fh.dedup(ferries, text="body").explain("a", "x")
    page = why._repr_html_()
    assert "<del>" in page and "<ins>" in page and "<style>" in page


def test_nothing_of_a_document_is_markup() -> None:
    evil = "<script>alert(1)</script> & 'quotes' \"quotes\" and some more words of a text"
    found = fh.dedup([{"id": evil, "text": evil}, {"id": evil + "2", "text": evil + " again"}], profile="corpus")
    pages = [found._repr_html_(), found.rows._repr_html_(), found.explain(evil, evil + "2")._repr_html_()]
    for page in pages:
        assert "<script" not in page and "&lt;script&gt;" in page
    assert "2 documents, 1 near-duplicate in 1 cluster" in repr(found)
    assert "rows of id" in repr(found.rows)


def test_the_waist(ferries: Rows) -> None:
    detector = fh.Detector(profile="corpus")
    a, c = (detector.sign(ferries[at]["body"]) for at in (0, 2))
    keys = detector.keys(a), detector.keys(c)
    assert set(keys[0].keys) & set(keys[1].keys) and keys[0].least_shared == 1
    assert len(detector.keys(a, sharing=5).keys) > len(keys[0].keys)
    compared = detector.compare(a, c)
    assert compared == detector.compare(ferries[0]["body"], ferries[2]["body"])
    assert compared.near and compared.shared < compared.sizes[0] == len(a) == len(a.hashes)
    assert fh.Features.from_bytes(a.to_bytes()) == a == pickle.loads(pickle.dumps(a))
    short = fh.compare("a", "b", profile="corpus")
    assert short.verdict == "too-short" and not short.near
    assert 'threshold = "0.8"' in detector.settings


@pytest.mark.parametrize("profile", ["corpus", "archive"])
def test_a_bound_on_memory_changes_nothing(
    rows: Rows, profile: str, tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [*rows[:100], {"id": "empty", "body": None}, *rows[100:]]
    whole = fh.dedup(rows, text="body", profile=profile)
    in_files = tmp_path / "rows.jsonl"
    in_files.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for data in (rows, pl.DataFrame(rows), iter(rows), in_files):
        caplog.clear()
        with caplog.at_level("INFO", logger="firsthand"):
            bounded = fh.dedup(data, text="body", profile=profile, memory="64k", scratch=scratch)
        assert "goes to disk" in caplog.text
        for table in ("rows", "pairs", "clusters"):
            assert getattr(bounded, table).to_dicts() == getattr(whole, table).to_dicts()
        assert bounded.rows[100]["id"] is None and not bounded.rows[100]["kept"]
        assert not list(scratch.iterdir())
    with pytest.raises(fh.SettingsError, match="64M"):
        fh.dedup(rows, text="body", memory="much")
