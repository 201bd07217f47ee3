"""Pairs of documents: what follows from pairs of classes."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from firsthand import _native
from firsthand.spark._search import Plan


def listed(known: DataFrame, edges: DataFrame, plan: Plan, cap: int | None) -> DataFrame:
    """Every pair. Beyond ``cap``, documents of a class are paired only with the first of their own and of
    neighbouring classes, so that a text that occurs a million times has as many pairs."""
    sides = ["new"] if "new" in known.columns else []
    known = known.where("class is not null")
    place = F.row_number().over(Window.partitionBy("class").orderBy(*sides, "order", "id")) - 1
    position = F.struct(*sides, "order", "id").alias("position")
    # Each side of each join would sort all documents again.
    documents = plan.keep(known.select("class", "id", "text", *sides, position, place.alias("place")))
    if cap is None:
        sides_of = [(documents, documents, False)]
    else:
        first = documents.where("place = 0")
        head = documents.where(F.col("place") < cap)
        rest = documents.where(F.col("place") >= cap)
        sides_of = [(head, head, False), (first, rest, True)]
    found = []
    for x, y, both_ways in sides_of:
        within = x.alias("x").join(y.alias("y"), F.col("x.class") == F.col("y.class"))
        found.append(within.where("x.place < y.place").withColumn("score", F.lit(1.0)))
        ways = [(x, y), (y, x)] if both_ways else [(x, y)]
        for a, b in ways:
            near = edges.alias("e").join(a.alias("x"), F.col("e.a") == F.col("x.class"))
            near = near.join(b.alias("y"), F.col("e.b") == F.col("y.class"))
            found.append(near)
    result = None
    for pairs in found:
        if sides:
            pairs = pairs.where("x.new <> y.new")
            # The new document comes first.
            swapped = F.col("y.new")
        else:
            swapped = F.col("x.position") > F.col("y.position")
        one = pairs.select(
            F.when(swapped, F.col("y.id")).otherwise(F.col("x.id")).alias("a"),
            F.when(swapped, F.col("x.id")).otherwise(F.col("y.id")).alias("b"),
            "score",
            (F.col("x.text") == F.col("y.text")).alias("exact"),
        )
        result = one if result is None else result.unionByName(one)
    assert result is not None
    return result


def with_originals(known: DataFrame, clusters: DataFrame) -> DataFrame:
    """Each near-duplicate with its original, or with the member that it is near to."""
    other = F.coalesce("via", "original").alias("other")
    members = clusters.where("exact is not null").select("id", other, "score", "exact")
    if "new" in known.columns:
        return members.select(F.col("id").alias("a"), F.col("other").alias("b"), "score", "exact")
    place = known.where("class is not null").select("id", F.struct("order", "id").alias("place"))
    found = members.join(place, "id")
    other_place = place.select(F.col("id").alias("other"), F.col("place").alias("other_place"))
    found = found.join(other_place, "other")
    is_first = F.col("place") < F.col("other_place")
    return found.select(
        F.when(is_first, F.col("id")).otherwise(F.col("other")).alias("a"),
        F.when(is_first, F.col("other")).otherwise(F.col("id")).alias("b"),
        "score",
        "exact",
    )


def are_too_many(known: DataFrame, edges: DataFrame, plan: Plan) -> bool:
    """Whether there are so many pairs that only those with originals are listed."""
    most = _native.most_listed_pairs(plan.documents)
    cap = F.lit(_native.large_class())
    sizes = known.where("class is not null").groupBy("class").agg(F.count("*").alias("size"))
    first = F.least("size", cap)
    within = _total(sizes, first * (first - 1) / 2 + F.col("size") - first)
    a = sizes.select(F.col("class").alias("a"), F.col("size").alias("x"))
    b = sizes.select(F.col("class").alias("b"), F.col("size").alias("y"))
    x, y = F.least("x", cap), F.least("y", cap)
    near = edges.join(a, "a").join(b, "b")
    across = _total(near, x * y + F.col("x") - x + F.col("y") - y)
    if within + across <= most or "new" not in known.columns:
        return within + across > most
    return listed(known, edges, plan, _native.large_class()).count() > most


def _total(df: DataFrame, column: Column) -> float:
    row = df.agg(F.sum(column)).first()
    return float(row[0] or 0) if row is not None else 0.0
