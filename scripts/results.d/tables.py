"""Tables in Markdown, and figures as they are written in them."""


def table(header, rows):
    """A Markdown table; what is None is a dash."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for row in rows:
        cells = ["–" if cell is None else str(cell) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def share(value, digits=3):
    return None if value is None else f"{value:.{digits}f}"


def interval(found):
    """A value with its 95 % interval."""
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"


def count(value):
    return None if value is None else f"{value:,}"


def milliseconds(seconds):
    return None if seconds is None else f"{seconds * 1000:,.0f}"


def seconds(value):
    """Two figures that mean something."""
    if value is None:
        return None
    if value < 10:
        return f"{value:.2f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def megabytes(value):
    return None if value is None else f"{value / 1e6:,.0f}"
