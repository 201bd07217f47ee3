"""Every method on the labelled collections, in the manner of the papers' tables."""

import os
import tomllib

import papers
from tables import count, interval, megabytes, milliseconds, share, table

COLLECTIONS = ["news_pages", "news_text", "mail", "usenet", "help_pages", "doc_sites"]
ABOUT = {
    "news_pages": "news articles placed in pages of real news sites",
    "news_text": "the same kind of articles as plain text",
    "mail": "e-mail from 2002, including spam campaigns",
    "usenet": "newsgroup posts from 1993, with cross-posts and reposts",
    "help_pages": "one manual in two spellings of English",
    "doc_sites": "the documentation of 27 sites, as it is on the web",
}
THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9]

RULE = """## Labelled collections

**The label rule and its bias.** Two documents count as near-duplicates if they are in one labelled
cluster. Labels of news, mail and usenet come from an exhaustive search for overlapping words with
alignment (65 % of the longer document aligned, or 85 % of the shorter and 50 % of the longer),
followed by checks by eye. A heavy paraphrase is therefore never a positive, and methods that look at
word order, shingles above all, are somewhat favoured. Pairs graded *gray*, *contained* or *template*
count neither way. Pairs of help_pages are exact by construction, but many more of its pages are
similar without being labelled so. The thresholds and features of the profiles were chosen on these
collections: expect slightly lower figures elsewhere.

Methods follow their papers, so page furniture is not set aside, but they work on the text that
firsthand reads: the main text of pages, and the new text of mail and usenet (`--mail true`), without
quotes and signatures. The rows `profile:NAME` are firsthand as it is used. F1 at a method's own
threshold is what a user gets by default. Max F1 is the best over all thresholds, chosen with the
labels in hand, and so optimistic. F1 held out is at a threshold that was chosen on one half of the
clusters and tried on the other, five times. Intervals are 95 %, by bootstrap over clusters.
"""

ABSENT = """## Labelled collections

The labelled collections were not available for this run: name their folder with `--data DIR` or
`FIRSTHAND_DATA`. Only the generated collections below were measured.
"""


def section(programs, data, quick):
    reports = {}
    for name in COLLECTIONS:
        documents = data and os.path.join(data, name, "docs.jsonl.zst")
        if documents and os.path.exists(documents):
            if quick and name != "news_text":
                continue
            flags = ["--mail", "true"] if name in ("mail", "usenet") else []
            reports[name] = programs.evaluate(name, documents, *flags)
    if not reports:
        return ABSENT
    parts = [RULE, overview(reports), table_1()]
    parts += [collection(name, report) for name, report in reports.items()]
    basis = "news_text" if "news_text" in reports else next(iter(reports))
    parts += [figure_5(basis, reports[basis]), table_4(reports)]
    return "\n".join(parts)


def overview(reports):
    """F1 held out of every method on every collection."""
    names = [method["name"] for method in next(iter(reports.values()))["methods"]]
    rows = []
    for name in names:
        cells = []
        for report in reports.values():
            found = [m for m in report["methods"] if m["name"] == name]
            cells.append(share(found[0]["held_out"]["f1"]["value"]) if found else None)
        rows.append([f"`{name}`", *cells])
    best = [max((row[at] or "" for row in rows), default="") for at in range(1, len(reports) + 1)]
    for row in rows:
        for at, value in enumerate(best, 1):
            if row[at] == value:
                row[at] = f"**{value}**"
    return "### F1 held out, all collections\n\n" + table(["method", *reports], rows)


TABLE_1 = ["", "IDF", "τ", "k", "l", "#signatures", "MB", "sign (ms)", "match (ms)", "total (ms)",
           "Prec.", "Rec.", "F1"]


def table_1():
    """SpotSigs' Table 1 as printed."""
    header = ["*printed*", *TABLE_1[1:7], "sort/hash (ms)", "cluster (ms)", *TABLE_1[9:]]
    return """### As in SpotSigs, Table 1

*Printed*, on the SpotSigs Gold Set (2,160 news pages, 68 clusters), without the 17 s of parsing and
extraction. Our figures follow, one table per collection. #signatures counts all signatures of all
distinct texts (the paper counts distinct ones), MB is the peak memory of a whole `dedup` run, and times
are wall-clock time with all threads at work.

""" + table(header, papers.SPOTSIGS_TABLE_1)


