"""Streams of texts with a part in common through `firsthand stream`: a row and a table line for each."""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import time

# The part of the words that all documents of a stream have in common; with 1 all are exact copies.
SHARES = [0, 0.5, 0.6, 0.75, 0.9, 0.95, 1]
COLUMNS = [
    "store", "profile", "stream", "documents a second", "time / share 0", "CPU / share 0", "capped, a document",
    "strangers called copies", "copies missed", "copies of another",
]


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def generate(bench, path, documents, share, site):
    command = [bench, "boilerplate", "--documents", str(documents), "--share", str(share)]
    if site:
        command += ["--site", "one.example"]
    with open(path, "wb") as out:
        subprocess.run(command, stdout=out, check=True)


def run(firsthand, store, profile, path, verdicts, number):
    """Streams a file into a fresh store."""
    address = store
    if store.startswith("postgres"):
        address = f"{store}&schema=hot{number}"
    elif store != "memory:":
        shutil.rmtree(store, ignore_errors=True)
    command = [firsthand, "stream", "--store", address, "--profile", profile, path]
    before, started = children(), time.perf_counter()
    with open(verdicts, "wb") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, check=True)
    seconds, cpu = time.perf_counter() - started, children() - before
    capped = re.search(r"([\d,]+) look-ups? met a very common key", done.stderr)
    return seconds, cpu, int(capped[1].replace(",", "")) if capped else 0


def score(path, verdicts):
    """Originals called copies, copies called originals, and copies of another document than their own."""
    strangers = missed = another = copies = 0
    with open(path) as documents, open(verdicts) as answers:
        for document, answer in zip(documents, answers, strict=True):
            document, answer = json.loads(document), json.loads(answer)
            found = answer["verdict"] in ("duplicate", "update")
            if document["cluster"] == document["id"]:
                strangers += found
            else:
                copies += 1
                missed += not found
                another += found and document["cluster"] not in (answer["original"], answer["via"])
    return {"strangers": strangers, "copies": copies, "missed": missed, "another": another}


def label(store):
    if store.startswith("postgres"):
        return "PostgreSQL"
    return "memory" if store == "memory:" else "a folder"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("out")
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--store", action="append", required=True)
    parser.add_argument("--profiles", required=True)
    parser.add_argument("--repeats", type=int, default=1)
    asked = parser.parse_args()
    bench, firsthand = (os.path.join(asked.programs, name) for name in ("firsthand-bench", "firsthand"))
    path, verdicts = (os.path.join(asked.out, name) for name in ("stream.jsonl", "verdicts.jsonl"))
    streams = [(share, False) for share in SHARES] + [(0.5, True)]
    best, number = {}, 0
    for _ in range(max(asked.repeats, 1)):
        for share, site in streams:
            generate(bench, path, asked.documents, share, site)
            for profile in asked.profiles.split(","):
                for store in asked.store:
                    number += 1
                    seconds, cpu, capped = run(firsthand, store, profile, path, verdicts, number)
                    row = {"seconds": seconds, "cpu": cpu, "capped": capped, **score(path, verdicts)}
                    key = (store, profile, share, site)
                    if key not in best or seconds < best[key]["seconds"]:
                        best[key] = row
    print(f"\n{asked.documents:,} documents\n\n| {' | '.join(COLUMNS)} |")
    print("|" + "---|" * len(COLUMNS))
    with open(os.path.join(asked.out, "rows.jsonl"), "a") as rows:
        for store in asked.store:
            for profile in asked.profiles.split(","):
                base = best[store, profile, 0, False]
                for share, site in streams:
                    row = best[store, profile, share, site]
                    kind = f"{share:.0%}, pages of one site" if site else f"{share:.0%}"
                    named = {"store": label(store), "profile": profile, "stream": kind}
                    rows.write(json.dumps({**named, "documents": asked.documents, **row}) + "\n")
                    cells = [
                        *named.values(),
                        f"{asked.documents / row['seconds']:,.0f}",
                        f"{row['seconds'] / base['seconds']:.2f}",
                        f"{row['cpu'] / base['cpu']:.2f}",
                        f"{row['capped'] / asked.documents:.1f}",
                        f"{row['strangers']:,} of {asked.documents - row['copies']:,}",
                        f"{row['missed']:,} of {row['copies']:,}",
                        f"{row['another']:,}",
                    ]
                    print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
