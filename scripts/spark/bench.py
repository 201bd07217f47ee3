"""Near-duplicates on Spark: ours, and the min-hash pipeline that is run there today, on the same documents.

Prints a table: time, bytes shuffled, recall and precision of pairs at the threshold, by brute force over all
pairs that can reach it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

import firsthand.spark as fs

THRESHOLD = 0.8
SHINGLE = 5
VOCABULARY = 50_000
# The share of words that differ from the first document of a family, for its other members.
EDITS = [0.0, 0.002, 0.005, 0.01, 0.02, 0.03]
# Every fifth document starts a family of this size; the others are alone.
FAMILY = len(EDITS)

# The pipeline of text-dedup by its description: 256 min-hashes of word shingles in bands, an edge from the
# least document of a bucket to each other, and components of these edges. The bands are those that its rule
# (equal weights for false positives and negatives) gives for this threshold.
PERMUTATIONS = 256
BANDS, ROWS = 18, 14


def document(number: int, words: int) -> tuple[str, int]:
    """The text of a document, and the family that it belongs to."""
    block, place = divmod(number, 4 * FAMILY)
    family = block * 4 * FAMILY + (0 if place < FAMILY else place)
    pick = random.Random(family)
    # Zipf's law, nearly: the words of a text are mostly frequent ones.
    text = [f"w{int(VOCABULARY ** pick.random())}x{pick.randrange(9)}" for _ in range(words)]
    if number != family:
        pick = random.Random(~number)
        for _ in range(round(EDITS[place] * words)):
            text[pick.randrange(words)] = f"edit{pick.randrange(10**9)}"
    return " ".join(text), family


def shingles(text: str) -> set[str]:
    words = text.split()
    return {" ".join(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)}


def true_pairs(count: int, words: int) -> set[tuple[int, int]]:
    """All pairs of a family that reach the threshold; texts of different families share hardly a shingle."""
    found = set()
    for first in range(0, count, 4 * FAMILY):
        members = range(first, min(first + FAMILY, count))
        sets = {number: shingles(document(number, words)[0]) for number in members}
        for a in members:
            for b in range(a + 1, members.stop):
                shared = len(sets[a] & sets[b])
                # In integers, as 4/5 must not depend on rounding.
                if 5 * shared >= 4 * (len(sets[a]) + len(sets[b]) - shared):
                    found.add((a, b))
    return found


def generate(words: int) -> Any:
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            ids = batch.column(0).to_pylist()
            texts = [document(number, words)[0] for number in ids]
            yield pa.RecordBatch.from_pydict({"id": [f"{number:010}" for number in ids], "text": texts})

    return run


def ours(spark: SparkSession, data: str, out: Path) -> set[tuple[int, int]]:
    df = spark.read.parquet(data)
    with fs.dedup(df, text="text", id="id", profile="corpus") as found:
        found.pairs.write.parquet(str(out / "pairs"))
        found.clusters.write.parquet(str(out / "clusters"))
    pairs = spark.read.parquet(str(out / "pairs")).select("a", "b").collect()
    return {(int(row.a), int(row.b)) for row in pairs}


def min_hash(spark: SparkSession, data: str, out: Path) -> set[tuple[int, int]]:
    import numpy as np

    prime = (1 << 61) - 1
    chosen = np.random.RandomState(42)
    a = chosen.randint(1, prime, size=PERMUTATIONS, dtype=np.uint64)
    b = chosen.randint(0, prime, size=PERMUTATIONS, dtype=np.uint64)

    def bands(row: Any) -> Iterator[tuple[tuple[int, bytes], int]]:
        import hashlib

        hashes = {int.from_bytes(hashlib.sha1(text.encode()).digest()[:4], "little") for text in shingles(row.text)}
        values = np.fromiter(hashes, dtype=np.uint64)
        signature = (((values[:, None] * a + b) % prime) & 0xFFFFFFFF).min(axis=0).astype(np.uint32)
        for band in range(BANDS):
            yield (band, signature[band * ROWS : (band + 1) * ROWS].tobytes()), int(row.id)

    def edges(bucket: tuple[Any, Any]) -> Iterator[tuple[int, int]]:
        members = sorted(set(bucket[1]))
        yield from ((members[0], other) for other in members[1:])

    buckets = spark.read.parquet(data).rdd.flatMap(bands).groupByKey()
    links = buckets.flatMap(edges).distinct().cache()
    # Components by alternating stars, as the pipeline has them.
    before = -1
    stars = links
    while True:
        both = stars.flatMap(lambda link: (link, (link[1], link[0]))).groupByKey()

        def large(group: tuple[int, Any]) -> Iterator[tuple[int, int]]:
            own, others = group[0], list(group[1])
            least = min(own, *others)
            yield from ((other, least) for other in others if other > own)

        down = both.flatMap(large).distinct().groupByKey()

        def small(group: tuple[int, Any]) -> Iterator[tuple[int, int]]:
            own, others = group[0], list(group[1])
            least = min(others)
            yield from ((other, least) for other in others if other != least)
            if own != least:
                yield own, least

        stars = down.flatMap(small).distinct().cache()
        mark = stars.map(lambda link: hash(link) & 0xFFFFFFFF).sum()
        if mark == before:
            break
        before = mark
    components = defaultdict(list)
    for member, least in stars.collect():
        components[least].append(member)
    (out / "components.json").write_text(json.dumps(list(components.items())))
    found = set()
    for least, members in components.items():
        members = sorted({least, *members})
        found.update((x, y) for at, x in enumerate(members) for y in members[at + 1 :])
    return found


def shuffled(events: Path, group: str) -> dict[int, tuple[int, int]]:
    """The bytes and records that each stage of a group of jobs wrote for others to read."""
    of_group: set[int] = set()
    stages: dict[int, tuple[int, int]] = {}
    for path in sorted(path for path in events.rglob("*") if path.is_file()):
        for line in path.read_text(errors="replace").splitlines():
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                if event["Properties"].get("spark.jobGroup.id") == group:
                    of_group.update(event["Stage IDs"])
            elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in of_group:
                written = (event.get("Task Metrics") or {}).get("Shuffle Write Metrics", {})
                bytes_, records = stages.get(event["Stage ID"], (0, 0))
                bytes_ += written.get("Shuffle Bytes Written", 0)
                stages[event["Stage ID"]] = bytes_, records + written.get("Shuffle Records Written", 0)
    return {stage: value for stage, value in sorted(stages.items()) if value[0]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=200_000)
    options.add_argument("--words", type=int, default=450, help="words of a document; 450 make 3 kB")
    options.add_argument("--partitions", type=int, default=16)
    options.add_argument("--master", default="local-cluster[2,1,2048]")
    options.add_argument("--only", choices=["ours", "min-hash"])
    chosen = options.parse_args()
    work = Path(tempfile.mkdtemp(prefix="bench-spark-"))
    events = work / "events"
    events.mkdir()
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["SPARK_WORKER_DIR"] = str(work / "work")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    memory = chosen.master.rstrip("]").split(",")[-1] if chosen.master.startswith("local-cluster") else "2048"
    spark = (
        SparkSession.builder.master(chosen.master)
        .config("spark.executor.memory", f"{memory}m")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", str(chosen.partitions))
        .config("spark.default.parallelism", str(chosen.partitions))
        .config("spark.local.dir", str(work))
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", events.as_uri())
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    spark.sparkContext.addPyFile(__file__)
    data = str(work / "data")
    numbers = spark.range(0, chosen.documents, 1, chosen.partitions)
    numbers.mapInArrow(generate(chosen.words), "id string, text string").write.parquet(data)
    size = sum(path.stat().st_size for path in Path(data).glob("*.parquet"))
    expected = true_pairs(chosen.documents, chosen.words)
    mean = sum(len(document(number, chosen.words)[0]) for number in range(100)) / 100
    print(f"{chosen.documents:,} documents of {mean:,.0f} bytes, {size / 1e6:,.0f} MB of Parquet, ", end="")
    print(f"{len(expected):,} pairs at {THRESHOLD}", flush=True)
    runs = {"ours": ours, "min-hash": min_hash}
    results = []
    for name, run in runs.items():
        if chosen.only in (None, name):
            out = work / name
            out.mkdir()
            spark.sparkContext.setJobGroup(name, name)
            start = time.monotonic()
            found = run(spark, data, out)
            results.append((name, time.monotonic() - start, found))
    spark.stop()
    print("| pipeline | seconds | shuffled, bytes a document | recall | precision |\n|---|---|---|---|---|")
    for name, seconds, found in results:
        stages = shuffled(events, name)
        bytes_ = sum(bytes_ for bytes_, _ in stages.values()) / chosen.documents
        right = len(found & expected)
        recall, precision = right / max(len(expected), 1), right / max(len(found), 1)
        print(f"| {name} | {seconds:.0f} | {bytes_:,.0f} | {recall:.3f} | {precision:.3f} |")
    for name, _, _ in results:
        print(f"\nStages of {name}: bytes a document, records")
        for stage, (bytes_, records) in shuffled(events, name).items():
            print(f"  {stage:4} {bytes_ / chosen.documents:10,.1f} {records:12,}")
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
