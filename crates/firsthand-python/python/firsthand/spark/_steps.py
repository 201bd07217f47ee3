"""What runs on executors: generators over Arrow batches that call the kernels of the wheel.

Each function here returns one that ``DataFrame.mapInArrow`` takes; Ray Data and Dask can call the kernels
themselves. Nothing is decided here: see the Rust module ``firsthand::shuffle``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

# Record batches of pyarrow, which has no types.
Batches = Iterator[Any]
Step = Callable[[Batches], Batches]

DOCUMENTS = (
    "id string, order binary, rank binary, millis long, length int, text binary, class binary, problem string"
)
RECORDS = "range int, split int, records binary"
CANDIDATES = "a long, b long"
SETS = "half long, class binary, features binary"
EDGES = "a binary, b binary, score double"
JOINED = "class binary, owner binary, score double"
TEMPLATES = "site_key string, template binary"
SIGNED = "id string, order binary, millis long, features binary, problem string"
RANKED = "id string, order binary, rank binary, text binary, class binary"


def _each(make: Callable[[], Any], method: str, *arguments: Any, finish: bool = False) -> Step:
    """Every batch through a method of one kernel, and then its rest."""

    def run(batches: Batches) -> Batches:
        kernel = make()
        step = getattr(kernel, method)
        for batch in batches:
            yield from step(batch, *arguments)
        if finish:
            yield from kernel.finish()

    return run


def documents(settings: str) -> Step:
    """Rows to what is known of documents."""

    def make() -> Any:
        from firsthand import _native

        return _native.RowKernel(settings)

    return _each(make, "documents")


def entries(settings: str, frequent: bytes, ranges: int) -> Step:
    """Rows to the keys of their classes, by range."""

    def make() -> Any:
        from firsthand import _native

        return _native.RowKernel(settings, frequent)

    return _each(make, "entries", ranges)


def sets(settings: str, keep: bytes) -> Step:
    """Rows to the sets of those classes that may be candidates."""

    def make() -> Any:
        from firsthand import _native

        return _native.RowKernel(settings, None, keep)

    return _each(make, "sets")


def meet(settings: str, ranges: int, most: int | None) -> Step:
    """Keys, range by range, to meetings."""

    def make() -> Any:
        from firsthand import _native

        return _native.MeetKernel(settings, ranges, most)

    return _each(make, "meet", finish=True)


def meet_parts(settings: str, ranges: int) -> Step:
    """Parts of crowded keys to meetings."""

    def make() -> Any:
        from firsthand import _native

        return _native.PartKernel(settings, ranges)

    return _each(make, "meet")


def candidates() -> Step:
    """Meetings, range by range, to candidates."""

    def make() -> Any:
        from firsthand import _native

        return _native.CandidateKernel()

    return _each(make, "add", finish=True)


def class_filter(classes: int) -> Step:
    """Candidates to a filter of bounded size, in one row a partition."""

    def run(batches: Batches) -> Batches:
        import pyarrow as pa  # type: ignore[import-untyped]

        from firsthand import _native

        kernel = _native.FilterKernel(classes)
        for batch in batches:
            kernel.add(batch)
        yield pa.RecordBatch.from_pydict({"bits": [kernel.to_bytes()]})

    return run


def verify(settings: str) -> Step:
    """Candidates with their sets to verified pairs."""

    def make() -> Any:
        from firsthand import _native

        return _native.VerifyKernel(settings)

    return _each(make, "verify")


def stars() -> Step:
    """Pairs in the order of preference to the originals that classes join."""

    def make() -> Any:
        from firsthand import _native

        return _native.StarKernel()

    return _each(make, "join", finish=True)


def ranks(settings: str) -> Step:
    """Documents whose lengths have changed to documents with their places."""

    def make() -> Any:
        from firsthand import _native

        return _native.RankKernel(settings)

    return _each(make, "rank")


def keyed(settings: str) -> Step:
    """Rows with their site and the hash of their text."""

    def run(batches: Batches) -> Batches:
        from firsthand import _native

        kernel = _native.TemplateKernel(_native.RowKernel(settings))
        for batch in batches:
            yield kernel.keyed(batch)

    return run


def templates(settings: str) -> Step:
    """Pages, site by site, to what their sites teach."""

    def make() -> Any:
        from firsthand import _native

        return _native.TemplateKernel(_native.RowKernel(settings))

    return _each(make, "learn", finish=True)


def pages(settings: str) -> Step:
    """Pages, each site after its template, to features."""

    def make() -> Any:
        from firsthand import _native

        return _native.SiteKernel(_native.RowKernel(settings))

    return _each(make, "sign")
