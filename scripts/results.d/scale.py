"""Joins of a collection like WT10g: the counterparts of SpotSigs' Table 2 and Figure 7."""

import math
import os

import papers
import plot
from tables import count, megabytes, milliseconds, seconds, share, table

NAMES = {
    "exact": "firsthand, exact",
    "algorithm-1": "SpotSigs' matcher, corrected",
    "no-part": "– with a single partition (NoPart)",
    "no-prune": "– and without pruning (NoPrune)",
    "lsh-s": "LSH-S, verified",
    "i-match-s": "I-Match-S",
}

COLLECTION = """## At scale: a collection like WT10g

`firsthand-bench generate --shape wt10g --seed 7`: {documents:,} web pages with {features:,} spot
signatures (distance 2, chain 3, multi-sets; 5 or more in {compared:,} of the pages), {distinct:,}
of them distinct, {single:,} of those in one page only; {middle:,} have an IDF from 0.4 to 0.75. The 10th,
50th, 90th and 99th percentiles are {p10}, {p50}, {p90} and {p99} signatures per page. The paper had 1,171,960
pages, 25,033,143 signatures and 86,579 distinct ones in that range of IDF. The collection contains {copy:,}
copies of other pages, {plain:,} of them unedited, in clusters of up to 500, {version:,} versions in drifting
chains, and {template:,} pages made from templates. Reading and signing all of it takes {sign} s
(*printed*: 157 s).

Every row joins the same sets; only the join is timed, on {threads} threads. *Printed* figures are those of
the paper for the real WT10g, in Java on two quad-core Xeon 3000 with 32 GB, 2008. Relative recall is the
share of the pairs of I-Match-S that are found, as in the paper. Recall is the share of all pairs at or
above the threshold; for an exact method it is 1 by definition, and was checked here row by row.
"""

CUT = """### As in SpotSigs, Table 2

As in the paper, only signatures with an IDF from 0.4 to 0.75 are kept, and pages with five of
those: {compared:,} pages, {features:,} signatures. The cut removes every signature that occurs in fewer than
{least:,} pages. Those are what makes exact joins fast, and what small clusters share.

"""

PARTS = """
SpotSigs' matcher is our corrected implementation: it uses integers, sorts lists by ascending length, and
looks only for longer pages. Scanning such a list stops at the first page that is too long, so partitions
have little left to save: a single one takes {no_part:.1f} times as long as many. (*Printed*: 11 times; there
lists descend, and pages that are too long are skipped one by one.) Without pruning it takes {no_prune:,.0f}
times as long (*printed*: 589 times), {estimate}.
"""

WHOLE = """### The same with all signatures

Without the cut, as firsthand does it.

"""

FIGURE = """### As in SpotSigs, Figure 7

Seconds and recall by threshold. LSH-S has the paper's k = 6 and l = 32 throughout; its
candidates are verified, so its precision is that of the exact method.

![Time and recall over the threshold]({figure})

"""


def section(programs, quick, figure):
    documents = 8_000 if quick else 1_171_960
    rounds = ["--rounds", "1" if quick else "4"]
    limit = 2 if quick else 60
    path = programs.generate("wt10g", documents)
    cut = ["--idf", "0.4,0.75"]
    rows = ["--rows", "i-match-s,exact,algorithm-1,lsh-s"]
    parts = ["--rows", "no-part,no-prune", "--thresholds", "0.9", "--limit", str(limit)]
    falling = "1,0.95,0.9,0.8,0.7,0.6,0.5,0.4"
    figures, whole = programs.join("whole", path, *rows, "--thresholds", falling + ",0.3,0.2", *rounds)
    _, whole_parts = programs.join("whole-parts", path, *parts)
    cut_figures, low = programs.join("cut", path, *cut, *rows, "--thresholds", falling, *rounds)
    _, cut_parts = programs.join("cut-parts", path, *cut, *parts)

    percentiles = dict(zip(("p10", "p50", "p90", "p99"), figures["percentiles"]))
    text = COLLECTION.format(
        **figures, **percentiles, **planted(path), sign=seconds(figures["sign_seconds"]))
    least = math.ceil(documents**0.25)
    text += "\n" + CUT.format(**cut_figures, least=least) + table_2(low + cut_parts, printed=True)
    text += parts_off(low, cut_parts, limit)
    text += "\n" + WHOLE + table_2(whole + whole_parts, printed=False)
    text += "\n" + FIGURE.format(figure=os.path.basename(figure)) + figure_7(whole, low)
    text += "\n" + verdict(whole, "With all signatures") + verdict(low, "With the paper's cut")
    plot.write(figure, whole, low)
    return text


def planted(path):
    """How many documents of each kind a collection has."""
    counts = {"copy": 0, "version": 0, "template": 0, "plain": 0}
    with open(path, "rb") as lines:
        for line in lines:
            # Behind the text; edits have kinds as well, but each comes first in its braces.
            tail = line[line.rindex(b',"kind":'):]
            kind = tail.split(b'"', 4)[3].decode()
            if kind in counts:
                counts[kind] += 1
            counts["plain"] += kind == "copy" and b'"edits":[]' in tail
    return counts


