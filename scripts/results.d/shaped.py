"""Every method on generated collections, whose labels are true by construction."""

from tables import interval, share, table

SHAPES = {
    "web": "HTML pages with the furniture of their sites; originals, and edited copies on other sites",
    "chains": "stories that drift: each version edits the one before, and all are labelled near-duplicates",
    "templates": "pages with the same sentences and different values, which are *not* near-duplicates",
    "mixed": "all of these, half of the sites as HTML and half as text",
}

TEXT = """## Generated collections

`firsthand-bench generate --shape SHAPE`: {documents:,} documents each, seed 7. The words are made up, the
stop words English and at natural rates; every copy records its edits. Labels are true by
construction, without the bias of a search, but the edits are simpler than those that people make. Chains
are hard for any threshold, because their ends have little in common. Templates are hard for any method
that looks at sentences, because whole pages with different values are false pairs there.

{shapes}
F1 at the method's own threshold with its 95 % interval, and Max F1 over thresholds.

"""


def shaped(programs, quick):
    documents = 400 if quick else 5_000
    flags = ["--no-memory"]
    if quick:
        flags += ["--draws", "50", "--methods", "spotsigs,shingles,lsh-s,i-match-s,profile:archive"]
    reports = {}
    for shape in list(SHAPES)[-1:] if quick else SHAPES:
        reports[shape] = programs.evaluate(shape, programs.generate(shape, documents), *flags)
    names = [method["name"] for method in next(iter(reports.values()))["methods"]]
    rows = []
    for name in names:
        row = [f"`{name}`"]
        for report in reports.values():
            found = [method for method in report["methods"] if method["name"] == name]
            row += [interval(found[0]["direct"]["f1"]), share(found[0]["best"]["value"]["value"])]
        rows.append(row)
    header = ["method"]
    for shape in reports:
        header += [shape, "max"]
    shapes = "".join(f"- *{shape}*: {SHAPES[shape]}\n" for shape in reports)
    return TEXT.format(documents=documents, shapes=shapes) + table(header, rows)
