"""Runs everything and writes the page: see scripts/results --help."""

import argparse
import os
import sys

import evaluation
import learned
import machine
import online
import scale
from programs import Programs
from shaped import shaped

# Where the labelled collections lie if nobody says where.
BESIDE = os.path.join("..", "shared", "data")

# The sections of the page in their order, with the words that their headings begin with.
SECTIONS = {
    "labelled": "Labelled collections",
    "stream": "Verdicts on a stream",
    "learned": "Learned weights",
    "generated": "Generated collections",
    "scale": "At scale",
}

INTRODUCTION = """# Results

Written by `scripts/results`. Our figures come from the runs that it describes; none was typed by hand. Every
section says what it was measured on: `--only` measures one of them anew.

Figures from the papers appear beside ours where they help, always marked *printed*. They were
measured on other collections and other machines: they show orders of magnitude and which method is
ahead, and are not a race.
"""


def chosen(names):
    names = names.split(",")
    strange = [name for name in names if name not in SECTIONS]
    if strange:
        raise argparse.ArgumentTypeError(f"there is no section {strange[0]!r}; there are {', '.join(SECTIONS)}")
    return names


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/results", allow_abbrev=False)
    parser.add_argument("--from", dest="start", default=".", help=argparse.SUPPRESS)
    parser.add_argument("--release", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", type=chosen, default=list(SECTIONS))
    parser.add_argument("--bin", required=True)
    parser.add_argument("--out")
    args = parser.parse_args()
    args.data = args.data or os.environ.get("FIRSTHAND_DATA")
    # What was typed is meant from where it was typed; the script works in the repository.
    for name in ("data", "bin", "out"):
        value = getattr(args, name)
        if value and not os.path.isabs(value):
            # The release programs are named by the script itself.
            if not (name == "bin" and args.release):
                setattr(args, name, os.path.join(args.start, value))
    if not args.data and not args.quick and os.path.isdir(BESIDE):
        args.data = BESIDE
    if args.data and not os.path.isdir(args.data):
        sys.exit(f"results: {args.data} is not a folder; --data names the one with the collections")
    return args


def main():
    args = arguments()
    name = "quick" if args.quick else "full"
    programs = Programs(args.bin, os.path.join(".cache", "results", name), args.again)
    out = args.out or (".cache/results/quick.md" if args.quick else "docs/results.md")
    figure = os.path.join(os.path.dirname(out) or ".", "figure7.svg")
    folder = os.path.dirname(out) or "."
    make = {
        "labelled": lambda: evaluation.section(programs, args.data, args.quick),
        "stream": lambda: online.section(programs, args.data, args.quick),
        "learned": lambda: learned.section(programs, args.data, args.quick, folder),
        "generated": lambda: shaped(programs, args.quick),
        "scale": lambda: scale.section(programs, args.quick, figure),
    }
    for name in args.only:
        load, programs.reused = os.getloadavg(), []
        part = make[name]()
        if part:
            write(out, with_section(out, name, dated(part, machine.described(programs, args, load))))


def dated(part, described):
    """A section that says below its heading what it was measured on."""
    heading, rest = part.strip().split("\n", 1)
    return f"{heading}\n\nMeasured {described}\n{rest}"


def with_section(out, name, part):
    """The page, with one section new and all in their order."""
    text = ""
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            text = file.read()
    sections = {}
    for section in ("\n" + text).split("\n## ")[1:]:
        known = [key for key, heading in SECTIONS.items() if section.startswith(heading)]
        sections.update({key: "## " + section.strip() + "\n" for key in known})
    sections[name] = part.strip() + "\n"
    return "\n".join([INTRODUCTION, *(sections[key] for key in SECTIONS if key in sections)])


def write(out, text):
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(out + ".new", out)
    print(f"results: written to {out}", file=sys.stderr)


main()
