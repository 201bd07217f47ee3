"""What the figures were measured on."""

import datetime
import os
import subprocess
import sys


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "an unknown processor"


def memory():
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
    except (OSError, ValueError):
        return "unknown"


def commit():
    command = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode().strip() or "unknown"


def measured_commit():
    """What the programs were built at: given ones may be older than the tree, and then it is not known."""
    given = "--release" not in sys.argv
    return f"an unknown commit (programs given with --bin, tree at {commit()})" if given else commit()


def compiler():
    done = subprocess.run(["rustc", "--version"], capture_output=True, check=False)
    return " ".join(done.stdout.decode().split()[:2]) or "an unknown compiler"


def when():
    """The day, what was measured, and how busy the machine was."""
    today = datetime.date.today()
    load = f"load {os.getloadavg()[2]:.0f} on {os.cpu_count()} cores"
    return f"{today.day} {today:%B %Y} at {measured_commit()}, {load}"


def described(programs, args, load):
    today = datetime.date.today()
    load = ", ".join(f"{value:.1f}" for value in load)
    lines = [
        f"{today.day} {today:%B %Y}; {programs.version()} at {measured_commit()}, {compiler()}; {processor()}, "
        f"{os.cpu_count()} cores, {memory()} of memory; load over 1, 5 and 15 minutes at the start: "
        f"{load}. Where a join is timed several times, the fastest counts."
    ]
    if args.quick:
        lines.append("**Small collections (`--quick`): the figures only show that it runs.**")
    if not args.release:
        lines.append("The programs were built beforehand (`--bin`).")
    if programs.reused:
        lines.append("Reused from an earlier run (`--again`): " + ", ".join(programs.reused) + ".")
    return " ".join(lines)
