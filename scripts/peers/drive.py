"""Runs one peer library on a JSONL file: drive.py PEER DOCS CLUSTERS.

Every peer gets the same work: read the documents, word 5-grams, pairs with a Jaccard similarity
of at least 0.8, connected groups written as JSON lines {"members": [...]}. Where the library
estimates, it has 128 hashes in 16 bands of 8, and candidates are kept if the estimate reaches
the threshold. Each library is driven in the fastest way we found. `trafilatura+datasketch` gets
pages, in `html`, and takes their main text on all cores before. Prints a JSON line with the wall and CPU seconds of that work (from before
the file is opened to after the clusters are written; starting Python and importing the library
are not charged) and the peak memory of the process.
"""

import json
import os
import resource
import sys
import time

WORDS = 5
THRESHOLD = 0.8
HASHES = 128
BANDS = 16
SEED = 7
BATCH = 1000


def shingles(text):
    """The set of word 5-grams; a shorter text is one shingle."""
    words = text.lower().split()
    last = max(len(words) - WORDS, 0)
    return {" ".join(words[at : at + WORDS]) for at in range(last + 1)}


# Each function below imports its library and gives back what finds the pairs of a list of texts,
# so that the import stays out of the measured time.


def rensa():
    from rensa import RMinHash, RMinHashLSH

    def pairs(texts):
        # The library takes any iterable, so shingle sets are made, hashed and dropped one by one:
        # faster than a list of lists, and in a sixth of the memory.
        sketches = RMinHash.from_token_sets(map(shingles, texts), num_perm=HASHES, seed=SEED)
        index = RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=BANDS)
        index.insert_many(sketches)
        for one, candidates in enumerate(index.query_all(sketches)):
            for other in candidates:
                if other < one and sketches[one].jaccard(sketches[other]) >= THRESHOLD:
                    yield one, other

    return pairs


def gaoya():
    from gaoya.minhash import MinHashStringIndex

    def pairs(texts):
        index = MinHashStringIndex(
            hash_size=32,
            jaccard_threshold=THRESHOLD,
            num_bands=BANDS,
            band_size=HASHES // BANDS,
            analyzer="word",
            lowercase=True,
            ngram_range=(WORDS, WORDS),
            id_container="smallvec",
        )
        # Shingles, hashes and estimates are all made inside the library, on all cores. Of its
        # three containers this one takes the least time and memory here.
        index.par_bulk_insert_docs(list(range(len(texts))), texts)
        for one, matches in enumerate(index.par_bulk_query(texts)):
            for other in matches:
                if other < one:
                    yield one, other

    return pairs


def fastsketchlsh():
    import numpy
    from FastSketchLSH import LSH, FastSimilaritySketch, estimate_jaccard

    def pairs(texts):
        sketcher = FastSimilaritySketch(size=HASHES, seed=SEED)
        # The library wants lists. Batches hold the shingles of few documents at a time: as fast
        # as one call for all, and in a quarter of the memory.
        parts = []
        for at in range(0, len(texts), BATCH):
            lists = [list(shingles(text)) for text in texts[at : at + BATCH]]
            parts.append(numpy.asarray(sketcher.batch(lists)))
        sketches = numpy.concatenate(parts)
        index = LSH(num_perm=HASHES, num_bands=BANDS)
        index.insert(sketches)
        flat, starts = index.query(sketches, format="csr")
        flat, starts = flat.tolist(), starts.tolist()
        for one in range(len(texts)):
            for other in flat[starts[one] : starts[one + 1]]:
                if other < one and estimate_jaccard(sketches[one], sketches[other]) >= THRESHOLD:
                    yield one, other

    return pairs


def datasketch():
    from datasketch import MinHash, MinHashLSH

    def pairs(texts):
        encoded = ([shingle.encode() for shingle in shingles(text)] for text in texts)
        sketches = list(MinHash.generator(encoded, num_perm=HASHES, seed=SEED))
        index = MinHashLSH(num_perm=HASHES, params=(BANDS, HASHES // BANDS))
        for one, sketch in enumerate(sketches):
            for other in index.query(sketch):
                if sketch.jaccard(sketches[other]) >= THRESHOLD:
                    yield one, other
            index.insert(one, sketch, check_duplication=False)

    return pairs


def setsimilaritysearch():
    from SetSimilaritySearch import all_pairs

    def pairs(texts):
        found = all_pairs([shingles(text) for text in texts], "jaccard", THRESHOLD)
        for one, other, _ in found:
            yield int(one), int(other)

    return pairs


def trafilatura_and_datasketch():
    from multiprocessing import Pool

    from trafilatura import extract

    of_texts = datasketch()

    def pairs(pages):
        with Pool() as pool:
            texts = [text or "" for text in pool.imap(extract, pages, chunksize=8)]
            pool.close()
            pool.join()
        return of_texts(texts)

    return pairs


PEERS = {
    "trafilatura+datasketch": trafilatura_and_datasketch,
    "rensa": rensa,
    "gaoya": gaoya,
    "FastSketchLSH": fastsketchlsh,
    "datasketch": datasketch,
    "SetSimilaritySearch": setsimilaritysearch,
}


def read(path):
    """The ids and the texts of a file, or of all files of a folder."""
    ids, texts = [], []
    paths = [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                document = json.loads(line)
                ids.append(document["id"])
                texts.append(document["text"] if "text" in document else document["html"])
    return ids, texts


def grouped(size, pairs):
    """Lists of numbers below size that the pairs connect; only lists of two or more."""
    parent = list(range(size))

    def root(of):
        while parent[of] != of:
            parent[of] = parent[parent[of]]
            of = parent[of]
        return of

    for one, other in pairs:
        one, other = root(one), root(other)
        parent[max(one, other)] = min(one, other)
    groups = {}
    for number in range(size):
        groups.setdefault(root(number), []).append(number)
    return [group for group in groups.values() if len(group) > 1]


def cpu_time():
    """The CPU seconds of this process and of those that it has waited for."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + of_children.ru_utime + of_children.ru_stime


def main():
    name, documents, clusters = sys.argv[1:]
    find_pairs = PEERS[name]()
    wall, cpu = time.perf_counter(), cpu_time()
    ids, texts = read(documents)
    with open(clusters, "w", encoding="utf-8") as out:
        for group in grouped(len(ids), find_pairs(texts)):
            out.write(json.dumps({"members": [ids[number] for number in group]}) + "\n")
    wall, cpu = time.perf_counter() - wall, cpu_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak_mb": peak}))


if __name__ == "__main__":
    main()
