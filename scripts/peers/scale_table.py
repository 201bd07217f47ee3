"""Prints the table of scripts/bench-scale: scale_table.py RESULTS FOLDER.

FOLDER has pairs-N.txt, the number of pairs that firsthand found among N documents, and TOOL-N.json, the
score of another tool against them.
"""

import json
import os
import sys

from table import share


def cells(run, folder):
    name, documents = run["tool"], run["documents"]
    figures = [f"{documents:,}", name]
    if not run["finished"]:
        return [*figures, f"not finished after {run['wall']:.0f} s", *["-"] * 7]
    figures += [f"{run['wall']:.1f}", f"{run['cpu']:.1f}", f"{run['peak_mb']:.0f}"]
    figures += [f"{run['scratch_mb']:.0f}", f"{run['written_mb']:.0f}"]
    score = os.path.join(folder, f"{name}-{documents}.json")
    if os.path.exists(score):
        with open(score, encoding="utf-8") as file:
            score = json.load(file)
        return [*figures, "-", share(score["recall"]), share(score["precision"])]
    with open(os.path.join(folder, f"pairs-{documents}.txt"), encoding="utf-8") as file:
        return [*figures, f"{int(file.read()):,}", "", ""]


def main():
    results, folder = sys.argv[1:]
    print("| documents | tool | s | CPU s | peak MB | scratch MB | written MB | pairs | recall | precision |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with open(results, encoding="utf-8") as lines:
        for line in lines:
            print("| " + " | ".join(cells(json.loads(line), folder)) + " |")


if __name__ == "__main__":
    main()
