"""Runs datatrove's pipeline on JSONL shards: datatrove_pipeline.py SHARDS FOLDER CLUSTERS.

SHARDS is a folder of JSONL files with `id` and `text`, each a task of its own; FOLDER takes what the
stages hand on. Words are cut at white space, which is far quicker than any of its own tokenizers, and
there are 128 hashes in 16 buckets of 8, as for the other libraries. Groups are written as JSON lines {"members": [...]}. Its last
stage, which copies what is kept, is not run.
"""

import json
import os
import shutil
import struct
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.utils.hashing import HashConfig
from datatrove.utils.word_tokenizers import WordTokenizer

BUCKETS = 16


class WhiteSpace(WordTokenizer):
    """Words between white space."""

    def word_tokenize(self, text):
        return text.split()

    def sent_tokenize(self, text):
        return [text]

    def span_tokenize(self, text):
        return [(0, len(text))]


def run(shards, folder):
    config = MinhashConfig(
        n_grams=5, num_buckets=BUCKETS, hashes_per_bucket=8, hash_config=HashConfig(precision=64)
    )
    workers = os.cpu_count()

    def stage(name, tasks, *steps):
        LocalPipelineExecutor(
            pipeline=list(steps),
            tasks=tasks,
            workers=workers,
            logging_dir=os.path.join(folder, "logs", name),
        ).run()

    def at(name):
        return os.path.join(folder, name)

    stage(
        "signatures",
        len(os.listdir(shards)),
        JsonlReader(shards, glob_pattern="*.jsonl"),
        MinhashDedupSignature(at("signatures"), config=config, language=WhiteSpace()),
    )
    stage("buckets", BUCKETS, MinhashDedupBuckets(at("signatures"), at("buckets"), config=config))
    stage(
        "clusters",
        1,
        MinhashDedupCluster(at("buckets"), at("clusters"), config=config, save_cluster_id=True),
    )


def members(shards, folder):
    """The ids of each cluster."""
    groups = {}
    for number, name in enumerate(sorted(os.listdir(shards))):
        path = os.path.join(folder, "clusters", f"{number:06d}.clusters")
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            clusters = dict(struct.iter_unpack("<2I", file.read()))
        with open(os.path.join(shards, name), encoding="utf-8") as lines:
            for place, line in enumerate(lines):
                if place in clusters:
                    groups.setdefault(clusters[place], []).append(json.loads(line)["id"])
    return groups.values()


def main():
    shards, folder, clusters = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    run(shards, folder)
    with open(clusters, "w", encoding="utf-8") as out:
        for group in members(shards, folder):
            out.write(json.dumps({"members": group}) + "\n")


if __name__ == "__main__":
    main()
