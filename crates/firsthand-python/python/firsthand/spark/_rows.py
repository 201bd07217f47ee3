"""The columns of a DataFrame under the names that the kernels know."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from firsthand.errors import InputError

_NUMBERS = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_TEXTS = (T.StringType, T.BinaryType)


def rows(
    df: DataFrame,
    *,
    text: str,
    id: str,
    site: str | None,
    title: str | None,
    url: str | None,
    time: str | None,
    order: str | None,
    new: bool | None = None,
) -> DataFrame:
    """The rows, with ``id`` and ``text`` and what else was named."""
    columns = [_text(df, "id", id), _text(df, "text", text)]
    for name, source in (("site", site), ("title", title), ("url", url)):
        if source is not None:
            columns.append(_text(df, name, source))
    if time is not None:
        columns.append(_time(df, time))
    if order is not None:
        columns.append(_order(df, order))
    if new is not None:
        columns.append(F.lit(new).alias("new"))
    return df.select(*columns)


def _type(df: DataFrame, keyword: str, name: str) -> T.DataType:
    if name not in df.columns:
        known = ", ".join(df.columns)
        raise InputError(f"{keyword} = {name!r}: the DataFrame has no such column; it has {known}")
    return df.schema[name].dataType


def _text(df: DataFrame, keyword: str, name: str) -> Column:
    kind = _type(df, keyword, name)
    column = F.col(f"`{name}`")
    if not isinstance(kind, _TEXTS):
        if isinstance(kind, (T.ArrayType, T.MapType, T.StructType)) or keyword != "id":
            raise InputError(
                f"{keyword} = {name!r}: the column is of type {kind.simpleString()}, not string: cast it first"
            )
        column = column.cast("string")
    return column.alias(keyword)


def _time(df: DataFrame, name: str) -> Column:
    kind = _type(df, "time", name)
    column = F.col(f"`{name}`")
    if isinstance(kind, (T.TimestampType, T.DateType)):
        return F.unix_millis(column.cast("timestamp")).alias("millis")
    # Numbers and texts are read as those of files are.
    return column.cast("string").alias("time")


def _order(df: DataFrame, name: str) -> Column:
    kind = _type(df, "order", name)
    column = F.col(f"`{name}`")
    if isinstance(kind, _NUMBERS):
        return column.cast("long").alias("order")
    if isinstance(kind, _TEXTS):
        return column.alias("order")
    raise InputError(
        f"order = {name!r}: the column is of type {kind.simpleString()}: an integer or a string is needed"
    )
