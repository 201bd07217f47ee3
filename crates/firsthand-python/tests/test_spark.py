"""Spark gives the pairs and clusters of the command line, pair for pair and cluster for cluster.

One session with two executors in processes of their own serves all tests.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pandas")

from pyspark.sql import SparkSession  # noqa: E402

import firsthand.spark as fs  # noqa: E402
from firsthand.errors import InputError, SettingsError  # noqa: E402

Row = dict[str, Any]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Any:
    work = tmp_path_factory.mktemp("spark")
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_WORKER_DIR"] = str(work / "work")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.local.dir", str(work))
        .config("spark.sql.warehouse.dir", str(work))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def texts(seed: int, count: int, vocabulary: int = 14) -> list[Row]:
    """Few words, so that every degree of similarity occurs, at the threshold too; some texts are equal, some
    empty, some too short."""
    pick = random.Random(seed)
    rows: list[Row] = []
    for at in range(count):
        if rows and pick.random() < 0.2:
            text = pick.choice(rows)["text"]
        else:
            text = " ".join(f"w{pick.randrange(vocabulary)}" for _ in range(pick.randrange(18)))
        rows.append({"id": f"{at:04}", "text": text, "time": pick.choice([None, "2026-01-02", "2026-01-03"])})
    return rows


def command_line(folder: Path, rows: list[Row], *flags: str, old: list[Row] | None = None) -> Any:
    """The pairs and clusters of the command line."""

    def write(name: str, some: list[Row]) -> Path:
        path = folder / name
        lines = ({key: value for key, value in row.items() if value is not None} for row in some)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    new = write("new.jsonl", rows)
    against = ["--against", str(write("old.jsonl", old))] if old else []
    out = folder / "out"
    command = [sys.executable, "-m", "firsthand", "dedup", str(new), *against, "-o", str(out), *flags]
    subprocess.run(command, check=True, capture_output=True)
    pairs = {(row["a"], row["b"], row["score"], row["exact"]) for row in _lines(out / "pairs.jsonl")}
    clusters = {
        (row["original"], member["id"], member["score"], member["exact"], member.get("via"))
        for row in _lines(out / "clusters.jsonl")
        for member in row["members"]
    }
    return pairs, clusters


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def collected(found: fs.Found) -> Any:
    with found:
        pairs = [tuple(row) for row in found.pairs.collect()]
        clusters = [tuple(row) for row in found.clusters.collect()]
    assert len(pairs) == len(set(pairs)) and len(clusters) == len(set(clusters))
    return set(pairs), set(clusters)


def frame(spark: SparkSession, rows: list[Row], partitions: int) -> Any:
    names = {name: None for row in rows for name in row}
    values = [tuple(row.get(name) for name in names) for row in rows]
    schema = ", ".join(f"{name} string" for name in names)
    return spark.createDataFrame(values, schema).repartition(partitions)


@pytest.mark.parametrize(
    ("partitions", "crowded", "flags", "settings"),
    [
        # Thresholds that pairs reach exactly.
        (1, None, ["--threshold", "1/2"], {"threshold": "1/2"}),
        # Keys that more than three classes share are cut into parts.
        (3, 3, ["--threshold", "2/3", "--grouping", "component"], {"threshold": "2/3", "grouping": "component"}),
        (
            17,
            2,
            ["--threshold", "0.6", "--measure", "cosine", "--original", "first"],
            {"threshold": "0.6", "measure": "cosine", "original": "first"},
        ),
    ],
)
def test_spark_equals_the_command_line(
    spark: SparkSession, tmp_path: Path, partitions: int, crowded: int | None, flags: list[str], settings: Row
) -> None:
    rows = texts(partitions, 150)
    common = ["--n", "1", "--min-features", "2"]
    expected = command_line(tmp_path, rows, *common, *flags)
    df = frame(spark, rows, partitions)
    found = fs.dedup(
        df,
        text="text",
        id="id",
        time="time",
        partitions=partitions,
        crowded=crowded,
        n=1,
        min_features=2,
        **settings,
    )
    pairs, clusters = collected(found)
    assert len(expected[0]) > 50 and len(expected[1]) > 50
    assert pairs == expected[0]
    assert clusters == expected[1]


def test_a_reference_is_checked_as_on_the_command_line(spark: SparkSession, tmp_path: Path) -> None:
    old, new = texts(5, 80), texts(6, 60)
    flags = ["--n", "1", "--min-features", "2", "--threshold", "0.6"]
    expected = command_line(tmp_path, new, *flags, old=old)
    found = fs.check(
        frame(spark, new, 2),
        frame(spark, old, 3),
        text="text",
        id="id",
        time="time",
        n=1,
        min_features=2,
        threshold=0.6,
    )
    assert collected(found) == expected


def test_pages_of_sites_are_compared_without_their_furniture(spark: SparkSession, tmp_path: Path) -> None:
    pick = random.Random(3)
    rows = []
    for at in range(60):
        site = pick.choice(["a.example", "www.b.example", None])
        story = " ".join(f"word{pick.randrange(40)}" for _ in range(12))
        if rows and pick.random() < 0.4:
            story = pick.choice(rows)["text"].split("\n")[-1]
        frame_of = f"welcome to the news and weather of {site} and to its shop"
        rows.append({"id": f"{at:03}", "text": f"{frame_of}\n{story}", "host": site, "title": f"Story {at % 7} of us"})
    expected = command_line(tmp_path, rows)
    found = fs.dedup(frame(spark, rows, 3), text="text", id="id", site="host", title="title")
    assert collected(found) == expected
    assert len(expected[0]) > 5


def test_a_killed_executor_changes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    rows = texts(9, 120)
    expected = command_line(tmp_path, rows, "--n", "1", "--threshold", "0.6")
    killed: list[int] = []

    def kill() -> None:
        tracker = spark.sparkContext.statusTracker()
        for _ in range(600):
            if len(tracker.getActiveStageIds()) > 0:
                break
            time.sleep(0.05)
        executor = executors(spark.sparkContext.applicationId)[0]
        os.kill(executor, signal.SIGKILL)
        killed.append(executor)

    found = fs.dedup(frame(spark, rows, 3), text="text", id="id", time="time", n=1, threshold=0.6)
    # What was kept on the executor is lost as well.
    killer = threading.Thread(target=kill)
    killer.start()
    result = collected(found)
    killer.join()
    assert killed and result == expected


def executors(application: str) -> list[int]:
    """The processes of the executors of an application."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if "CoarseGrainedExecutorBackend" in command and application in command:
                found.append(int(entry.name))
    return found


