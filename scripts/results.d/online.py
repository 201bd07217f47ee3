"""Verdicts on a stream, in the manner of NRC's Table 3."""

import os

import papers
from tables import count, share, table

COLLECTIONS = ["news_pages", "news_text"]
METHODS = "profile:alert,profile:feed,profile:archive,nrc"

RULE = """## Verdicts on a stream

`firsthand eval --online`: the documents arrive one by one, in 20 random orders with the original of
each cluster first, and every verdict is scored as it is given (NRC, section 3.2: a duplicate counts as
found if it is linked to any earlier document of its cluster, as a duplicate or as an update). In the
*strict* score a wrong link is also a miss. Each figure is the mean over the orders; the first interval
is that of the mean, the second is by bootstrap over clusters. The labels are few, so the second tells
what to expect on other documents. *Lost* are originals that were called copies. Links between pairs
that are graded neither way do not count.
"""


def section(programs, data, quick):
    parts = []
    for name in COLLECTIONS:
        documents = data and os.path.join(data, name, "docs.jsonl.zst")
        if not documents or not os.path.exists(documents) or (quick and name != "news_text"):
            continue
        flags = ["--methods", METHODS, *([] if quick else ["--grid"])]
        report = programs.evaluate_online(name, documents, *flags)
        parts += [figures(name, report), guard(report)]
        if report["grid"]:
            parts.append(grid(name, report["grid"]))
    return "\n".join([RULE, *parts]) if parts else ""


def spread(found):
    clusters = found["over_clusters"]
    mean = f"{found['mean']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
    return f"{mean} [{clusters['low']:.3f}, {clusters['high']:.3f}]"


def figures(name, report):
    rows = []
    for method in report["methods"]:
        random = method["random"]
        rows.append([
            f"`{method['name']}`",
            share(method["threshold"], 2),
            spread(random["precision"]),
            spread(random["recall"]),
            spread(random["f1"]),
            share(random["strict_recall"]["mean"]),
            share(random["strict_f1"]["mean"]),
            f"{random['suppressed_of_10_000']['mean']:.1f}",
            f"{random['counts']['updates'] / report['orders']:.1f}",
        ])
    header = ["", "τ", "precision", "recall", "F1", "strict recall", "strict F1",
              "lost of 10,000", "found as updates"]
    return f"### {name}, {report['orders']} orders\n\n" + table(header, rows)


def guard(report):
    """The number guard on real texts with one figure changed, and with other furniture."""
    rows = []
    for method in report["methods"]:
        found = method["guard"]
        if found:
            rows.append([f"`{method['name']}`", count(found["changed"]), count(found["caught"]),
                         share(found["recall"]), count(found["furniture"]),
                         count(found["false_updates"]), share(found["false_rate"])])
    if not rows:
        return ""
    return "The number guard, through the whole detector:\n\n" + table(
        ["", "one figure changed", "called updates", "recall", "only furniture changed",
         "called updates", "rate"], rows)


def grid(name, rows):
    """Precision, recall and F1 of nrc over its parameters; the best of each in bold."""
    best = {key: max(row[key]["mean"] for row in rows) for key in ("precision", "recall", "f1")}
    lines = []
    for row in rows:
        cells = [row["n"], f"{row['f']:g}", f"{row['r']:g}"]
        for key, value in best.items():
            shown = share(row[key]["mean"])
            cells.append(f"**{shown}**" if row[key]["mean"] == value else shown)
        printed = papers.NRC_TABLE_3.get((row["n"], row["f"], row["r"]), (None, None, None))
        lines.append(cells + list(printed))
    header = ["n", "f", "r", "precision", "recall", "F1", "*printed* precision", "*printed* recall",
              "*printed* F1"]
    return f"### As in NRC, Table 3: `nrc` on {name}\n\n" + table(header, lines)
