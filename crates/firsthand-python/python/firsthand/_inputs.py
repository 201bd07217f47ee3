"""Whatever people hand over, as a source of documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from firsthand._native import Source
from firsthand.errors import InputError

#: Columns that a keyword names, and what they are called if it does not.
COLUMNS = ("id", "text", "html", "title", "url", "source", "time", "cluster")


def source_of(data: Any, settings: Mapping[str, Any]) -> Source:
    """The source of documents that ``data`` is, or an error that says what to write instead."""
    if isinstance(data, Source):
        return data
    if isinstance(data, (str, os.PathLike)):
        return Source.paths([data])
    if isinstance(data, (bytes, bytearray)):
        raise InputError("bytes are not documents: hand over a list of texts, a table, or a path")
    text = _name(settings, "text") or "text"
    if _is(data, "polars", "LazyFrame"):
        data = data.collect()
    if _is(data, "polars", "Series") or _is(data, "pandas", "Series"):
        data = data.rename(text).to_frame()
    if _is(data, "pyarrow", "ChunkedArray", "Array", "StringArray", "LargeStringArray", "StringViewArray"):
        raise InputError(f'an array is not a table: write pyarrow.table({{"{text}": array}})')
    if _is(data, "datasets", "DatasetDict", "IterableDatasetDict"):
        names = ", ".join(repr(name) for name in data)
        raise InputError(f"a DatasetDict holds several datasets: name one of {names}, such as data[...]")
    if _is(data, "datasets", "Dataset"):
        return _rows(lambda: _dataset_tables(data), settings)
    if _is(data, "datasets", "IterableDataset"):
        return _rows(lambda: iter(data), settings)
    if hasattr(data, "__arrow_c_stream__"):
        return _table(data, settings)
    if hasattr(data, "__arrow_c_array__"):
        raise InputError(
            f"{_kind(data)} is not a table: hand over a table or a stream, such as pyarrow.Table.from_batches([...])"
        )
    if isinstance(data, Mapping):
        raise InputError("a dict is one row: hand over a list of dicts, or a table")
    if isinstance(data, Iterable):
        return _iterable(data, settings)
    raise InputError(
        f"{_kind(data)} is not a source of documents: hand over a table (polars, pandas, pyarrow, duckdb, "
        "datasets), a list of texts or dicts, or paths"
    )


def _table(data: Any, settings: Mapping[str, Any]) -> Source:
    try:
        # What knows its length is in memory; a stream is read as it comes.
        is_once = not hasattr(data, "__len__")
        source = Source.arrow(data, is_once)
    except ImportError:
        # pandas needs pyarrow to export what it has.
        if not _is(data, "pandas", "DataFrame"):
            raise
        records = data.to_dict("records")
        return _rows(lambda: iter(records), settings)
    _check_columns(source, settings)
    return source


def _check_columns(source: Source, settings: Mapping[str, Any]) -> None:
    """A column that was named has to be there."""
    names = source.column_names
    if names is None:
        return
    for column in COLUMNS:
        wanted = _name(settings, column)
        if wanted is not None and wanted.lower() not in (name.lower() for name in names):
            there = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
            raise InputError(f"there is no column {wanted!r} for {column}=; there are {there}", None, wanted)


def _iterable(data: Iterable[Any], settings: Mapping[str, Any]) -> Source:
    if isinstance(data, Iterator):
        return Source.rows(_renamed(data, settings), True)
    values = data if isinstance(data, (list, tuple)) else list(data)
    if values and all(isinstance(value, os.PathLike) for value in values):
        return Source.paths(list(values))
    if values and all(isinstance(value, str) and _is_path(value) for value in values):
        raise InputError(
            f"{values[0]!r} is the name of a file, and a list of str is a list of texts: "
            "write [pathlib.Path(name) for name in names] to have the files read"
        )
    return _rows(lambda: iter(values), settings)


def _rows(make: Callable[[], Iterator[Any]], settings: Mapping[str, Any]) -> Source:
    return Source.rows(lambda: _renamed(make(), settings), False)


def _renamed(values: Iterator[Any], settings: Mapping[str, Any]) -> Iterator[Any]:
    """Plain texts are the column that ``text=`` names."""
    text = _name(settings, "text")
    if text is None or text == "text":
        return values
    return ({text: value} if value is None or isinstance(value, str) else value for value in values)


def _dataset_tables(data: Any) -> Iterator[Any]:
    """The rows of a dataset in its order, which ``select`` and ``shuffle`` keep in indices."""
    yield from data.with_format("arrow").iter(batch_size=1000)


def _name(settings: Mapping[str, Any], column: str) -> str | None:
    name = settings.get(column, settings.get(f"{column}_field"))
    return name if isinstance(name, str) else None


def _is_path(text: str) -> bool:
    return len(text) < 4096 and "\n" not in text and "\0" not in text and os.path.exists(text)


def _is(data: Any, package: str, *names: str) -> bool:
    """Whether ``data`` is of a class of a package, which is not imported for that."""
    return any(
        kind.__name__ in names and kind.__module__.partition(".")[0] == package for kind in type(data).__mro__
    )


def _kind(data: Any) -> str:
    kind = type(data)
    return f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ != "builtins" else kind.__qualname__