def test_bad_rows_are_problems_and_equal_texts_stay_few(spark: SparkSession) -> None:
    rows = [(f"{at:05}", "The ferry to the island did not sail today", None) for at in range(2_000)]
    rows += [("empty", "", None), ("null", None, None), (None, "A text without an id", None), ("00001", "Twice", None)]
    df = spark.createDataFrame(rows, "id string, text string, time string").repartition(4)
    with fs.dedup(df, text="text", id="id", time="time", pairs="star") as found:
        assert found.pairs.count() == 1_999
        assert {row.original for row in found.dropped.select("original").distinct().collect()} == {"00000"}
        problems = {(row.id, row.problem.split(":")[0]) for row in found.problems.collect()}
    assert problems == {("null", "it has no text"), (None, "it has no id"), ("00001", "its id occurred before")}


def test_what_cannot_run_is_refused_by_name(spark: SparkSession) -> None:
    df = spark.createDataFrame([("a", "b", [1])], "id string, text string, list array<int>")
    with pytest.raises(SettingsError, match="matcher = bits"):
        fs.dedup(df, text="text", id="id", method="simhash")
    with pytest.raises(SettingsError, match="weights"):
        fs.dedup(df, text="text", id="id", method="cosine")
    with pytest.raises(InputError, match="text = 'body': the DataFrame has no such column; it has id, text, list"):
        fs.dedup(df, text="body", id="id")
    with pytest.raises(InputError, match="array<int>, not string"):
        fs.dedup(df, text="list", id="id")
    with pytest.raises(SettingsError, match="pairs = 'few'"):
        fs.dedup(df, text="text", id="id", pairs="few")


def test_kernels_run_without_spark() -> None:
    """As in the recipe for Ray: batches in, batches out."""
    import pyarrow as pa

    from firsthand import Detector, _native

    settings = Detector(profile="corpus").settings
    words = [f"word{at}" for at in range(60)]
    stories = [" ".join(words), " ".join([*words, "more"]), "another text of a few words only"]
    batch = pa.RecordBatch.from_pydict({"id": ["a", "b", "c"], "text": stories})
    entries = pa.Table.from_batches(_native.RowKernel(settings).entries(batch, 1))
    meet = _native.MeetKernel(settings, 1)
    met = [out for part in entries.to_batches() for out in meet.meet(part)] + meet.finish()
    add = _native.CandidateKernel()
    found = [out for part in met for out in add.add(part)] + add.finish()
    assert sum(part.num_rows for part in found) == 1
    sets = pa.Table.from_batches(_native.RowKernel(settings).sets(batch)).to_pylist()
    of = {row["half"]: row for row in sets}
    pair = found[0].to_pylist()[0]
    a, b = of[pair["a"]], of[pair["b"]]
    columns = {"class_a": a["class"], "features_a": a["features"], "class_b": b["class"], "features_b": b["features"]}
    both = pa.RecordBatch.from_pydict({name: [value] for name, value in columns.items()})
    edges = _native.VerifyKernel(settings).verify(both)
    assert edges[0].to_pylist()[0]["score"] == pytest.approx(56 / 57)
