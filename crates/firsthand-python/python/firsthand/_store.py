"""A store: documents are judged as they come, and what was seen stays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from firsthand import _native
from firsthand._inputs import source_of
from firsthand._native import Table
from firsthand._progress import ProgressLike, told

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from firsthand._keywords import StreamKeywords


class Store:
    """What a stream has seen: in a folder, in PostgreSQL (``postgres://...``), or in memory (``memory:``).

    A store keeps the settings that it was made with. Its documents need ids.

    >>> import firsthand as fh
    >>> with fh.Store("memory:", profile="feed") as store:
    ...     store.add([{"id": "a", "text": "The ferry to the island did not sail today, the harbour master said."}])["verdict"]
    ...     store.check([{"id": "b", "text": "The ferry to the island did NOT sail today, the harbour master said."}])["original"]
    ...     len(store)
    ['original']
    ['a']
    1
    """

    def __init__(
        self,
        address: str | os.PathLike[str],
        *,
        read_only: bool = False,
        new_generation: bool = False,
        **settings: Unpack[StreamKeywords],
    ) -> None:
        self._settings: dict[str, Any] = dict(settings)
        self._store = _native.Store(os.fspath(address), read_only, new_generation, self._settings)

    def add(self, data: Any, *, threads: int | None = None, progress: ProgressLike = None) -> Table:
        """Judges documents one after another and keeps them: a row with the verdict for each.

        What was answered is durable.
        """
        with told(progress) as tell:
            return self._store.judge(source_of(data, self._settings), True, threads, tell)

    def check(self, data: Any, *, threads: int | None = None, progress: ProgressLike = None) -> Table:
        """Judges each document as if it were the next to arrive, and keeps nothing."""
        with told(progress) as tell:
            return self._store.judge(source_of(data, self._settings), False, threads, tell)

    def get(self, id: object = None, *, url: str | None = None) -> dict[str, Any] | None:
        """What became of a document, by its id or its URL; ``None`` if there is none."""
        if (id is None) == (url is None):
            raise TypeError("get takes an id or a url=")
        return self._store.get(None if id is None else str(id), url)

    def clusters(
        self, *, min_size: int = 2, sort: Literal["size", "first", "last"] = "size", limit: int | None = None
    ) -> Table:
        """The clusters, one row each."""
        return self._store.clusters(min_size, sort, limit)

    def delete(self, ids: Iterable[object] | str) -> list[bool]:
        """Deletes documents by their ids; of each whether it was there."""
        names = [ids] if isinstance(ids, str) else [str(id) for id in ids]
        return self._store.delete(names)

    def export(self) -> Iterator[dict[str, Any]]:
        """All documents with their answers, in the order of arrival."""
        start: int | None = 0
        while start is not None:
            documents, start = self._store.export(start)
            yield from documents

    @property
    def settings(self) -> str:
        """The settings that the store was made with, as TOML."""
        return self._store.settings

    def close(self) -> None:
        """Closes the store, so that others can open it. A second call does nothing."""
        self._store.close()

    def __len__(self) -> int:
        return len(self._store)

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._store)
