"""The bytes that each step of a search hands to the next, for a document: the kernels alone, without Spark.

    python scripts/spark/bytes.py [--documents 5000] [--words 450] [--ranges 64]
"""

from __future__ import annotations

import argparse

import pyarrow as pa
from bench import document

from firsthand import Detector, _native

FIELDS = ("class_a", "features_a", "class_b", "features_b")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=5000)
    options.add_argument("--words", type=int, default=450)
    options.add_argument("--ranges", type=int, default=64)
    chosen = options.parse_args()
    count, ranges = chosen.documents, chosen.ranges
    settings = Detector(profile="corpus").settings
    texts = [document(number, chosen.words)[0] for number in range(count)]
    ids = [f"{number:010}" for number in range(count)]
    batches = pa.table({"id": ids, "text": texts}).to_batches(max_chunksize=1000)
    last = _native.frequent_features(settings, texts[:2000])

    def size(column: str, parts: list[pa.RecordBatch]) -> float:
        return sum(len(cell) for part in parts for cell in part.column(column).to_pylist()) / count

    rows = _native.RowKernel(settings, last)
    entries = [out for batch in batches for out in rows.entries(batch, ranges)]
    by_range = pa.Table.from_batches(entries).sort_by("range").to_batches()
    meet = _native.MeetKernel(settings, ranges)
    met = [out for batch in by_range for out in meet.meet(batch)] + meet.finish()
    parts = pa.Table.from_batches(met)
    cut = parts.filter(parts["split"].is_valid()).to_batches()
    met = parts.filter(parts["split"].is_null()).to_batches()
    met += [out for batch in cut for out in _native.PartKernel(settings, ranges).meet(batch)]
    add = _native.CandidateKernel()
    by_range = pa.Table.from_batches(met).sort_by("range").to_batches()
    candidates = pa.Table.from_batches([out for batch in by_range for out in add.add(batch)] + add.finish())
    keep = _native.FilterKernel(2 * len(candidates))
    for batch in candidates.to_batches():
        keep.add(batch)
    some = _native.RowKernel(settings, None, keep.to_bytes())
    sets = [out for batch in batches for out in some.sets(batch)]
    of = {row["half"]: row for part in sets for row in part.to_pylist()}
    pairs = [(of[row["a"]], of[row["b"]]) for row in candidates.to_pylist()]
    cells = [[a["class"] for a, _ in pairs], [a["features"] for a, _ in pairs]]
    cells += [[b["class"] for _, b in pairs], [b["features"] for _, b in pairs]]
    both = pa.RecordBatch.from_arrays([pa.array(cell, pa.binary()) for cell in cells], names=list(FIELDS))
    edges = sum(part.num_rows for part in _native.VerifyKernel(settings).verify(both))
    known = [out for batch in batches for out in rows.documents(batch)]
    columns = ("id", "order", "rank", "text", "class")
    print(f"{count:,} documents of {sum(map(len, texts)) / count:,.0f} bytes; a document has, on average,")
    print(f"keys       {size('records', entries):8,.0f} bytes, {size('records', entries) / 21:,.1f} keys")
    print(f"meetings   {size('records', met):8,.1f} bytes; parts of crowded keys {size('records', cut):,.1f}")
    print(f"candidates {16 * len(candidates) / count:8,.1f} bytes, {len(candidates) / count:,.3f} pairs")
    print(f"sets       {size('features', sets):8,.0f} bytes, {sum(part.num_rows for part in sets) / count:,.3f} sets")
    moved = sum(len(a["features"]) for a, _ in pairs) / count
    print(f"comparing  {moved:8,.0f} bytes, one set of each pair; {edges / count:,.3f} pairs are near")
    print(f"documents  {sum(size(column, known) for column in columns):8,.0f} bytes")


if __name__ == "__main__":
    main()
