"""Whatever documents come in: the same answer, or an error that says what to write instead."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import datasets
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import firsthand as fh

Rows = list[dict[str, Any]]


def table(rows: Rows, kind: pa.DataType, chunks: int = 1) -> pa.Table:
    bodies = [row["body"] for row in rows]
    step = max(1, -(-len(bodies) // chunks))
    pieces = [pa.array(bodies[at : at + step]).cast(kind) for at in range(0, len(bodies), step)]
    return pa.table({"id": [row["id"] for row in rows], "body": pa.chunked_array(pieces)})


def shuffled_back(rows: Rows) -> datasets.Dataset:
    """A dataset whose rows lie in another order than its indices say."""
    data = datasets.Dataset.from_list(list(reversed(rows)))
    return data.select(range(len(rows) - 1, -1, -1))


def relation(rows: Rows) -> Any:
    frame = pa.Table.from_pylist(rows)
    return duckdb.sql("from frame")


WAYS: dict[str, Callable[[Rows], Any]] = {
    "polars": pl.DataFrame,
    "polars lazy": lambda rows: pl.DataFrame(rows).lazy(),
    "pandas": pd.DataFrame,
    "pandas with an index": lambda rows: pd.DataFrame(rows, index=range(1000, 1000 + len(rows))),
    "pyarrow": pa.Table.from_pylist,
    "reader": lambda rows: pa.Table.from_pylist(rows).to_reader(max_chunksize=7),
    "string": lambda rows: table(rows, pa.string()),
    "large_string": lambda rows: table(rows, pa.large_string()),
    "string_view": lambda rows: table(rows, pa.string_view()),
    "binary": lambda rows: table(rows, pa.binary()),
    "large_binary": lambda rows: table(rows, pa.large_binary()),
    "binary_view": lambda rows: table(rows, pa.binary_view()),
    "dictionary": lambda rows: table(rows, pa.dictionary(pa.int16(), pa.string())),
    "chunked": lambda rows: table(rows, pa.string(), chunks=5),
    "duckdb": relation,
    "datasets": datasets.Dataset.from_list,
    "datasets selected": shuffled_back,
    "datasets iterable": lambda rows: datasets.Dataset.from_list(rows).to_iterable_dataset(),
    "dicts": lambda rows: rows,
    "tuple": tuple,
    "iterator": iter,
    "generator": lambda rows: (row for row in rows),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_source_gives_the_same_answer(way: str, rows: Rows) -> None:
    expected = fh.dedup(rows, text="body", profile="corpus")
    found = fh.dedup(WAYS[way](rows), text="body", id="id", profile="corpus")
    assert found.pairs.to_dicts() == expected.pairs.to_dicts() != []
    assert found.rows.to_dicts() == expected.rows.to_dicts()
    assert found.clusters.to_dicts() == expected.clusters.to_dicts()


def test_texts_are_documents(ferries: Rows) -> None:
    texts = [row["body"] for row in ferries]
    assert fh.dedup(texts).rows["id"] == ["0", "1", "2", "3"]
    for series in (pl.Series(texts), pd.Series(texts), iter(texts)):
        assert fh.dedup(series).rows["cluster"] == [1, None, 1, 1]
        assert fh.dedup(iter(texts), text="words").rows["cluster"] == [1, None, 1, 1]


@pytest.mark.parametrize("make", [pl.DataFrame, pa.Table.from_pylist, pd.DataFrame, list, iter])
def test_a_row_without_a_text_keeps_its_place(make: Callable[[Rows], Any], ferries: Rows) -> None:
    ferries[1]["body"] = None
    found = fh.dedup(make(ferries), text="body").rows.to_dicts()
    assert [row["kept"] for row in found] == [True, False, False, False]
    assert found[1]["id"] is None
    assert "the field body holds null" in found[1]["reason"]


def test_nothing_at_all() -> None:
    for empty in ([], pl.DataFrame({"text": pl.Series([], dtype=pl.String)}), iter([])):
        found = fh.dedup(empty)
        assert len(found.rows) == len(found.pairs) == len(found.clusters) == 0
    assert fh.dedup([None, None]).rows["kept"] == [False, False]


def test_pages_as_bytes() -> None:
    page = "<html><head><meta charset=iso-8859-1></head><body><p>Die Fähre fuhr heute nicht.</p></body></html>"
    frame = pl.DataFrame({"page": [page.encode("latin-1"), page.replace("iso-8859-1", "utf-8").encode()]})
    assert fh.dedup(frame, html="page").rows["exact"] == [None, True]


def test_numbers_are_ids_and_come_back_as_numbers(ferries: Rows) -> None:
    frame = pl.DataFrame({"key": [11, 12, 13, 14], "body": [row["body"] for row in ferries]})
    found = fh.dedup(frame, text="body", id="key")
    assert found.rows["original"] == [11, None, 11, 11]
    assert pl.DataFrame(found.pairs).schema["a"] == pl.Int64
    assert frame.join(pl.DataFrame(found.rows), left_on="key", right_on="id").height == 4
    assert found.explain(11, 13).verdict == "near-duplicate"


def test_times_say_which_is_the_original(ferries: Rows) -> None:
    days = pl.Series([3, 2, 1, 4]).cast(pl.Date)
    frame = pl.DataFrame(ferries).with_columns(day=days)
    for kind in (pl.Date, pl.Datetime("us"), pl.Datetime("ns", "UTC")):
        found = fh.dedup(frame.with_columns(pl.col("day").cast(kind)), text="body", time="day")
        assert found.rows["original"] == ["c", None, "c", "c"], kind


def test_fields_of_structures() -> None:
    frame = pl.DataFrame({"meta": [{"body": "The ferry"}, {"body": "the  FERRY"}]})
    assert fh.dedup(frame, text="meta.body").rows["kept"] == [True, False]


def test_paths(tmp_path: pathlib.Path, ferries: Rows) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(map(json.dumps, ferries[:2])) + "\nbroken\n" + json.dumps(ferries[2]) + "\n")
    for data in (path, str(path), [path]):
        found = fh.dedup(data).rows.to_dicts()
        assert [row["id"] for row in found] == ["a", "b", None, "c"]
        assert "not valid JSON" in found[2]["reason"]
    with pytest.raises(fh.InputError, match="pathlib.Path"):
        fh.dedup([str(path)])


def test_matching_against_others(ferries: Rows) -> None:
    old, new = pl.DataFrame(ferries[:2]), iter(ferries[2:])
    found = fh.dedup(new, against=old, text="body")
    assert found.rows["original"] == ["a", "a"]
    assert [(pair["a"], pair["b"]) for pair in found.pairs.to_dicts()] == [("c", "a"), ("d", "a")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (7, "hand over a table"),
        (b"bytes", "a list of texts"),
        ({"text": "x"}, "a list of dicts"),
        (pa.array(["x"]), "pyarrow.table"),
        ([1, 2], "row 0 is of the type int"),
        (datasets.DatasetDict({"train": datasets.Dataset.from_dict({"text": ["x"]})}), "'train'"),
        (pa.table({"words": ["x"]}), "no column is called"),
        (pa.table({"text": [1]}), "holds a number"),
        ("no/such/file.jsonl", "there is no such file or folder"),
    ],
)
def test_what_cannot_be_read(data: Any, message: str) -> None:
    with pytest.raises(fh.InputError, match=message):
        fh.dedup(data)


def test_errors_name_row_and_field() -> None:
    with pytest.raises(fh.InputError) as caught:
        fh.dedup(pl.DataFrame({"body": ["x"]}), text="words")
    assert (caught.value.row, caught.value.field) == (None, "words")
    assert "there are body" in str(caught.value)
    with pytest.raises(fh.InputError) as caught:
        fh.dedup(["a text", 5])
    assert caught.value.row == 1
    with pytest.raises(fh.InputError) as caught:
        fh.dedup(pa.table({"body": [1, 2]}), text="body")
    assert (caught.value.row, caught.value.field) == (0, "body")


def test_what_an_iterator_raises_is_raised() -> None:
    def broken() -> Any:
        yield "one text"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fh.dedup(broken())
    with pytest.raises(fh.InputError, match="gone"):
        fh.dedup(iter(["a text", "a text"])).explain("0", "1")
