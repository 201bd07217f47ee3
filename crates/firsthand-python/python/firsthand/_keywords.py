"""The keywords for settings: those of the command line, with underscores."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from firsthand._native import Model


class ReadingKeywords(TypedDict, total=False):
    """How documents are read: which fields they have, and limits against hostile input."""

    extract: str | None
    kind: str | None
    mail: bool | None
    follow: bool | None
    id_field: str | None
    text_field: str | None
    html_field: str | None
    title_field: str | None
    url_field: str | None
    source_field: str | None
    time_field: str | None
    cluster_field: str | None
    max_file: int | str | None
    max_document: int | str | None
    max_line: int | str | None
    max_json_depth: int | None
    max_html_depth: int | None
    max_html_attributes: int | None
    max_html_blocks: int | None
    max_mime_parts: int | None
    max_mime_depth: int | None
    max_members: int | None
    max_layers: int | None
    max_decompressed: int | str | None
    max_ratio: int | None
    max_seconds: int | None
    max_records: int | None
    max_records_per_byte: int | None
    id: str | None
    text: str | None
    html: str | None
    title: str | None
    url: str | None
    source: str | None
    time: str | None
    cluster: str | None


class SettingKeywords(ReadingKeywords, total=False):
    """How documents are read and compared."""

    threshold: float | str | None
    measure: str | None
    n: int | None
    q: int | None
    distance: int | None
    chain: int | None
    antecedents: str | list[str] | None
    language: str | None
    multiset: bool | None
    min_features: int | None
    template: bool | None
    grouping: str | None
    original: str | None
    fold: bool | None
    matcher: str | None
    bands: int | None
    rows: int | None
    recall: float | None
    hashes: int | None
    group: int | None
    lexicons: int | None
    bits: int | None
    profile: str | None
    method: str | None
    model: Model | str | PathLike[str] | None
    settings: dict[str, Any] | str | PathLike[str] | None


class StreamKeywords(SettingKeywords, total=False):
    """The same on a stream, where there is also a window of time."""

    window: int | str | None
    window_documents: int | None
    window_bytes: int | str | None
    clock: str | None
    numbers: str | None