def collection(name, report):
    """A table in the manner of SpotSigs' Table 1, and what it does not have."""
    labels = report["labels"]
    about = ABOUT.get(name, name)
    text = f"#### {name}\n\n{about[0].upper()}{about[1:]}: {labels['documents']:,} documents, "
    text += f"{labels['counted']:,} of them counted, {labels['clusters']:,} clusters, "
    text += f"{labels['positive_pairs']:,} positive pairs.\n\n"
    cost, quality = [], []
    for method in report["methods"]:
        settings = Settings(method["config"])
        spent = method["cost"]
        direct = method["direct"]
        cost.append([
            f"`{method['name']}`",
            settings.idf,
            share(method["threshold"], 2),
            settings.k,
            settings.l,
            count(spent["signatures"]),
            megabytes(spent["peak_memory"]),
            milliseconds(spent["sign_seconds"]),
            milliseconds(spent["match_seconds"]),
            milliseconds(spent["sign_seconds"] + spent["match_seconds"]),
            share(direct["precision"]["value"]),
            share(direct["recall"]["value"]),
            share(direct["f1"]["value"]),
        ])
        clusters = method["clusters"] or {}
        best = method["best"]
        quality.append([
            f"`{method['name']}`",
            interval(direct["precision"]),
            interval(direct["recall"]),
            interval(direct["f1"]),
            interval(best["value"]),
            share(best["threshold"], 2),
            share(method["recall_at_99"]["value"]["value"]),
            share(method["held_out"]["f1"]["value"]),
            share(method["closure"]["f1"]["value"]),
            share(clusters.get("b_cubed_f1")),
            share(clusters.get("ari")),
        ])
    text += table(TABLE_1, cost)
    text += "\n" + table(
        ["", "precision", "recall", "F1", "Max F1", "at τ", "R at P .99", "F1 held out",
         "F1 closure", "B³ F1", "ARI"],
        quality,
    )
    return text


class Settings:
    """The columns of Table 1 that are settings."""

    def __init__(self, config):
        config = tomllib.loads(config)
        matcher = config.get("matcher", {})
        if isinstance(matcher, str):
            matcher = {"kind": matcher}
        idf = config.get("frequency", {}).get("idf")
        self.idf = f"[{idf[0]:g}, {idf[1]:g}]" if idf else None
        self.k, self.l = matcher.get("rows"), matcher.get("bands")


def at(method, threshold):
    """Precision and recall of a method at a threshold, from its curve."""
    points = [point for point in method["curve"] if point["threshold"] >= threshold - 1e-9]
    return points[0] if points else None


def figure_5(name, report):
    """DDD's Figure 5 on one of our collections, with the printed figures beside it."""
    by_name = {method["name"]: method for method in report["methods"]}
    positive = report["labels"]["positive_pairs"]
    rows = []
    for threshold in THRESHOLDS:
        for ours, theirs in [("ddd", "DDD"), ("spotsigs", "SpotSigs"), ("lsh-s", "LSH"),
                             ("i-match", "I-Match")]:
            method = by_name.get(ours)
            printed = papers.DDD_FIGURE_5[threshold][theirs]
            point = method and at(method, threshold)
            if point:
                right = round(point["recall"] * positive)
                stated = round(right / point["precision"]) if point["precision"] else 0
                cells = [stated, right, *(share(point[key]) for key in ("recall", "precision", "f1"))]
            else:
                cells = [0, 0, share(0.0), None, share(0.0)]
            rows.append([f"{threshold:g}", f"`{ours}`", *cells, *printed])
    text = f"""### As in DDD, Figure 5

T is the number of pairs found, T∩C the number of correct ones among them. Our figures are for {name}
({positive:,} positive pairs); *printed*: 744 news items of one day, 111 matches. I-Match has no
threshold. Our figures are read off the curve of the evaluation, which has a few hundred points.

"""
    header = ["threshold", "method", "T", "T∩C", "recall", "precision", "F1"]
    header += [f"*printed* {name}" for name in ("T", "T∩C", "recall", "precision", "F1")]
    return text + table(header, rows)


def table_4(reports):
    """NRC's Table 4, with our best rows on news below it."""
    rows = [[name, "SpotSigs Gold Set", *figures, "*printed*"]
            for name, *figures in papers.NRC_TABLE_4]
    for name in ("news_pages", "news_text"):
        if name not in reports:
            continue
        methods = sorted(
            reports[name]["methods"], key=lambda m: -m["held_out"]["f1"]["value"])[:3]
        wanted = [m for m in reports[name]["methods"] if m["name"] in ("spotsigs", "profile:archive")]
        for method in methods + [m for m in wanted if m not in methods]:
            direct = method["direct"]
            rows.append([f"firsthand `{method['name']}`", name, interval(direct["precision"]),
                         interval(direct["recall"]), interval(direct["f1"]), "ours"])
    return """### As in NRC, Table 4

Whole systems on news. Our rows are not on the Gold Set of the papers; if you have it, give its folder
to `firsthand eval` for a row that can be compared directly. Our rows are the three methods with the
highest F1 held out on each collection, and SpotSigs, at their own thresholds.

""" + table(["system", "collection", "precision", "recall", "F1", ""], rows)
