"""The rows of `firsthand-bench andd`, by what they are of."""

import statistics


class Way:
    """One way of comparing: its runs, and its figures on draws of the labels."""

    def __init__(self):
        self.runs, self.drawn = [], {}

    def mean(self, figure):
        values = [run[figure] for run in self.runs if run[figure] is not None]
        return statistics.mean(values) if values else None


class Trials:
    """What was measured of a reading, piece by piece on the same halves and draws."""

    def __init__(self, pieces):
        self.times = {piece["when"] for piece in pieces}
        self.ways = {}
        # The same collection read otherwise.
        self.other = None
        for self.collection, *rows in (piece["rows"] for piece in pieces):
            for row in rows:
                key = (row["part"], row["name"], row["measure"], row["words"], row["size"])
                way = self.ways.setdefault(key, Way())
                if "drawn" in row:
                    way.drawn = row["drawn"]
                else:
                    way.runs.append(row)
        for way in self.ways.values():
            way.runs.sort(key=lambda run: run["run"])

    def weights(self, name, measure="cosine", words=1):
        return self.ways.get(("weights", name, measure, words, None))

    def method(self, name):
        return self.ways.get(("methods", name, None, None, None))

    def sized(self, part, name, measure, size, words=1):
        return self.ways.get((part, name, measure, words, size))

    def sizes(self, part, words=1):
        return sorted({key[4] for key in self.ways if key[0] == part and key[3] == words})
