"""Whether one way of comparing is better than another: both were measured on the same halves and draws."""

import math
import statistics

FIGURES = ("max_f1", "f1", "recall_at_99")


def student(differences):
    """Student's paired test: the probability of such a mean if there were no difference."""
    count = len(differences)
    if count < 2:
        return None
    spread = statistics.stdev(differences)
    if spread == 0:
        return None
    t = statistics.mean(differences) / (spread / math.sqrt(count))
    # With t = sqrt(n) tan(a) the density is a power of the cosine of a.
    power = count - 2
    angle = math.atan(abs(t) / math.sqrt(count - 1))
    return 1 - area(power, angle) / area(power, math.pi / 2)


def area(power, end, steps=2000):
    """The integral of a power of the cosine from 0, by Simpson's rule."""
    width = end / steps
    total = 0.0
    for at in range(steps + 1):
        weight = 1 if at in (0, steps) else 4 if at % 2 else 2
        total += weight * max(0.0, math.cos(at * width)) ** power
    return total * width / 3


def interval(one, other, figure):
    """What 95 % of the draws have between them, of the difference of two ways."""
    draws = sorted(a - b for a, b in zip(one.drawn[figure], other.drawn[figure]))
    if not draws:
        return None

    def quantile(share):
        at = share * (len(draws) - 1)
        low, high = draws[math.floor(at)], draws[math.ceil(at)]
        return low + (high - low) * (at - math.floor(at))

    return quantile(0.025), quantile(0.975)


class Difference:
    """One way minus another in one figure."""

    def __init__(self, one, other, figure):
        values = [a[figure] - b[figure] for a, b in zip(one.runs, other.runs)]
        self.mean = statistics.mean(values)
        self.p = student(values)
        self.interval = interval(one, other, figure)

    def is_sure(self):
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)

    def cell(self):
        text = f"{self.mean:+.3f}"
        if self.interval:
            low, high = self.interval
            text += f" [{low:+.3f}, {high:+.3f}]"
        if self.is_sure():
            text = f"**{text}**"
        p = "–" if self.p is None else "<.001" if self.p < 0.001 else f"{self.p:.3f}".lstrip("0")
        return f"{text}, p {p}"
