"""Runs the Python package on a JSONL file: wheel.py DOCS PAIRS.

The documents are read into a polars frame first. Prints a JSON line with the wall and CPU seconds of finding the
pairs in the frame and writing them, and of that time the part that is not the job's own: the boundary between
Python and the engine.
"""

import json
import resource
import sys
import time

import polars as pl

import firsthand as fh


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    documents, output = sys.argv[1:]
    frame = pl.read_ndjson(documents)
    before, start = cpu(), time.perf_counter()
    found = fh.dedup(frame, text="text", id="id", method="shingles", n=5, threshold=0.8)
    ended = time.perf_counter() - start
    pl.DataFrame(found.pairs).write_ndjson(output)
    wall = time.perf_counter() - start
    boundary = ended - found.report["seconds"]
    print(json.dumps({"wall": wall, "cpu": cpu() - before, "boundary": boundary}))


if __name__ == "__main__":
    main()
