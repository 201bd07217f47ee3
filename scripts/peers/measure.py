"""Runs a command and appends what it cost to a file: measure.py RESULTS TOOL COMMAND...

Wall time is that of the whole process, CPU time and peak memory come from the kernel's account of
it (wait4). A command whose last line of output is a JSON object with "wall" and "cpu" is charged
these instead: so a Python peer does not pay for the start of the interpreter. Peak memory is the
kernel's figure for all.

Only the standard library, and little of it: a new process starts with the peak memory of the one
that made it, so this one must stay smaller than anything it measures.
"""

import json
import os
import sys
import tempfile
import time


def run(command):
    """The exit status, cost and output of a command."""
    with tempfile.TemporaryFile() as output:
        to_output = [(os.POSIX_SPAWN_DUP2, output.fileno(), stream) for stream in (1, 2)]
        start = time.perf_counter()
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=to_output)
        _, status, used = os.wait4(process, 0)
        wall = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    cost = {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}
    return os.waitstatus_to_exitcode(status), cost, text


def own_account(text):
    """The times that the command states in its last line, if it does."""
    try:
        stated = json.loads(text.rstrip().rpartition("\n")[2])
        own = {"wall": stated["wall"], "cpu": stated["cpu"]}
        return own | {name: stated[name] for name in ("boundary",) if name in stated}
    except (ValueError, KeyError, TypeError):
        return {}


def main():
    results, tool, *command = sys.argv[1:]
    code, cost, text = run(command)
    if code != 0:
        sys.stderr.write(text[-2000:])
        sys.exit(f"{tool} failed with exit code {code}: {' '.join(command)}")
    with open(results, "a", encoding="utf-8") as out:
        out.write(json.dumps({"tool": tool, **cost, **own_account(text)}) + "\n")


if __name__ == "__main__":
    main()