def parts_off(rows, parts, limit):
    base = over_threshold(rows, "algorithm-1")[0.9]["total_seconds"]
    no_part, no_prune = parts
    if no_prune["done"] < 1:
        estimate = f"estimated from the {no_prune['done']:.0%} of the pages that were probed within "
        estimate += f"{limit} s, drawn over all lengths"
    else:
        estimate = "measured in full"
    return PARTS.format(
        no_part=no_part["total_seconds"] / base,
        no_prune=no_prune["total_seconds"] / base,
        estimate=estimate,
    )


def table_2(rows, printed):
    """Rows at 1.0 and 0.9, I-Match-S first."""
    lines = []
    for row in rows:
        if row["threshold"] not in (None, 1.0, 0.9):
            continue
        name, threshold = row["row"], row["threshold"]
        estimated = "≈ " if row["done"] < 1 else ""
        line = [
            NAMES[name],
            None if threshold is None else f"{threshold:g}",
            *((6, 32) if name == "lsh-s" else (None, None)),
            megabytes(row["structures"]),
            megabytes(row["peak_memory"]),
            milliseconds(row["prepare_seconds"]),
            None if row["match_seconds"] is None else estimated + milliseconds(row["match_seconds"]),
            estimated + milliseconds(row["total_seconds"]),
            count(row["pairs"]) if row["done"] == 1 else None,
            share(row["recall_of_i_match"]) if name != "i-match-s" else share(1.0),
            share(row["recall"]) if name != "exact" else share(1.0),
        ]
        if printed:
            known = "spotsigs" if name in ("exact", "algorithm-1") else name
            theirs = papers.SPOTSIGS_TABLE_2.get((known, threshold))
            line += [f"{theirs[3]:,}", theirs[4]] if theirs else [None, None]
        else:
            line.pop(10)
        lines.append(line)
    header = ["", "τ", "k", "l", "MB lists", "MB peak", "sort/hash (ms)", "cluster (ms)", "total (ms)",
              "pairs", "rel. rec.", "recall"]
    if printed:
        header += ["*printed* total (ms)", "*printed* rel. rec."]
    else:
        header.pop(10)
    lines.sort(key=lambda line: (line[1] is not None, -float(line[1] or 0)))
    note = (
        "\nMB lists counts vectors and lists, as in the paper; MB peak is the resident memory of the "
        "whole process, including the signed collection. firsthand's own joins are a single pass, so "
        "their time is not split.\n"
    )
    return table(header, lines) + (note if printed else "")


def over_threshold(rows, name):
    return {row["threshold"]: row for row in rows if row["row"] == name}


def figure_7(whole, cut):
    lines = []
    series = [(rows, name) for rows in (whole, cut) for name in ("exact", "algorithm-1", "lsh-s")]
    for threshold in sorted(over_threshold(whole, "exact"), reverse=True):
        line = [f"{threshold:g}"]
        for rows, name in series:
            row = over_threshold(rows, name).get(threshold)
            line.append(row and seconds(row["total_seconds"]))
            if name == "lsh-s":
                line.append(row and share(row["recall"]))
        lines.append(line)
    header = ["τ"]
    for kind in ("all", "cut"):
        header += [f"{kind}: exact s", f"{kind}: SpotSigs' matcher s", f"{kind}: LSH-S s",
                   f"{kind}: LSH-S recall"]
    return table(header, lines)


def crossings(rows):
    """The thresholds at which the faster one of exact and LSH-S changes, the highest first."""
    exact, lsh = over_threshold(rows, "exact"), over_threshold(rows, "lsh-s")
    found, above = [], None
    for threshold in sorted(exact, reverse=True):
        lead = lsh[threshold]["total_seconds"] / exact[threshold]["total_seconds"]
        if above and (lead < 1) != (above[1] < 1):
            # The lead is taken to change evenly from one threshold to the next.
            before, ratio = above
            found.append(before + (threshold - before) * (ratio - 1) / (ratio - lead))
        above = threshold, lead
    return found


def verdict(rows, what):
    exact, lsh = over_threshold(rows, "exact")[0.9], over_threshold(rows, "lsh-s")[0.9]
    ratio = lsh["total_seconds"] / exact["total_seconds"]
    text = f"**{what}**, the exact join at 0.9 takes {seconds(exact['total_seconds'])} s and LSH-S "
    text += f"{seconds(lsh['total_seconds'])} s, {ratio:.1f} times as long (*printed*: 2.6 times). "
    at = crossings(rows)
    if not at:
        first = "exact join" if ratio > 1 else "one with bands"
        lowest = min(over_threshold(rows, "exact"))
        return text + f"The {first} is faster down to {lowest:g}, the lowest threshold measured.\n\n"
    where = f"at about {at[0]:.2f}"
    if len(at) > 1:
        where = f"between {at[0]:.2f} and {at[-1]:.2f}, where they are too close to call"
    near = min(over_threshold(rows, "lsh-s"), key=lambda threshold: abs(threshold - at[-1]))
    recall = over_threshold(rows, "lsh-s")[near]["recall"]
    text += f"The two cross {where} (*printed*: 0.78). LSH-S finds {recall:.0%} of the pairs at {near:g}.\n"
    return text + "\n"
