"""Tables 2 to 5 of ANDD: weights, and signatures against the methods of other papers."""

import papers
from paired import FIGURES, Difference
from tables import seconds, share, table

MEASURES = {"cosine": "cosine", "extended-jaccard": "extended Jaccard", "jaccard": "Jaccard (min/max)"}
WEIGHTS = ("binary", "tf-idf", "learned")
METHODS = {
    "spotsigs": "SpotSigs",
    "shingles": "shingles of 3 words",
    "shingles-1": "shingles of 1 word",
    "shingles-sketch": "– 84 min-hashes of 3 words",
    "super-shingles": "– 6 super-shingles of 3 words",
    "i-match": "I-Match",
    "simhash": "simhash, 384 bits",
    "cosine": "TF-IDF of the collection, cosine",
}


def domain(name):
    return "mail" if name.startswith("mail") else "news"


def weights(name, trials):
    """Table 2 (news) or 4 (mail), and what is better than what."""
    rows, differences = [], []
    for words in (1, 3):
        for measure, title in MEASURES.items():
            ways = {weight: trials.weights(weight, measure, words) for weight in WEIGHTS}
            if not any(ways.values()):
                continue
            row, learned = [words, title], ways["learned"]
            for figure in FIGURES:
                values = [share(way.mean(figure)) if way else None for way in ways.values()]
                best = max(value for value in values if value)
                row += [f"**{value}**" if value == best else value for value in values]
            printed = papers.ANDD[("news", "raw")][2]
            is_printed = domain(name) == "news" and words == 1 and measure == "cosine"
            taken = seconds(learned.mean("seconds")) if learned else None
            rows.append([*row, taken, printed if is_printed else None])
            for weight in WEIGHTS[:2]:
                if learned and ways[weight]:
                    cells = [Difference(learned, ways[weight], figure).cell() for figure in FIGURES]
                    differences.append([words, title, weight, *cells])
    if not rows:
        return ""
    number = 4 if domain(name) == "mail" else 2
    text = f"### As in ANDD, Table {number}: {name}\n\n"
    header = ["k", "measure"]
    for figure in ("Max F1", "F1", "R at P .99"):
        header += [f"{figure}: binary", "TF-IDF", "learned"]
    text += table([*header, "seconds to learn", "*printed* Max F1, learned"], rows)
    if not differences:
        return text + "\nMeasuring the learned weights of this reading did not finish.\n"
    text += "\nLearned weights minus other weights:\n\n"
    return text + table(["k", "measure", "minus", "Max F1", "F1", "R at P .99"], differences)


def signatures(name, trials):
    """Table 3 (news) or 5 (mail): signatures and other methods, and learned weights minus each."""
    usual = trials.weights("learned", "jaccard", 3) or trials.weights("learned", "jaccard")
    ways = [("learned, cosine, raw", None, trials.weights("learned"), "raw")]
    for words in (1, 3):
        of = "" if words == 1 else f", k = {words}"
        ways += [
            (f"learned, 384 bits{of}", 48, trials.sized("bits", "learned", "cosine", 384, words),
             "bits" if words == 1 else None),
            (f"learned, 80 min-hashes{of}", 320,
             trials.sized("hashes", "learned", "jaccard", 80, words),
             "hashes" if words == 1 else None),
        ]
    ways.insert(1, ("learned, cosine, raw, k = 3", None, trials.weights("learned", "cosine", 3), None))
    for words, title in ((3, "learned, Jaccard, raw, k = 3"), (1, "learned, Jaccard, raw")):
        ways.insert(2, (title, None, trials.weights("learned", "jaccard", words), None))
    sizes = {"shingles-sketch": 336, "super-shingles": 48, "i-match": 8, "simhash": 48}
    ways += [(title, sizes.get(method), trials.method(method), None)
             for method, title in METHODS.items()]
    rows = []
    for title, size, way, printed in ways:
        if not way:
            continue
        figures = [share(way.mean(f)) for f in ("max_precision", "max_recall", *FIGURES)]
        cells = papers.ANDD.get((domain(name), printed), (None, None, None))
        minus = [None, None]
        if usual and way is not usual:
            minus = [Difference(usual, way, figure).cell() for figure in ("f1", "recall_at_99")]
        rows.append([title, size, *figures, *minus, *cells])
    number = 5 if domain(name) == "mail" else 3
    header = ["", "bytes", "precision", "recall", "Max F1", "F1", "R at P .99",
              "Jaccard, raw, k = 3, minus this: F1", "R at P .99",
              *(f"*printed* {figure}" for figure in ("precision", "recall", "Max F1"))]
    return f"""### As in ANDD, Table {number}: {name}

Precision and recall are those of Max F1. k = 1 unless stated otherwise. Bytes are the size of a signature as
firsthand would store it (the paper uses 20 bits for a min-hash). The differences are from the default of
`firsthand learn`: Jaccard, k = 3, raw.

""" + table(header, rows)


LEAST = {"mail": 0.965, "news_pages": 0.98}


def targets(found):
    """What was to be reached, and what was."""
    parts = [target(name, found[name], least) for name, least in LEAST.items() if name in found]
    parts = [part for part in parts if part]
    if not parts:
        return ""
    return """### Targets

✓ is met, ✗ is not; a difference from other weights is met if it is significantly above 0. The column for
384 bits is F1 minus that of the raw cosine. `firsthand learn` uses k = 3 and Jaccard by default.

""" + "\n".join(parts)


def target(name, trials, least):
    shingles = trials.method("shingles")
    rows = []
    for words in (1, 3):
        for measure, title in MEASURES.items():
            ways = [trials.weights(weight, measure, words) for weight in reversed(WEIGHTS)]
            if not all(ways):
                continue
            learned, *others = ways
            value = learned.mean("f1")
            row = [words, title, marked(share(value, 4), value >= least)]
            for other in others:
                gap = Difference(learned, other, "f1")
                row.append(marked(gap.cell(), gap.mean > 0 and gap.is_sure()))
            gap = shingles and Difference(learned, shingles, "recall_at_99")
            row.append(gap and (marked(gap.cell(), gap.mean >= 0.1) if name == "mail" else gap.cell()))
            short = trials.sized("bits", "learned", measure, 384, words)
            gap = short and Difference(short, learned, "f1")
            rows.append([*row, gap and marked(gap.cell(), gap.mean >= -0.015)])
    if not rows:
        return ""
    wanted = " (≥ 0.10)" if name == "mail" else ""
    header = ["k", "measure", f"F1 (≥ {least:g})", "F1 minus TF-IDF", "F1 minus binary",
              f"R at P .99 minus shingles of 3 words{wanted}", "384 bits (≥ −0.015)"]
    text = f"#### {name}\n\n" + table(header, rows)
    if shingles and name == "mail":
        text += f"\nShingles of 3 words have a recall of {share(shingles.mean('recall_at_99'))} at precision .99"
        again = trials.other and trials.other.method("shingles")
        if again:
            text += f", and of {share(again.mean('recall_at_99'))} on the new text of messages"
        text += ".\n"
    return text


def marked(text, reached):
    return f"{text} {'✓' if reached else '✗'}"
