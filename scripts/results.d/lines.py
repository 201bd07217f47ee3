"""Figures as an SVG: lines over sizes, a panel for each collection."""

import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 350, 230, 60, 44, 70
STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


class Panel:
    """Lines over the same sizes; `levels` are lines that do not depend on them."""

    def __init__(self, title, sizes, lines, levels):
        self.title, self.sizes, self.lines, self.levels = title, sizes, lines, levels

    def values(self):
        for points in self.lines.values():
            yield from (value for value in points if value is not None)
        yield from (value for value in self.levels.values() if value is not None)


def write(path, title, below, styles, panels):
    """`styles` has a colour and a dash for each name of a line or level, in the order of the legend."""
    shown = [name for name in styles if any(name in p.lines or name in p.levels for p in panels)]
    rows = math.ceil(len(shown) / 3)
    across = LEFT + len(panels) * (WIDTH + GAP) - GAP + 20
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(across, 640)} '
        f'{TOP + HEIGHT + 62 + 22 * rows}" font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for at, panel in enumerate(panels):
        out += drawn(panel, LEFT + at * (WIDTH + GAP), below, styles)
    for at, name in enumerate(shown):
        x, y = LEFT + (at % 3) * 210, TOP + HEIGHT + 64 + 22 * (at // 3)
        out.append(stroke([(x, y - 4), (x + 28, y - 4)], *styles[name]))
        out.append(f'<text x="{x + 34}" y="{y}">{name}</text>')
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def drawn(panel, left, below, styles):
    low, high = min(panel.values()), max(panel.values())
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    low, high = math.floor(low / step), math.ceil(min(1, high + step / 4) / step)

    def x(at):
        return left + WIDTH * (at + 0.5) / len(panel.sizes)

    def y(value):
        return TOP + HEIGHT * (high - value / step) / max(1, high - low)

    out = [
        f'<text x="{left}" y="{TOP - 16}" font-weight="bold">{panel.title}</text>',
        f'<text x="{left + WIDTH}" y="{TOP - 16}" text-anchor="end">mean Max F1</text>',
    ]
    for tick in range(low, high + 1):
        height = y(tick * step)
        out.append(
            f'<line x1="{left}" x2="{left + WIDTH}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>'
            f'<text x="{left - 6}" y="{height + 4:.1f}" text-anchor="end">'
            f"{tick * step:.{3 if step < 0.01 else 2}f}</text>"
        )
    for at, size in enumerate(panel.sizes):
        out.append(
            f'<text x="{x(at):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{size}</text>'
        )
    out.append(
        f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">{below}</text>'
    )
    out.append(
        f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
    )
    for name, value in panel.levels.items():
        if value is not None:
            out.append(stroke([(left, y(value)), (left + WIDTH, y(value))], *styles[name]))
    for name, values in panel.lines.items():
        points = [(x(at), y(value)) for at, value in enumerate(values) if value is not None]
        out.append(stroke(points, *styles[name]))
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{styles[name][0]}"/>' for a, b in points]
    return out


def stroke(points, colour, dash):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
