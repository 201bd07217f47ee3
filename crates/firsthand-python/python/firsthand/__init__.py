"""Near-duplicate detection for documents: which texts are copies, of which original, and why.

>>> import firsthand as fh
>>> result = fh.dedup([
...     {"id": "a", "text": "The ferry to the island did not sail today because of the storm."},
...     {"id": "b", "text": "The ferry to the island did NOT sail today because of the storm."},
...     {"id": "c", "text": "A new bridge to the island is to be built in the coming years."},
... ], profile="corpus")
>>> result.rows["kept"]
[True, False, True]

Tables of results have ``__arrow_c_stream__``: ``polars.DataFrame(result.rows)``, ``pyarrow.table(result.rows)``.
Messages go to the logger ``firsthand``.
"""

from __future__ import annotations

from importlib.metadata import version

from firsthand._collections import compare, dedup, explain, extract, read
from firsthand._labels import Evaluation, Tuning, evaluate, learn, tune
from firsthand._native import (
    Comparison,
    DedupResult,
    Detector,
    Documents,
    Explanation,
    Features,
    Keys,
    Model,
    Table,
)
from firsthand._progress import Progress
from firsthand._store import Store
from firsthand.errors import FirsthandError, InputError, SettingsError, StoreError

__all__ = [
    "Comparison",
    "DedupResult",
    "Detector",
    "Documents",
    "Evaluation",
    "Explanation",
    "Features",
    "FirsthandError",
    "InputError",
    "Keys",
    "Model",
    "Progress",
    "SettingsError",
    "Store",
    "StoreError",
    "Table",
    "Tuning",
    "compare",
    "dedup",
    "evaluate",
    "explain",
    "extract",
    "learn",
    "read",
    "tune",
]

__version__ = version("firsthand")
