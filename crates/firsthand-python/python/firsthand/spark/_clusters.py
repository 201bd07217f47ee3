"""Clusters: which original each class joins, and the members that follow from it."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from firsthand.spark import _documents, _steps
from firsthand.spark._search import Plan


def clusters(known: DataFrame, edges: DataFrame, plan: Plan, *, grouping: str) -> DataFrame:
    """One row a member of each cluster, the original among them."""
    heads = plan.keep(_documents.heads(known))
    if grouping == "component":
        joined = _components(edges, heads)
    else:
        joined = _stars(edges, heads)
    owners = heads.join(joined, "class", "left").select(
        "class",
        "size",
        F.coalesce("owner", "class").alias("owner"),
        F.coalesce("score", F.lit(1.0)).alias("score"),
        "via" if "via" in joined.columns else F.lit(None).cast("string").alias("via"),
    )
    many = owners.groupBy("owner").agg(F.sum("size").alias("members")).where("members > 1")
    originals = heads.select(F.col("class").alias("owner"), "head")
    owners = owners.join(many, "owner", "left_semi").join(originals, "owner")
    return _members(known.where("class is not null").join(owners.drop("size"), "class"))


def _members(found: DataFrame) -> DataFrame:
    """Documents with the owners of their classes, as they are listed."""
    is_original = F.col("id") == F.col("head.id")
    is_exact = F.col("via").isNull() & (F.col("text") == F.col("head.text"))
    return found.select(
        F.col("head.id").alias("original"),
        "id",
        "score",
        F.when(~is_original, is_exact).alias("exact"),
        "via",
    )


def _directed(edges: DataFrame, heads: DataFrame) -> DataFrame:
    """Pairs of classes, the preferred one first."""

    def side(name: str) -> DataFrame:
        return heads.select(F.col("class").alias(name), F.col("head").alias(f"head_{name}"))

    def place(name: str) -> Column:
        return F.struct(f"head_{name}.rank", f"head_{name}.id")

    both = edges.join(side("a"), "a").join(side("b"), "b")
    is_a = place("a") < place("b")

    def pick(a: str, b: str) -> Column:
        return F.when(is_a, F.col(a)).otherwise(F.col(b))

    return both.select(
        pick("a", "b").alias("earlier"),
        pick("b", "a").alias("later"),
        F.when(is_a, place("a")).otherwise(place("b")).alias("earlier_place"),
        F.when(is_a, place("b")).otherwise(place("a")).alias("later_place"),
        "score",
    )


def _stars(edges: DataFrame, heads: DataFrame) -> DataFrame:
    """Whether a class is an original depends on those before it, in chains of any length: one task goes
    through all pairs of classes in the order of preference, and keeps a name for each class that joins."""
    return (
        _directed(edges, heads)
        .repartition(1)
        .sortWithinPartitions("later_place", "earlier_place")
        .select("later", "earlier", "score")
        .mapInArrow(_steps.stars(), _steps.JOINED)
    )


def _components(edges: DataFrame, heads: DataFrame) -> DataFrame:
    """Connected classes share the best original among them."""
    labels = _labels(edges.select(F.col("a").alias("u"), F.col("b").alias("v")))
    grouped = labels.join(heads, "class").groupBy("component")
    best = grouped.agg(F.min(F.struct("head.rank", "head.id", "class")).alias("best"))
    owners = labels.join(best, "component").select("class", F.col("best.class").alias("owner"))
    both = edges.unionByName(edges.select(F.col("b").alias("a"), F.col("a").alias("b"), "score"))
    near = both.select(F.col("a").alias("class"), F.col("b").alias("near"), "score")
    near = near.join(heads.select(F.col("class").alias("near"), "first"), "near")
    near = near.join(owners, "class").where(F.col("class") != F.col("owner"))
    # The original where it is near, or else the most similar class, of several the first.
    is_owner = F.col("near") == F.col("owner")
    order = Window.partitionBy("class").orderBy(is_owner.desc(), F.col("score").desc(), "first")
    chosen = near.withColumn("place", F.row_number().over(order)).where("place = 1")
    via = F.when(~is_owner, F.col("first.id"))
    return chosen.select("class", "owner", "score", via.alias("via"))


def _labels(edges: DataFrame) -> DataFrame:
    """The least class of each component, by alternating stars (Kiveris et al. 2014): in turn, every class
    links its greater neighbours, and its lesser ones, to the least of all. The number of rounds is
    logarithmic in the size of a component, or nearly."""
    links = _cut(edges.where("u <> v").distinct())
    before = None
    while True:
        both = links.unionByName(links.select(F.col("v").alias("u"), F.col("u").alias("v")))
        least = both.groupBy("u").agg(F.min("v").alias("m"))
        least = least.withColumn("m", F.least("u", "m"))
        large = both.join(least, "u").where("v > u").select(F.col("v").alias("u"), F.col("m").alias("v"))
        down = large.where("u <> v").distinct()
        lesser = down.groupBy("u").agg(F.min("v").alias("m"))
        small = down.join(lesser, "u").select(F.col("v").alias("u"), F.col("m").alias("v"))
        small = small.unionByName(lesser.select("u", F.col("m").alias("v")))
        links = _cut(small.where("u <> v").distinct())
        mark = F.sum(F.xxhash64("u", "v").cast("decimal(20,0)")).alias("mark")
        state = links.agg(F.count("*").alias("links"), mark).first()
        if state == before:
            break
        before = state
    named = links.select(F.col("u").alias("class"), F.col("v").alias("component"))
    roots = named.select(F.col("component").alias("class"), "component").distinct()
    return named.unionByName(roots)


def _cut(df: DataFrame) -> DataFrame:
    """The same rows without their history, which would double with every round. Where Spark has a folder for
    checkpoints they survive the loss of an executor; otherwise the job fails then, and has to be repeated."""
    context = df.sparkSession.sparkContext
    return df.checkpoint() if context.getCheckpointDir() is not None else df.localCheckpoint()


def against(known: DataFrame, edges: DataFrame, plan: Plan) -> DataFrame:
    """New documents join the most similar document of the reference, if there is one."""
    old = plan.keep(_documents.heads(known.where("not new")))
    new = known.where("new and class is not null")
    both = edges.unionByName(edges.select(F.col("b").alias("a"), F.col("a").alias("b"), "score"))
    heads = old.select(F.col("class").alias("a"), "head")
    near = both.join(heads, "a").join(old.select(F.col("class").alias("b")), "b", "left_anti")
    joined = (
        near.select(F.col("b").alias("later"), F.col("a").alias("earlier"), "head", "score")
        .repartition(plan.partitions, "later")
        .sortWithinPartitions("later", "head.rank", "head.id")
        .select("later", "earlier", "score")
        .mapInArrow(_steps.stars(), _steps.JOINED)
    )
    same = old.select("class", F.col("class").alias("owner"), F.lit(1.0).alias("score"))
    joined = joined.unionByName(same)
    originals = old.select(F.col("class").alias("owner"), "head")
    owners = joined.join(originals, "owner").withColumn("via", F.lit(None).cast("string"))
    members = new.join(owners, "class").select(
        F.col("head.id").alias("original"),
        "id",
        "score",
        (F.col("text") == F.col("head.text")).alias("exact"),
        "via",
    )
    nothing = F.lit(None)
    heads = members.select("original").distinct().select(
        "original",
        F.col("original").alias("id"),
        F.lit(1.0).alias("score"),
        nothing.cast("boolean").alias("exact"),
        nothing.cast("string").alias("via"),
    )
    return members.unionByName(heads)
