"""Progress, for people who wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Union


class Progress(NamedTuple):
    """How far a job is."""

    #: What it is doing: reading, preparing, matching, ...
    phase: str
    #: The number of documents that were read so far.
    documents: int
    #: The share of the phase that is done, from 0 to 1, where that is known.
    share: float | None


#: ``True``, or what is told how far a job is.
ProgressLike = Union[bool, Callable[[Progress], object], None]

_Told = Callable[[str, int, Union[float, None]], None]


@contextmanager
def told(progress: ProgressLike) -> Iterator[_Told | None]:
    """What the native part tells how far it is."""
    if progress is None or progress is False:
        yield None
        return
    if callable(progress):
        listener = progress
        yield lambda phase, documents, share: _drop(listener(Progress(phase, documents, share)))
        return
    show = _bar()
    try:
        yield lambda phase, documents, share: show.update(Progress(phase, documents, share))
    finally:
        show.close()


def _drop(_: object) -> None:
    return None


def _bar() -> _Plain | _Tqdm:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return _Plain()
    return _Tqdm(tqdm)


class _Plain:
    """A line on standard error every second."""

    def __init__(self) -> None:
        self.last = 0.0
        self.is_shown = False

    def update(self, progress: Progress) -> None:
        if time.monotonic() - self.last < 1.0:
            return
        self.last = time.monotonic()
        self.is_shown = True
        share = "" if progress.share is None else f" {progress.share:.0%}"
        print(f"\r{progress.phase}{share}, {progress.documents} documents", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.is_shown:
            print(file=sys.stderr)


class _Tqdm:
    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=100, unit="%", bar_format="{desc} {percentage:3.0f}% |{bar}| {elapsed} {postfix}")

    def update(self, progress: Progress) -> None:
        self.bar.set_description_str(progress.phase, refresh=False)
        self.bar.set_postfix_str(f"{progress.documents} documents", refresh=False)
        self.bar.n = 100.0 if progress.share is None else round(100.0 * progress.share, 1)
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()
