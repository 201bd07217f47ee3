"""From rows to verified pairs of classes: three shuffles, and the sets of candidates only."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from firsthand import _native
from firsthand.spark import _steps

# Documents and characters of each that are looked at to find frequent features.
SAMPLE = 2000
SAMPLED_CHARACTERS = 20_000
# The entries of this number of documents are kept together while classes meet: some fifty megabytes.
DOCUMENTS_A_RANGE = 20_000
# The driver gets filters of this number of bytes in all, or one that is larger.
FILTER_BYTES = 64 << 20


@dataclass
class Plan:
    """How a search is carried out. None of it changes the answer."""

    settings: str
    partitions: int
    documents: int
    crowded: int | None = None
    kept: list[DataFrame] = field(default_factory=list)

    @property
    def ranges(self) -> int:
        """The number of ranges of keys, so that each fits into memory."""
        return max(4 * self.partitions, -(-self.documents // DOCUMENTS_A_RANGE))

    def keep(self, df: DataFrame) -> DataFrame:
        """Has Spark keep a DataFrame once it is computed."""
        self.kept.append(df)
        return df.persist(StorageLevel.MEMORY_AND_DISK)


def frequent(rows: DataFrame, plan: Plan) -> bytes:
    """Features that many documents have, by a sample. Whichever they are, the answer is the same."""
    share = min(1.0, SAMPLE / max(plan.documents, 1))
    text = F.substring(F.col("text").cast("string"), 1, SAMPLED_CHARACTERS).alias("text")
    sample = rows.where("text is not null").sample(fraction=share, seed=1).select(text).limit(SAMPLE)
    return _native.frequent_features(plan.settings, [row.text for row in sample.collect()])


def edges(rows: DataFrame, plan: Plan, last: bytes) -> DataFrame:
    """The verified pairs of classes. The search up to candidates runs at once, comparing them later."""
    settings, ranges, tasks = plan.settings, plan.ranges, plan.partitions
    met = plan.keep(
        rows.mapInArrow(_steps.entries(settings, last, ranges), _steps.RECORDS)
        .repartition(tasks, "range")
        .sortWithinPartitions("range")
        .mapInArrow(_steps.meet(settings, ranges, plan.crowded), _steps.RECORDS)
    )
    parts = (
        met.where("split is not null")
        .repartition(tasks, "range")
        .mapInArrow(_steps.meet_parts(settings, ranges), _steps.RECORDS)
    )
    candidates = plan.keep(
        met.where("split is null")
        .unionByName(parts)
        .repartition(tasks, "range")
        .sortWithinPartitions("range")
        .mapInArrow(_steps.candidates(), _steps.CANDIDATES)
    )
    sets = plan.keep(
        rows.mapInArrow(_steps.sets(settings, _filter(candidates)), _steps.SETS)
        .repartition(tasks, "half")
        .dropDuplicates(["half", "class"])
    )
    met.unpersist()

    def side(name: str) -> DataFrame:
        return sets.select(
            F.col("half").alias(name),
            F.col("class").alias(f"class_{name}"),
            F.col("features").alias(f"features_{name}"),
        )

    pairs = candidates.join(side("a"), "a").join(side("b"), "b").drop("a", "b")
    return plan.keep(pairs.mapInArrow(_steps.verify(settings), _steps.EDGES))


def _filter(candidates: DataFrame) -> bytes:
    """A filter that lets the classes of all candidates through, and few others."""
    classes = 2 * candidates.count()
    size = len(_native.FilterKernel(classes).to_bytes())
    some = candidates.coalesce(max(1, FILTER_BYTES // size))
    bits = 0
    for row in some.mapInArrow(_steps.class_filter(classes), "bits binary").toLocalIterator():
        bits |= int.from_bytes(row.bits, "little")
    return bits.to_bytes(size, "little")
