"""Times dedup with a model against dedup with word shingles, in turns."""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path


def timed(command):
    """The seconds that a command took, by the clock and of the processor."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # 1 says that some documents could not be read, which is no matter here.
    if process.returncode > 1:
        sys.exit(f"bench-model: {' '.join(command)} failed: {said.decode(errors='replace').strip()}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-model")
    parser.add_argument("model")
    parser.add_argument("documents", nargs="+")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--bin", type=Path, required=True)
    args = parser.parse_args()
    methods = {"shingles": ["--method", "shingles"], "model": ["--model", args.model]}
    print("| documents | shingles, ms | model, ms | times as long | CPU: shingles, ms | model, ms | times |")
    print("|---|---|---|---|---|---|---|")
    for documents in args.documents:
        runs = {name: [] for name in methods}
        for _ in range(max(args.repeats, 1)):
            for name, flags in methods.items():
                program = str(args.bin / "firsthand")
                runs[name].append(timed([program, "dedup", documents, *flags, "--quiet"]))
        cells = []
        for column in range(2):
            plain, learned = (
                1000 * statistics.median(run[column] for run in runs[name]) for name in methods
            )
            cells += [f"{plain:.0f}", f"{learned:.0f}", f"{learned / plain:.2f}"]
        print(f"| {Path(documents).name} | {' | '.join(cells)} |", flush=True)


main()
