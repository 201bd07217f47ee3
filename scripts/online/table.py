"""The rows of scripts/bench-online as a table, and their cost against the size of the store as an SVG."""

import json
import math
import os
import sys

WIDTH, HEIGHT, LEFT, TOP = 560, 280, 70, 40
SERIES = [
    ("embedded", "a folder, profile feed", "#0b6e99"),
    ("postgres", "PostgreSQL, profile feed", "#c2410c"),
    ("ddd", "a folder, method ddd, a window of a day", "#6b7280"),
]


def rows(folder, name):
    path = os.path.join(folder, name + ".jsonl")
    if not os.path.exists(path):
        return []
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def table(folder):
    sync = rows(folder, "sync")
    if sync:
        print(f"A confirmed write of 3 kB: {sync[0]['p50_ms']:.2f} ms, p99 {sync[0]['p99_ms']:.2f} ms\n")
    for name, title, _ in SERIES:
        found = rows(folder, name)
        if not found:
            continue
        print(f"{title}\n")
        print(
            "| documents | docs/s in rounds | ms each | look-up ms | single p50 ms | p99 ms | max ms "
            "| written B/doc | resident MB | peak MB |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|")
        for row in found:
            print(
                f"| {row['documents']:,} | {row['per_second']:,.0f} | {row['mean_ms']:.3f} "
                f"| {row['check_mean_ms']:.3f} | {row['single_p50_ms']:.2f} | {row['single_p99_ms']:.2f} "
                f"| {row['single_max_ms']:.2f} | {row['written_per_document']:,.0f} "
                f"| {row['resident_mb']:.0f} | {row['peak_mb']:.0f} |"
            )
        print()


def growth(found):
    """By how much the cost of a document has grown from the first row to the last, and the logarithm."""
    first, last = found[0], found[-1]
    logarithm = math.log(last["documents"]) / math.log(first["documents"])
    return last["mean_ms"] / first["mean_ms"], logarithm


def draw(folder, path):
    drawn = [(name, title, colour, rows(folder, name)) for name, title, colour in SERIES]
    # ddd looks at all of its window, and grows with that.
    drawn = [series for series in drawn if series[3] and series[0] != "ddd"]
    if not drawn:
        return
    points = [row for series in drawn for row in series[3]]
    low = math.floor(math.log10(min(row["documents"] for row in points)))
    high = math.log10(max(row["documents"] for row in points))
    top = max(row["mean_ms"] for row in points) * 1.15

    def x(documents):
        return LEFT + WIDTH * (math.log10(documents) - low) / (high - low)

    def y(ms):
        return TOP + HEIGHT * (1 - ms / top)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 30} '
        f'{TOP + HEIGHT + 60 + 20 * len(drawn)}" font-family="sans-serif" font-size="12">',
        "<title>Cost of a document against the size of the store</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="{TOP - 16}" font-weight="bold">milliseconds for a document, durable, '
        "in rounds</text>",
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
        f'<text x="{LEFT + WIDTH}" y="{TOP + HEIGHT + 38}" text-anchor="end">documents in the store</text>',
    ]
    for power in range(low, math.floor(high) + 1):
        out.append(
            f'<text x="{x(10**power):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{10**power:,}</text>'
        )
    step = 10 ** math.floor(math.log10(top))
    while top / step < 4:
        step /= 2
    for at in range(int(top / step) + 1):
        level = y(at * step)
        out.append(f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">{at * step:g}</text>')
        out.append(f'<path d="M{LEFT} {level:.1f}h{WIDTH}" stroke="#ddd"/>')
    for place, (_, title, colour, found) in enumerate(drawn):
        line = " ".join(f"{x(row['documents']):.1f},{y(row['mean_ms']):.1f}" for row in found)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for row in found:
            out.append(
                f'<circle cx="{x(row["documents"]):.1f}" cy="{y(row["mean_ms"]):.1f}" r="3" fill="{colour}"/>'
            )
        # What grows as the logarithm is a straight line here.
        line = " ".join(f"{x(row['documents']):.1f},{y(row['mean_ms']):.1f}" for row in (found[0], found[-1]))
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-dasharray="4 4"/>')
        below = TOP + HEIGHT + 60 + 20 * place
        out.append(f'<path d="M{LEFT} {below - 4}h24" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + 32}" y="{below}">{title} (dashed: growth by the logarithm)</text>')
    out.append("</svg>\n")
    with open(path, "w") as file:
        file.write("\n".join(out))


folder = sys.argv[1]
table(folder)
for name, title, _ in SERIES:
    found = rows(folder, name)
    if len(found) > 1:
        grown, logarithm = growth(found)
        print(f"{title}: from {found[0]['documents']:,} to {found[-1]['documents']:,} documents the cost of "
              f"one grew {grown:.2f} times; the logarithm grew {logarithm:.2f} times")
draw(folder, os.path.join(folder, "online.svg"))
