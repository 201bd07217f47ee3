"""Labelled documents: how good methods are, which threshold to use, and models that are learned."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firsthand import _native
from firsthand._inputs import source_of
from firsthand._native import Model
from firsthand._progress import ProgressLike, told

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from firsthand._keywords import ReadingKeywords


class Evaluation:
    """How good methods are on labelled documents."""

    #: Everything, as ``firsthand eval --format json`` writes it.
    report: dict[str, Any]

    def __init__(self, report: dict[str, Any], text: str, page: str) -> None:
        self.report = report
        self._text = text
        self._page = page

    def write_page(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one page for a browser."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self._page)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<firsthand.Evaluation: {len(self.report['methods'])} methods>"


class Tuning:
    """The settings that labels favour."""

    #: The settings as TOML, for ``settings=`` and ``--config``.
    settings: str
    #: How sure the choice is, in sentences.
    verdict: list[str]

    def __init__(self, settings: str, verdict: list[str], table: str) -> None:
        self.settings = settings
        self.verdict = verdict
        self._table = table

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the settings to a file."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.settings)

    def __str__(self) -> str:
        return "\n".join([self._table.rstrip(), *self.verdict])

    def __repr__(self) -> str:
        return f"<firsthand.Tuning: {self.verdict[0] if self.verdict else ''}>"


def evaluate(
    data: Any,
    *,
    methods: Sequence[str] = ("all",),
    pairs: str | os.PathLike[str] | None = None,
    floor: float | str | None = None,
    draws: int = 2_000,
    seed: int = 1,
    threads: int | None = None,
    progress: ProgressLike = None,
    **settings: Unpack[ReadingKeywords],
) -> Evaluation:
    """Measures methods on labelled documents: rows with a column ``cluster``, or paths as ``firsthand eval`` reads.

    ``methods`` are names of methods, ``profile:NAME``, or ``all``.
    """
    options = _options(methods, pairs, floor, draws, seed, threads)
    with told(progress) as tell:
        return Evaluation(*_native.evaluate(source_of(data, settings), options, dict(settings), tell))


def tune(
    data: Any,
    *,
    methods: Sequence[str] = ("all",),
    pairs: str | os.PathLike[str] | None = None,
    precision: float | None = None,
    recall: float | None = None,
    floor: float | str | None = None,
    draws: int = 2_000,
    seed: int = 1,
    threads: int | None = None,
    progress: ProgressLike = None,
    **settings: Unpack[ReadingKeywords],
) -> Tuning:
    """Picks method and threshold by labelled documents: for the highest F1, or for the highest recall at a
    ``precision``, or for the highest precision at a ``recall``.
    """
    if precision is not None and recall is not None:
        raise TypeError("precision= and recall= do not go together: one is the condition, the other the aim")
    options = {**_options(methods, pairs, floor, draws, seed, threads), "precision": precision, "recall": recall}
    with told(progress) as tell:
        return Tuning(*_native.tune(source_of(data, settings), options, dict(settings), tell))


def learn(
    data: Any,
    *,
    profile: str = "archive",
    words: int = 3,
    measure: str = "jaccard",
    orders: int = 80_000,
    folds: int = 5,
    seed: int = 1,
    pairs: str | os.PathLike[str] | None = None,
    queries: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressLike = None,
    **settings: Unpack[ReadingKeywords],
) -> Model:
    """Learns from labelled documents how much each word counts. The model is a ``model=`` of ``dedup``."""
    options = {
        "profile": profile,
        "words": words,
        "measure": measure,
        "orders": orders,
        "folds": folds,
        "seed": seed,
        "pairs": pairs,
        "queries": queries,
        "threads": threads,
    }
    with told(progress) as tell:
        return _native.learn(source_of(data, settings), options, dict(settings), tell)


def _options(
    methods: Sequence[str],
    pairs: str | os.PathLike[str] | None,
    floor: float | str | None,
    draws: int,
    seed: int,
    threads: int | None,
) -> dict[str, Any]:
    if isinstance(methods, str):
        methods = methods.split(",")
    return {
        "methods": list(methods),
        "pairs": pairs,
        "floor": None if floor is None else str(floor),
        "draws": draws,
        "seed": seed,
        "precision": None,
        "recall": None,
        "threads": threads,
    }
