"""What is known of each document, and of each class of documents with equal sets."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from firsthand.spark import _steps
from firsthand.spark._search import Plan


def documents(rows: DataFrame, plan: Plan, *, settled: bool) -> DataFrame:
    """One row a document: ``id``, its place in the input (``order``, ``id``) and in the order of preference
    (``rank``, ``id``), ``text`` and ``class`` by hashes, ``new`` if there is a reference, and ``problem``."""
    sides = ["new"] if "new" in rows.columns else []

    def signed(some: DataFrame) -> DataFrame:
        return some.mapInArrow(_steps.documents(plan.settings), _steps.DOCUMENTS)

    if sides:
        # What a kernel makes of a row does not depend on its side.
        known = signed(rows.where("not new")).withColumn("new", F.lit(False))
        known = known.unionByName(signed(rows.where("new")).withColumn("new", F.lit(True)))
    else:
        known = signed(rows)
    if settled:
        known = _settled(known, plan, sides)
    # Rows with the same id are told apart as the command line does, in their order.
    same = Window.partitionBy(*sides, "id", F.col("problem").isNull()).orderBy("order", "text")
    number = F.when(F.col("problem").isNull(), F.row_number().over(same))
    renamed = F.when(number > 1, F.concat("id", F.lit("#"), number.cast("string")))
    known = known.withColumn("renamed", renamed).withColumn("was", F.col("id"))
    return plan.keep(known.withColumn("id", F.coalesce("renamed", "id")))


def _settled(known: DataFrame, plan: Plan, sides: list[str]) -> DataFrame:
    """Texts that are equal once furniture is set aside have the class and the length of the first of them."""
    place = F.struct(*[F.col(name) for name in [*sides, "order", "id"]], "class", "length")
    first = F.min(place).over(Window.partitionBy("text"))
    good = known.where("problem is null and text is not null").withColumn("first", first)
    good = good.withColumn("class", F.col("first.class")).withColumn("length", F.col("first.length"))
    ranked = []
    for side in [False, True] if sides else [None]:
        some = good if side is None else good.where(F.col("new") == side)
        some = some.select("id", "order", "millis", "length", "text", "class")
        some = some.mapInArrow(_steps.ranks(plan.settings), _steps.RANKED)
        ranked.append(some if side is None else some.withColumn("new", F.lit(side)))
    others = known.where("problem is not null or text is null")
    names = ["id", "order", "rank", "text", "class", "problem", *sides]
    result = others.select(*names)
    for some in ranked:
        result = result.unionByName(some.withColumn("problem", F.lit(None).cast("string")).select(*names))
    return result


def problems(known: DataFrame) -> DataFrame:
    """The rows that are no documents, and those that were renamed."""
    renamed = F.concat(F.lit("its id occurred before: it is called "), F.col("renamed"))
    found = known.where("problem is not null or renamed is not null")
    return found.select(F.col("was").alias("id"), F.coalesce("problem", renamed).alias("problem"))


def heads(known: DataFrame) -> DataFrame:
    """One row a class: its preferred document, its first, and how many it has."""
    return (
        known.where("class is not null")
        .groupBy("class")
        .agg(
            F.min(F.struct("rank", "id", "text")).alias("head"),
            F.min(F.struct("order", "id")).alias("first"),
            F.count("*").alias("size"),
        )
    )
