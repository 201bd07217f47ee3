"""Figure 7 as an SVG: seconds and recall over the threshold."""

import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 340, 240, 60, 40, 110
SERIES = [
    ("exact", "exact", "#0b6e99"),
    ("lsh-s", "LSH-S, k = 6, l = 32", "#c2410c"),
    ("algorithm-1", "SpotSigs' matcher", "#6b7280"),
]


def write(path, whole, cut):
    thresholds = [row["threshold"] for row in whole + cut if row["threshold"] is not None]
    times = [row["total_seconds"] for row in whole + cut if row["threshold"] is not None]
    low, high = min(thresholds), 1.0
    first = math.floor(math.log10(min(times)))
    last = math.ceil(math.log10(max(times)))

    def x(threshold, panel):
        offset = LEFT + panel * (WIDTH + GAP)
        return offset + WIDTH * (threshold - low) / (high - low)

    def seconds(value):
        return TOP + HEIGHT * (last - math.log10(value)) / (last - first)

    def recall(value):
        return TOP + HEIGHT * (1 - value)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + 2 * WIDTH + GAP + 20} '
        f'{TOP + HEIGHT + 110}" font-family="sans-serif" font-size="12">',
        "<title>Time and recall over the threshold, on a collection like WT10g</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for panel, title in enumerate(("seconds", "recall of LSH-S")):
        left = LEFT + panel * (WIDTH + GAP)
        out.append(f'<text x="{left}" y="{TOP - 16}" font-weight="bold">{title}</text>')
        out.append(
            f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
        )
        for tenth in range(round(low * 10), 11):
            at = x(tenth / 10, panel)
            out.append(
                f'<text x="{at:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{tenth / 10:g}</text>'
            )
    for power in range(first, last + 1):
        out.append(grid(LEFT, seconds(10**power), f"{10**power:g}"))
    for fifth in range(6):
        out.append(grid(LEFT + WIDTH + GAP, recall(fifth / 5), f"{fifth / 5:g}"))
    for rows, dash in ((whole, ""), (cut, ' stroke-dasharray="5 4"')):
        for name, _, colour in SERIES:
            points = [row for row in rows if row["row"] == name]
            drawn = [(x(row["threshold"], 0), seconds(row["total_seconds"])) for row in points]
            out.append(line(drawn, colour, dash))
            if name == "lsh-s":
                drawn = [(x(row["threshold"], 1), recall(row["recall"])) for row in points]
                out.append(line(drawn, colour, dash))
    bottom = TOP + HEIGHT + 48
    for at, (_, label, colour) in enumerate(SERIES):
        out.append(legend(LEFT + at * 190, bottom, label, colour, ""))
    out.append(legend(LEFT, bottom + 24, "all signatures", "#333", ""))
    dashed = ' stroke-dasharray="5 4"'
    out.append(legend(LEFT + 190, bottom + 24, "IDF from 0.4 to 0.75 only", "#333", dashed))
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def grid(left, y, label):
    return (
        f'<line x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    )


def line(points, colour, dash):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'


def legend(x, y, label, colour, dash):
    return (
        f'<line x1="{x}" x2="{x + 28}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
        f'stroke-width="2"{dash}/><text x="{x + 34}" y="{y}">{label}</text>'
    )
