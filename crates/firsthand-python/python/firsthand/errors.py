"""What can go wrong: every exception of firsthand is a :class:`FirsthandError`."""

from __future__ import annotations


class FirsthandError(Exception):
    """Something went wrong; the message says what, and what to do."""


class SettingsError(FirsthandError, ValueError):
    """Settings that do not exist, do not go together, or have a value that cannot be used."""


class InputError(FirsthandError, ValueError):
    """Documents that cannot be read.

    ``row`` is the row, counted from 0, and ``field`` the column that the message is about; ``None`` if it is
    about all of them.
    """

    row: int | None
    field: str | None

    def __init__(self, message: str, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field


class StoreError(FirsthandError):
    """A store that cannot be opened, read or written."""
