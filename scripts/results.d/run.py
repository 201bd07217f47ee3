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

INTRODUCTION = """# Results

Written by `scripts/results`. Our figures come from the runs that it describes; none was typed by hand.

{machine}

Figures from the papers appear beside ours where they help, always marked *printed*. They were
measured on other collections and other machines: they show orders of magnitude and which method is
ahead, and are not a race.
"""


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/results", allow_abbrev=False)
    parser.add_argument("--from", dest="start", default=".", help=argparse.SUPPRESS)
    parser.add_argument("--release", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", choices=["learned"])
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
    if args.only:
        part = learned.section(programs, args.data, args.quick, folder)
        write(out, replaced(out, part))
        return
    load = os.getloadavg()
    parts = [
        evaluation.section(programs, args.data, args.quick),
        online.section(programs, args.data, args.quick),
        learned.section(programs, args.data, args.quick, folder),
        shaped(programs, args.quick),
        scale.section(programs, args.quick, figure),
    ]
    described = machine.described(programs, args, load)
    parts.insert(0, INTRODUCTION.format(machine=described))
    write(out, "\n".join(part.strip() + "\n" for part in parts if part))


def replaced(out, part):
    """The page as it is, with one section new; the section alone if there is no page."""
    if not os.path.exists(out):
        return part
    with open(out, encoding="utf-8") as file:
        sections = ("\n" + file.read()).split("\n## ")
    heading = learned.HEADING.removeprefix("## ")
    kept = [section for section in sections if not section.startswith(heading)]
    following = [at for at, section in enumerate(kept) if section.startswith("Generated")]
    kept.insert(following[0] if following else len(kept), part.strip().removeprefix("## ") + "\n")
    return "\n## ".join(kept).removeprefix("\n")


def write(out, text):
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(out + ".new", out)
    print(f"results: written to {out}", file=sys.stderr)


main()
