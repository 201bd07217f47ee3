"""Figures 1, 2, 4 and 5 of ANDD: sizes of signatures, active terms, and the learning curve."""

import os

import papers
from lines import Panel, write
from paired import Difference
from tables import share, table

STYLES = {
    "learned": ("#0b6e99", ""),
    "TF-IDF": ("#c2410c", ""),
    "learned, raw": ("#0b6e99", "6 4"),
    "TF-IDF, raw": ("#c2410c", "6 4"),
    "learned, whole half": ("#0b6e99", "6 4"),
    "SpotSigs": ("#6b7280", "2 4"),
    "learned, F1 at its threshold": ("#7c3aed", ""),
}
NAMES = {"learned": "learned", "TF-IDF": "tf-idf"}


def all_of(found, folder):
    return [
        sized(found, folder, "bits", "cosine", 1, "Figure 1: bits", "bits of a signature"),
        sized(found, folder, "hashes", "jaccard", 2, "Figure 2: min-hashes", "min-hashes of a signature"),
        terms(found, folder),
        curve(found, folder),
    ]


def mean(way, figure="max_f1"):
    return way.mean(figure) if way else None


def figure(folder, part, title, below, panels):
    path = os.path.join(folder, f"andd-{part}.svg")
    write(path, title, below, STYLES, panels)
    return f"![{title}](andd-{part}.svg)\n\n"


def sized(found, folder, part, measure, number, title, below):
    """Max F1 over the size of signatures."""
    panels, rows = [], []
    for name, trials in found.items():
        sizes = trials.sizes(part)
        if len(sizes) < 2 or not trials.weights("learned", measure):
            continue
        lines = {
            label: [mean(trials.sized(part, weight, measure, size)) for size in sizes]
            for label, weight in NAMES.items()
        }
        raw = trials.weights("learned", measure)
        levels = {"learned, raw": mean(raw), "TF-IDF, raw": mean(trials.weights("tf-idf", measure))}
        panels.append(Panel(name, sizes, lines, levels))
        for size in sizes:
            way = trials.sized(part, "learned", measure, size)
            other = trials.sized(part, "tf-idf", measure, size)
            rows.append([name, size, share(mean(way)), share(mean(other)), share(mean(way, "f1")),
                         Difference(way, raw, "max_f1").cell()])
    if not panels:
        return ""
    header = ["", part, "Max F1: learned", "TF-IDF", "F1: learned", "learned minus raw: Max F1"]
    text = f"### As in ANDD, {title}\n\n"
    if number == 1:
        text += "*Printed*, on news: from 512 bits on, not significantly below raw.\n\n"
    else:
        text += """The measure is min/max Jaccard, which is what min-hashes estimate (the paper learns extended Jaccard).
*Printed*, on news: from 80 min-hashes on, not significantly below raw.\n\n"""
    return text + figure(folder, part, f"Max F1 over {below}", below, panels) + table(header, rows)


def terms(found, folder):
    """Max F1 over the number of heaviest grams that are left."""
    panels, rows = [], []
    for name, trials in found.items():
        sizes = trials.sizes("terms")
        if not sizes or not trials.weights("learned"):
            continue
        ways = {label: [trials.sized("terms", weight, "cosine", size) for size in sizes]
                + [trials.weights(weight)] for label, weight in NAMES.items()}
        spots = trials.method("spotsigs")
        lines = {label: [mean(way) for way in of] for label, of in ways.items()}
        panels.append(Panel(name, [*sizes, "all"], lines, {"SpotSigs": mean(spots)}))
        for at, size in enumerate([*sizes, "all"]):
            printed = papers.ANDD_FIVE_TERMS if size == 5 and name == "mail" else (None, None)
            cells = [share(mean(of[at])) for of in ways.values()]
            gap = Difference(ways["learned"][at], ways["TF-IDF"][at], "max_f1").cell()
            rows.append([name, size, *cells, gap, *printed])
        if spots:
            rows.append([name, f"SpotSigs: {spots.mean('features'):.1f}", share(mean(spots)),
                         None, None, None, None])
    if not panels:
        return ""
    header = ["", "terms", "learned", "TF-IDF", "difference", "*printed* learned", "*printed* TF-IDF"]
    return """### As in ANDD, Figure 4: active terms

Of each document only the stated number of its heaviest words is kept; cosine, Max F1. For SpotSigs, the
number is the mean of spot signatures per document (*printed*, mail: 5.7; and 53.7 words).

""" + figure(folder, "terms", "Max F1 over active terms", "heaviest words kept", panels) + table(header, rows)


def curve(found, folder):
    """Max F1 over the number of documents that are learned from."""
    panels, rows = [], []
    for name, trials in found.items():
        sizes = trials.sizes("curve")
        if not sizes or not trials.weights("learned"):
            continue
        ways = [trials.sized("curve", "learned", "cosine", size) for size in sizes]
        whole = trials.weights("learned")
        levels = {"learned, whole half": mean(whole), "TF-IDF, raw": mean(trials.weights("tf-idf"))}
        lines = {"learned": [mean(way) for way in ways],
                 "learned, F1 at its threshold": [mean(way, "f1") for way in ways]}
        panels.append(Panel(name, [size or "start" for size in sizes], lines, levels))
        for size, way in zip([*sizes, "the half"], [*ways, whole]):
            gap = Difference(way, trials.weights("tf-idf"), "max_f1").cell()
            printed = papers.ANDD_FIGURE_5.get(size) if size != "the half" else "0.956"
            rows.append([name, "none (start)" if size == 0 else size, share(mean(way)),
                         share(mean(way, "f1")), gap, printed if name.startswith("news") else None])
    if not panels:
        return ""
    header = ["", "documents", "Max F1", "F1", "minus TF-IDF of the whole half: Max F1",
              "*printed* Max F1"]
    return """### As in ANDD, Figure 5: the learning curve

Weights, document frequencies and threshold come from the stated number of documents of the training half: one
half of them in whole clusters, the other single documents. *Start* is the initial model, with the
frequencies and the threshold of the whole half; the paper starts at random. Cosine, k = 1.

""" + figure(folder, "curve", "Max F1 over documents learned from", "labelled documents", panels) + table(
        header, rows)
