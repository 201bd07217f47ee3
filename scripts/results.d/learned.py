"""Learned weights, in the manner of the tables and figures of the ANDD paper."""

import os

import learned_figures
import learned_tables
from trials import Trials

HEADING = "## Learned weights"

# A reading: the collection, what is read of it, and how.
READINGS = {
    "news_pages": ("news_pages", "main text of pages, furniture set aside", []),
    "news_pages, all text": (
        "news_pages", "all visible text of pages, furniture included, as in the paper",
        ["--extract", "text", "--template", "false"]),
    "mail": ("mail", "whole messages, with quotes and signatures marked",
             ["--profile", "mail", "--mail", "marked"]),
    "mail, new text": (
        "mail", "the new text of messages (`--mail true`), without quotes and signatures",
        ["--profile", "mail", "--mail", "cut"]),
}
SMALL = ["--runs", "2", "--draws", "100", "--words", "1", "--bits", "64,384", "--hashes", "8,80",
         "--terms", "5,20", "--documents", "0,20,60"]
# What is measured in one go, so that an interrupted run can be taken up again.
WEIGHTS = {"fixed": "binary,tf-idf", "learned": "learned"}
MEASURES = ["cosine", "jaccard", "extended-jaccard"]


def pieces(name, quick):
    """The pieces of a reading: names and flags. Of the second readings only what the tables need."""
    found = {"methods": ["--parts", "methods"]}
    if ", " in name:
        measures, parts = MEASURES[:2], ["weights,signatures", "--bits", "384", "--hashes", "80"]
    else:
        measures, parts = MEASURES, ["weights,signatures,terms"]
    for measure in measures[:2] if quick else measures:
        for weights, names in WEIGHTS.items():
            flags = ["--weights", names, "--measures", measure, "--parts", *parts]
            found[f"{weights}-{measure}"] = flags
    if ", " not in name:
        found["curve"] = ["--parts", "curve"]
    return {piece: [*flags, *(SMALL if quick else [])] for piece, flags in found.items()}


TEXT = HEADING + """

The experiments of ANDD (Hajishirzi, Yih, Kołcz 2010), by `firsthand-bench andd`. Clusters are split in
half at random; weights are learned and thresholds chosen on one half, and all pairs of the other half are
judged. Figures are means over {runs} such runs. *Max F1* is the best over all thresholds on the test half,
as in the paper, and so optimistic; *F1* is at the threshold of the training half; *R at P .99* is the
highest recall on the test half with a precision of .99 or more.

**Labels come from a search for overlapping words, so shingles are favoured**, and a heavy paraphrase
counts as an error if it is found. The constants of the training were chosen on these same
collections. All methods in a table read the same text: what is set aside for one is set aside for all.

**Differences** have a 95 % interval by bootstrap over the clusters ({draws} draws of the clusters and single
documents; both sides on the same draws, mean over the runs; models are not learned again) and the p of
Student's paired test over the runs. Halves of different runs overlap and {runs} runs are few, so p is
given only because the paper has it; here a difference is called significant, and is bold, if the
interval excludes 0.

*Printed* figures are those of the paper, on its own collections: 2,160 news pages in 68 clusters, and mail
of a web mail service that is not available. They are those that are legible in our copy.

{readings}
{measured}
"""

ABSENT = HEADING + """

The labelled collections were not available for this run: name their folder with `--data DIR` or
`FIRSTHAND_DATA`.
"""


def section(programs, data, quick, folder):
    found = {}
    for name, (collection, _, flags) in READINGS.items():
        documents = data and os.path.join(data, collection, "docs.jsonl.zst")
        if documents and os.path.exists(documents) and not (quick and name != "news_pages"):
            pairs = os.path.join(data, collection, "pairs.tsv")
            found[name] = measured(programs, name, documents, ["--pairs", pairs, *flags], quick)
    if not found and quick:
        found["mixed"] = measured(programs, "mixed", programs.generate("mixed", 400), [], quick)
    if not found:
        return ABSENT
    if "mail" in found:
        found["mail"].other = found.get("mail, new text")
    first = next(iter(found.values()))
    learned = first.weights("learned")
    readings = "".join(described(name, trials) for name, trials in found.items())
    times = sorted(set().union(*(trials.times for trials in found.values())))
    parts = [TEXT.format(runs=len(learned.runs), draws=f"{len(learned.drawn['f1']):,}",
                         readings=readings, measured=f"Measured {'; '.join(times)}. Seconds are wall-clock time: "
                                  "if the load exceeds the number of cores, they are too long by that ratio.")]
    parts += [unfinished(found), learned_tables.targets(found)]
    parts += [learned_tables.weights(name, trials) for name, trials in found.items()]
    parts += [learned_tables.signatures(name, trials) for name, trials in found.items()]
    parts += learned_figures.all_of(found, folder)
    return "\n".join(part.strip() + "\n" for part in parts if part)


def measured(programs, name, documents, flags, quick):
    rows = []
    for piece, flags_of_piece in pieces(name, quick).items():
        label = f"{name}, {piece}".replace(", ", "-").replace(" ", "-")
        rows.append(programs.andd(label, documents, *flags, *flags_of_piece))
    return Trials(rows)


def unfinished(found):
    """Readings whose learned weights are not there, as after a run that was ended."""
    names = [name for name, trials in found.items()
             if not (trials.weights("learned") and trials.weights("learned", "jaccard"))]
    if not names:
        return ""
    return (f"**Not finished**: learned weights on {'; '.join(names)}. "
            "`scripts/results --only learned --again` measures what is missing.")


def described(name, trials):
    what = READINGS[name][1] if name in READINGS else "generated documents"
    held = trials.collection
    return (f"- *{name}*: {what}; {held['counted']:,} labelled documents, {held['clusters']:,} clusters, "
            f"{held['positives']:,} positive pairs.\n")
