"""Prints the table of a run and says which targets hold: table.py RESULTS SCORES [SCALE].

RESULTS has a line for each measured run, SCORES a folder with TOOL.json from `firsthand-bench
score`. SCALE is the file of the same kind for the collection that is ten times as large. With
`--pages N` in place of SCORES, RESULTS is of N pages, and nothing is scored.
"""

import json
import os
import statistics
import sys

OURS = "firsthand"
WHEEL = "firsthand-wheel"
TIMES_THE_FASTEST_PEER = 10
TIMES_THE_COMMAND_LINE = 1.2
TIMES_FOR_TEN_TIMES_THE_DOCUMENTS = 12


def summaries(path):
    """For each tool the best and median wall time, CPU time of the best run, largest memory."""
    runs = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            run = json.loads(line)
            runs.setdefault(run["tool"], []).append(run)
    return {tool: summary(of_tool) for tool, of_tool in runs.items()}


def summary(runs):
    best = min(runs, key=lambda run: run["wall"])
    return {
        "best": best["wall"],
        "median": statistics.median(run["wall"] for run in runs),
        "cpu": best["cpu"],
        "peak_mb": max(run["peak_mb"] for run in runs),
        "boundary": statistics.median(run.get("boundary", 0.0) for run in runs),
    }


def score_path(folder, tool):
    return os.path.join(folder, tool + ".json")


def scored(folder, tool):
    return os.path.exists(score_path(folder, tool))


def score(folder, tool):
    with open(score_path(folder, tool), encoding="utf-8") as file:
        return json.load(file)


def share(value):
    """Three decimals, rounded down: 1.000 means that nothing at all is missing."""
    return f"{int(value * 1000) / 1000:.3f}"


def print_table(tools, folder):
    ours = tools.get(OURS)
    print()
    print("| tool | best s | median s | CPU s | peak MB | recall | precision | time / firsthand |")
    print("|---|---|---|---|---|---|---|---|")
    for tool, cost in sorted(tools.items(), key=lambda item: item[1]["best"]):
        worth = score(folder, tool)
        ratio = f"{cost['median'] / ours['median']:.1f}" if ours else "-"
        print(
            f"| {tool} | {cost['best']:.2f} | {cost['median']:.2f} | {cost['cpu']:.2f} "
            f"| {cost['peak_mb']:.0f} | {share(worth['recall'])} | {share(worth['precision'])} "
            f"| {ratio} |"
        )
    print()


def verdict(holds):
    return "holds" if holds else "MISSED"


def print_targets(tools, folder):
    peers = {tool: cost for tool, cost in tools.items() if tool not in (OURS, WHEEL)}
    if OURS not in tools or not peers:
        print("No targets to judge: firsthand or all peers were left out.")
        return
    ours, worth = tools[OURS], score(folder, OURS)
    exact = worth["found"] == worth["truth"] and worth["right"] == worth["stated"]
    print(
        f"Target, every true pair ({worth['truth']}) and no other: {verdict(exact)} "
        f"({worth['truth'] - worth['found']} missing, {worth['stated'] - worth['right']} false)."
    )
    leanest = min(peers, key=lambda tool: peers[tool]["peak_mb"])
    print(
        f"Target, less memory than any peer: {verdict(ours['peak_mb'] < peers[leanest]['peak_mb'])} "
        f"({ours['peak_mb']:.0f} MB; {leanest} {peers[leanest]['peak_mb']:.0f} MB)."
    )
    fastest = min(peers, key=lambda tool: peers[tool]["median"])
    times = peers[fastest]["median"] / ours["median"]
    print(
        f"Target, ten times as fast as the fastest peer: {verdict(times >= TIMES_THE_FASTEST_PEER)} "
        f"({times:.1f} times: median {ours['median']:.3f} s, {fastest} {peers[fastest]['median']:.3f} s)."
    )


def print_wheel(tools):
    """The Python package on a polars frame, against the command line on the file."""
    if OURS not in tools or WHEEL not in tools:
        return
    times = tools[WHEEL]["median"] / tools[OURS]["median"]
    print(
        f"Target, from Python at most {TIMES_THE_COMMAND_LINE} times the command line: "
        f"{verdict(times <= TIMES_THE_COMMAND_LINE)} ({times:.2f} times; boundary "
        f"{1000 * tools[WHEEL]['boundary']:.0f} ms)."
    )


def print_scale(small, large, folder):
    worth = score(folder, "scale")
    times = large["best"] / small["best"]
    print(
        f"Target, ten times the documents in at most {TIMES_FOR_TEN_TIMES_THE_DOCUMENTS} times the "
        f"time: {verdict(times <= TIMES_FOR_TEN_TIMES_THE_DOCUMENTS)} ({large['best']:.2f} s is "
        f"{times:.1f} times; CPU {large['cpu']:.2f} s, peak {large['peak_mb']:.0f} MB, recall "
        f"{share(worth['recall'])}, precision {share(worth['precision'])})."
    )


def print_pages(tools, pages):
    ours = tools.get(OURS)
    print()
    print("| tool | best s | median s | CPU s | pages a second (median) | time / firsthand |")
    print("|---|---|---|---|---|---|")
    for tool, cost in sorted(tools.items(), key=lambda item: item[1]["median"]):
        ratio = f"{cost['median'] / ours['median']:.1f}" if ours else "-"
        print(
            f"| {tool} | {cost['best']:.2f} | {cost['median']:.2f} | {cost['cpu']:.2f} "
            f"| {pages / cost['median']:.0f} | {ratio} |"
        )
    print()


def main():
    results, folder, *scale = sys.argv[1:]
    if folder == "--pages":
        print_pages(summaries(results), int(scale[0]))
        return
    # A peer that failed in a later round has runs but no score.
    tools = {tool: cost for tool, cost in summaries(results).items() if scored(folder, tool)}
    print_table(tools, folder)
    if scale:
        print_scale(tools[OURS], summaries(scale[0])[OURS], folder)
    print_targets(tools, folder)
    print_wheel(tools)


if __name__ == "__main__":
    main()
