"""Whole collections: find near-duplicates, explain them, read documents."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from firsthand import _native
from firsthand._inputs import source_of
from firsthand._native import Comparison, DedupResult, Detector, Documents, Explanation, Table
from firsthand._progress import ProgressLike, told

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from firsthand._keywords import ReadingKeywords, SettingKeywords


def compare(a: str, b: str, **settings: Unpack[SettingKeywords]) -> Comparison:
    """Compares two texts, exactly as a collection of the two would.

    >>> import firsthand as fh
    >>> fh.compare("The ferry did not sail.", "the  ferry did NOT sail.").verdict
    'exact-copy'
    >>> fh.compare("one two three four five six seven", "one two three four five six eight", method="shingles", n=2)
    <firsthand.Comparison: near-duplicate, score 0.714, 5 features shared>
    """
    return Detector(**settings).compare(a, b)


def dedup(
    data: Any,
    *,
    against: Any = None,
    pairs: Literal["capped", "all", "star", "none"] = "capped",
    max_pairs: int | None = None,
    stop_after: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    progress: ProgressLike = None,
    **settings: Unpack[SettingKeywords],
) -> DedupResult:
    """Finds all near-duplicates of a collection and groups them.

    ``data`` is a table (polars, pandas, pyarrow, duckdb, datasets), a list or an iterator of texts or dicts, or
    paths of files and folders that ``firsthand dedup`` reads. ``text=``, ``id=``, ``html=``, ``title=``, ``url=``,
    ``source=`` and ``time=`` name columns; a row without an id is known by its number, from 0. With ``against=``,
    documents are matched against that collection instead of among themselves. All other keywords are settings
    with the names and defaults of the command line.

    ``memory="2G"`` bounds what the search takes: beyond that it goes to a folder in ``scratch=``, or where temporary
    files go, and finds the same. The table that is searched and those that are returned are not counted.

    A row without a text is not a document: it stays in ``rows``, with ``kept`` false and the reason.

    >>> import firsthand as fh
    >>> result = fh.dedup(["The ferry did not sail.", "A new bridge.", "THE FERRY did not sail."])
    >>> result
    <firsthand.DedupResult: 3 documents, 1 near-duplicate in 1 cluster, 0 not read>
    >>> result.rows["kept"]
    [True, True, False]
    >>> result.pairs.to_dicts()
    [{'a': '0', 'b': '2', 'score': 1.0, 'exact': True}]
    """
    options: dict[str, Any] = {"pairs": pairs, "max_pairs": max_pairs, "stop_after": stop_after, "threads": threads}
    options |= {"memory": memory, "scratch": scratch}
    source = source_of(data, settings)
    reference = None if against is None else source_of(against, settings)
    with told(progress) as tell:
        return _native.dedup(source, reference, options, dict(settings), tell)


def explain(a: str, b: str, **settings: Unpack[SettingKeywords]) -> Explanation:
    """Why two texts match, or why they do not; in a notebook, both side by side.

    >>> import firsthand as fh
    >>> why = fh.explain("one two three four five six", "one two three four five seven", method="shingles", n=2)
    >>> why.verdict, why.shared
    ('near-duplicate', 4)
    """
    return _native.explain(a, b, **settings)


def read(data: Any, *, threads: int | None = None, **settings: Unpack[ReadingKeywords]) -> Documents:
    """The documents of files and folders, in every format that firsthand reads, as a stream of Arrow.

    They are read when somebody asks for them: ``polars.DataFrame(fh.read("crawl.warc.gz"))``. What cannot be read
    is left out; ``read_all()`` says what that was.
    """
    return _native.read(source_of(data, settings), threads, dict(settings))


def extract(html: str | bytes, *, url: str | None = None, **settings: Any) -> str:
    """The main text of a page, without navigation and adverts.

    >>> import firsthand as fh
    >>> story = "The ferry to the island did not sail today because of the storm, the harbour master said. " * 3
    >>> fh.extract(f"<nav><a href=/>Home</a> <a href=/news>News</a></nav><article><p>{story}</p></article>") == story.strip()
    True
    """
    table, problems = _one_page(html, url, settings)
    if problems:
        from firsthand.errors import InputError

        raise InputError(problems[0])
    text = table["text"][0]
    assert isinstance(text, str)
    return text


def _one_page(html: str | bytes, url: str | None, settings: Any) -> tuple[Table, list[str]]:
    names = {"html": "html", "url": "url", **settings}
    source = source_of([{"html": html, "url": url}], names)
    return _native.read(source, 1, names).read_all()
