"""Medians and ranges of the runs of each engine, as a table."""

import json
import statistics
import sys

COLUMNS = [
    ("documents/s", "documents_per_second", 1),
    ("CPU time per document (µs)", "cpu_us_per_document", 1),
    ("written per document (kB)", "bytes_written_per_document", 1000),
    ("single add, median (ms)", "single_add_ms_p50", 1),
    ("look-up, median (µs)", "look_up_us_p50", 1),
    ("hour forgotten (ms)", "forget_hour_ms", 1),
    ("memory (MB)", "memory_mb", 1),
    ("on disk (MB)", "disk_mb", 1),
    ("reopened (s)", "reopen_s", 1),
]


def shown(number):
    digits = 0 if number >= 100 else 1 if number >= 10 else 2
    return f"{number:,.{digits}f}"


def cell(values):
    median, low, high = statistics.median(values), min(values), max(values)
    return shown(median) if low == high else f"{shown(median)} ({shown(low)}–{shown(high)})"


def main():
    runs = {}
    with open(sys.argv[1], encoding="utf-8") as results:
        for line in results:
            run = json.loads(line)
            runs.setdefault(run["engine"], []).append(run)
    print("| engine | " + " | ".join(label for label, _, _ in COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for engine, of_engine in runs.items():
        cells = [cell([run[name] / unit for run in of_engine]) for _, name, unit in COLUMNS]
        print(f"| {engine} | " + " | ".join(cells) + " |")


main()
