"""Runs a command and appends what it cost to a file: watch.py RESULTS TOOL DOCUMENTS [--scratch FOLDER]
[--limit SECONDS] -- COMMAND...

Like measure.py, and beyond that the most bytes that were in FOLDER at any time, looked at five times a
second, and the bytes that were written to disk. Memory is that of the largest process if there are
several. A command that takes longer than the limit is killed, and the line says so.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time

PAUSE = 0.2


def size(folder):
    """The bytes of all files below a folder, as they come and go."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(path, name)).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


def killed_first():
    """If memory runs out, this command is to go and nothing else."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("tool")
    parser.add_argument("documents", type=int)
    parser.add_argument("--scratch")
    parser.add_argument("--limit", type=float, default=float("inf"))
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    start, most = time.perf_counter(), 0
    with subprocess.Popen(
        args.command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=killed_first,
    ) as process:
        # What it says is short, and read at the end.
        while process.poll() is None:
            if args.scratch:
                most = max(most, size(args.scratch))
            if time.perf_counter() - start > args.limit:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(PAUSE)
        said = process.stderr.read().decode("utf-8", "replace")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = {
        "tool": args.tool,
        "documents": args.documents,
        "finished": process.returncode == 0,
        "wall": time.perf_counter() - start,
        "cpu": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss / 1024,
        "scratch_mb": most / 1e6,
        "written_mb": used.ru_oublock * 512 / 1e6,
    }
    with open(args.results, "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")
    if process.returncode != 0:
        sys.stderr.write(said[-2000:])
        sys.exit(f"{args.tool} failed with exit code {process.returncode} at {args.documents} documents")


if __name__ == "__main__":
    main()
