"""Collections that the tests share."""

from __future__ import annotations

import random
from typing import Any

import pytest

WORDS = [f"word{number}" for number in range(2000)]


def collection(count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Texts of which a third are copies of earlier ones, exact or with a word changed."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(count):
        if rows and chance.random() < 0.33:
            words = chance.choice(rows)["body"].split()
            if chance.random() < 0.7:
                words[chance.randrange(len(words))] = chance.choice(WORDS)
        else:
            words = chance.choices(WORDS, k=chance.randrange(40, 120))
        rows.append({"id": f"d{number}", "body": " ".join(words)})
    return rows


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    return collection(300)


FERRY = "The ferry to the island did not sail today because of the storm, the harbour master said on Monday."


@pytest.fixture
def ferries() -> list[dict[str, Any]]:
    return [
        {"id": "a", "body": FERRY},
        {"id": "b", "body": "A new bridge to the island is to be built within the coming four years, it was said."},
        {"id": "c", "body": FERRY.replace("on Monday", "on Friday")},
        {"id": "d", "body": FERRY.upper()},
    ]
