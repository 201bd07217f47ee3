"""Near-duplicates of more documents than one machine holds, on Spark: the same pairs and clusters.

>>> from firsthand.spark import dedup
>>> found = dedup(df, text="body", id="id", profile="corpus")     # doctest: +SKIP
>>> found.clusters.write.parquet("clusters")                      # doctest: +SKIP
>>> clean = df.join(found.dropped, "id", "left_anti")             # doctest: +SKIP

Executors need this package and nothing else that PySpark does not need itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from firsthand import Detector, _native
from firsthand.errors import InputError, SettingsError
from firsthand.spark import _clusters, _documents, _pages, _pairs, _rows, _search

__all__ = ["Found", "check", "dedup"]

_LISTS = ("capped", "all", "star", "none")


@dataclass
class Found:
    """What was found, as DataFrames that are computed when they are used.

    ``documents`` and the pairs of classes are kept by Spark until :meth:`unpersist`, also called at the end
    of a ``with`` block, so that a second DataFrame costs little.
    """

    _plan: _search.Plan
    _known: DataFrame
    _edges: DataFrame
    _list: str
    _grouping: str
    _is_against: bool

    @cached_property
    def clusters(self) -> DataFrame:
        """One row a member: ``original``, ``id``, ``score``, ``exact`` (null for the original itself), ``via``
        (the member that it is near to, if that is not the original)."""
        if self._is_against:
            return _clusters.against(self._known, self._edges, self._plan)
        return _clusters.clusters(self._known, self._edges, self._plan, grouping=self._grouping)

    @cached_property
    def pairs(self) -> DataFrame:
        """One row a pair: ``a``, ``b``, ``score``, ``exact``. Where there are more pairs than a list can
        hold, those of each near-duplicate with its original, as on the command line."""
        cap = None if self._list == "all" else _native.large_class()
        if self._list == "none":
            return _pairs.listed(self._known, self._edges, self._plan, cap).limit(0)
        is_star = self._list == "star"
        if is_star or self._list == "capped" and _pairs.are_too_many(self._known, self._edges, self._plan):
            return _pairs.with_originals(self._known, self.clusters)
        return _pairs.listed(self._known, self._edges, self._plan, cap)

    @cached_property
    def dropped(self) -> DataFrame:
        """The near-duplicates: every member of a cluster but its original."""
        return self.clusters.where("exact is not null")

    @cached_property
    def problems(self) -> DataFrame:
        """Rows that are no documents, and rows whose id occurred before: ``id``, ``problem``."""
        return _documents.problems(self._known)

    def unpersist(self) -> None:
        """Has Spark forget what it has kept."""
        for df in self._plan.kept:
            df.unpersist()

    def __enter__(self) -> Found:
        return self

    def __exit__(self, *_: object) -> None:
        self.unpersist()


def dedup(
    df: DataFrame,
    *,
    text: str,
    id: str,
    site: str | None = None,
    title: str | None = None,
    url: str | None = None,
    time: str | None = None,
    order: str | None = None,
    pairs: str = "capped",
    partitions: int | None = None,
    documents: int | None = None,
    crowded: int | None = None,
    **settings: Any,
) -> Found:
    """Finds all near-duplicates of a DataFrame.

    The answer is that of ``firsthand dedup`` on the same documents, whatever the number of partitions and
    executors. A DataFrame has no order: where one counts, it is that of the column ``order``, or else of
    the ids.

    ``text``, ``id``, ``site``, ``title``, ``url`` and ``time`` name columns. With a ``site`` or a ``url``, and
    unless ``template=False``, what recurs on pages of a site is set aside. ``pairs`` is ``capped``, ``all``,
    ``star`` or ``none``. All settings of the command line are keywords, and so are ``profile``, ``method``
    and ``settings``.

    The rest changes no answer: ``partitions`` (otherwise ``spark.sql.shuffle.partitions``), ``documents``, about
    how many there are (otherwise they are counted), and ``crowded``, how many classes of equal documents may
    share a key before it is cut into parts.

    The DataFrame is read three times. If that is costly, or if it gives other rows each time, persist it.
    """
    return _found(df, None, (text, id, site, title, url, time, order), pairs, partitions, documents, crowded, settings)


def check(
    df: DataFrame,
    against: DataFrame,
    *,
    text: str,
    id: str,
    site: str | None = None,
    title: str | None = None,
    url: str | None = None,
    time: str | None = None,
    order: str | None = None,
    pairs: str = "capped",
    partitions: int | None = None,
    documents: int | None = None,
    crowded: int | None = None,
    **settings: Any,
) -> Found:
    """Finds the near-duplicates that documents have in a reference, as ``firsthand dedup --against`` does.

    Columns have the same names in both DataFrames; a column that only one of them has is null in the other.
    """
    columns = (text, id, site, title, url, time, order)
    return _found(df, against, columns, pairs, partitions, documents, crowded, settings)


def _found(
    df: DataFrame,
    against: DataFrame | None,
    columns: tuple[str, str, str | None, str | None, str | None, str | None, str | None],
    pairs: str,
    partitions: int | None,
    documents: int | None,
    crowded: int | None,
    settings: dict[str, Any],
) -> Found:
    if pairs not in _LISTS:
        raise SettingsError(f"pairs = {pairs!r} is not known: use {', '.join(_LISTS)}")
    written = Detector(**settings).settings
    _native.check_spread(written)
    names: dict[str, Any] = dict(
        zip(("text", "id", "site", "title", "url", "time", "order"), columns, strict=True)
    )
    if against is None:
        rows = _rows.rows(df, **names)
    else:
        old = _rows.rows(against, **_there(against, names), new=False)
        new = _rows.rows(df, **_there(df, names), new=True)
        rows = old.unionByName(new, allowMissingColumns=True)
    tasks = partitions or int(df.sparkSession.conf.get("spark.sql.shuffle.partitions") or 200)
    if tasks < 1:
        raise InputError(f"partitions = {partitions} is out of range: it must be 1 or more")
    plan = _search.Plan(written, tasks, documents or rows.count(), crowded)
    last = _search.frequent(rows, plan)
    has_sites = "site" in rows.columns or "url" in rows.columns
    settled = has_sites and _native.uses_templates(written)
    if settled:
        rows = _pages.signed(rows, plan)
    known = _documents.documents(rows, plan, settled=settled)
    edges = _search.edges(rows, plan, last)
    grouping = _native.grouping(written)
    return Found(plan, known, edges, pairs, grouping, against is not None)


def _there(df: DataFrame, names: dict[str, Any]) -> dict[str, Any]:
    """The columns that the DataFrame has; text and id it must have."""

    def is_there(name: str, column: str | None) -> bool:
        return name in ("text", "id") or column in df.columns

    return {name: column if is_there(name, column) else None for name, column in names.items()}
