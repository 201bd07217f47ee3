"""What the figures were measured on."""

import datetime
import os
import subprocess


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


def compiler():
    done = subprocess.run(["rustc", "--version"], capture_output=True, check=False)
    return " ".join(done.stdout.decode().split()[:2]) or "an unknown compiler"


def described(programs, quick):
    today = datetime.date.today()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    size = "**Small collections (`--quick`): the figures show that it runs, no more.** " if quick else ""
    return (
        f"{size}{today.day} {today:%B %Y}; {programs.version()} at {commit()}, {compiler()}; "
        f"{processor()}, {os.cpu_count()} cores, {memory()} of memory, a machine shared with other "
        f"work (load over 1, 5 and 15 minutes: {load}). Where a join is timed several times, "
        f"the fastest counts."
    )
