"""Pages of sites: what their sites teach, learned from all pages of a site, and their features without it."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from firsthand.spark import _steps
from firsthand.spark._search import Plan


def signed(rows: DataFrame, plan: Plan) -> DataFrame:
    """The rows with their features, in the place of their texts."""
    settings, tasks = plan.settings, plan.partitions
    fields = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in rows.schema)
    keyed = rows.mapInArrow(_steps.keyed(settings), f"{fields}, site_key string, text_key binary")
    order = ["order"] if "order" in rows.columns else []
    sides = ["new"] if "new" in rows.columns else []
    templates = plan.keep(
        keyed.where("site_key <> ''")
        .repartition(tasks, "site_key")
        .sortWithinPartitions("site_key", *sides, *order, "id")
        .mapInArrow(_steps.templates(settings), _steps.TEMPLATES)
    )
    # Where a text was published on several sites, it is set aside only what is furniture on all of them.
    by_text = keyed.where("text_key is not null").groupBy("text_key")
    several = by_text.agg(F.collect_set("site_key").alias("sites")).where(F.size("sites") > 1)
    sites = several.select("text_key", F.explode("sites").alias("site_key"))
    by_text = sites.join(templates, "site_key", "left").groupBy("text_key")
    brought = by_text.agg(F.collect_list("template").alias("templates"))
    pages = keyed.join(several.join(brought, "text_key"), "text_key", "left")
    known = templates.select("site_key", "template")
    for field in rows.schema:
        known = known.withColumn(field.name, F.lit(None).cast(field.dataType))
    known = known.withColumn("sites", F.lit(None).cast("array<string>"))
    known = known.withColumn("templates", F.lit(None).cast("array<binary>"))
    pages = pages.withColumn("template", F.lit(None).cast("binary")).drop("text_key")
    stream = pages.unionByName(known.select(*pages.columns))
    # Documents without a site need not be together.
    place = F.when(F.col("site_key") == "", F.hash("id")).otherwise(F.hash("site_key"))
    stream = stream.repartition(tasks, place).sortWithinPartitions(
        "site_key", F.col("template").isNull()
    )
    parts = []
    for side in [False, True] if sides else [None]:
        some = stream if side is None else stream.where(F.col("template").isNotNull() | (F.col("new") == side))
        found = some.mapInArrow(_steps.pages(settings), _steps.SIGNED)
        parts.append(found if side is None else found.withColumn("new", F.lit(side)))
    result = parts[0]
    for part in parts[1:]:
        result = result.unionByName(part)
    # Texts are shuffled by site for this, so it is done once.
    result.persist(StorageLevel.DISK_ONLY)
    plan.kept.append(result)
    return result
