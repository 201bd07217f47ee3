"""How the package behaves: interrupts, forks, threads, progress, messages, the command."""

from __future__ import annotations

import json
import logging
import multiprocessing
import pathlib
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import collection

import firsthand as fh

Rows = list[dict[str, Any]]

ENDLESS = """
import itertools, sys
import firsthand as fh
def texts():
    for number in itertools.count():
        if number == 5_000:
            print("begun", flush=True)
        yield f"text number {number} of very many, all of them different from each other {number * 7}"
try:
    fh.dedup(texts(), profile="corpus")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_ends_a_job() -> None:
    child = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    assert child.wait(timeout=60) == 0


def count_clusters(rows: Rows) -> int:
    return len(set(fh.dedup(rows, text="body", profile="corpus").clusters["cluster"]))


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no fork on this system")
def test_a_forked_process_has_threads_of_its_own(rows: Rows) -> None:
    expected = count_clusters(rows)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(count_clusters, [rows, rows]).get(timeout=120) == [expected] * 2
    assert count_clusters(rows) == expected


def test_threads_do_not_mind_each_other(rows: Rows) -> None:
    expected = count_clusters(rows)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count_clusters, [rows] * 8)) == [expected] * 8
    assert fh.dedup(rows, text="body", profile="corpus", threads=1).rows["kept"].count(False) > 0


def test_others_run_while_a_job_does() -> None:
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    fh.dedup(collection(2_000), text="body", profile="corpus")
    done.set()
    ticking.join()
    assert ticks > 0


def test_progress_is_told(rows: Rows, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[fh.Progress] = []
    fh.dedup(rows, text="body", progress=seen.append)
    assert seen[-1].documents == len(rows) and seen[-1].phase == "writing"
    fh.dedup(rows, text="body", progress=True)
    assert "documents" in capsys.readouterr().err

    def fails(_: fh.Progress) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        fh.dedup(rows, text="body", progress=fails)


def test_progress_without_tqdm(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    fh.dedup(rows, text="body", progress=True)


def test_messages_go_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="firsthand"):
        fh.dedup(["a text", None, "another"])
    warnings = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["1 input could not be read; the first: row 1: no text: the field text holds null; text= or html= names the column of the text"]


def test_the_command_says_the_same(tmp_path: pathlib.Path, rows: Rows) -> None:
    path, result = tmp_path / "rows.jsonl", tmp_path / "result"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, "-m", "firsthand", "dedup", str(path), "--profile", "corpus", "-o", str(result)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "300 documents" in done.stderr
    found = fh.dedup(rows, text="body", profile="corpus")
    pairs = [json.loads(line) for line in (result / "pairs.jsonl").read_text().splitlines()]
    assert found.pairs.to_dicts() == pairs != []
    clusters = [json.loads(line) for line in (result / "clusters.jsonl").read_text().splitlines()]
    members = [(cluster["cluster"], member["id"], member["score"]) for cluster in clusters for member in cluster["members"]]
    assert [(row["cluster"], row["id"], row["score"]) for row in found.clusters.to_dicts()] == members
    assert fh.dedup(path, profile="corpus").rows.to_dicts() == found.rows.to_dicts()


def test_exit_codes_of_the_command(tmp_path: pathlib.Path) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "firsthand", *args], capture_output=True, text=True)

    assert run("--version").stdout.strip() == f"firsthand {fh.__version__}"
    missing = run("dedup", str(tmp_path / "missing"))
    assert missing.returncode == 2 and "there is no such file or folder" in missing.stderr
    (tmp_path / "bad.jsonl").write_text('{"text": "some text"}\nbroken\n')
    assert run("dedup", str(tmp_path / "bad.jsonl")).returncode == 3
