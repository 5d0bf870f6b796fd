"""Tokens, ids and codes.

A token opens one seat and is known only to its holder: the table keeps its hash. Ids and codes are
not secret: an id leads to a table to watch, a code to a free seat.
"""

from __future__ import annotations

import hashlib
import secrets

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without I and O, because codes are read aloud and typed by hand."""
CODE_LENGTH = 5
ID_LETTERS = "abcdefghijkmnopqrstuvwxyz23456789"
ID_LENGTH = 12


def new_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """Return the hash by which a token is recognised."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_id() -> str:
    """Return a new id for a table, too long to guess."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def id_after(id: str) -> str:
    """Return the id of the table of the next game.

    It follows from the id of the table before it, so that those who ask for another game at the
    same time, even at different processes, agree on one table.
    """
    number = int.from_bytes(hashlib.sha256(f"after {id}".encode()).digest())
    letters = []
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ID_LETTERS))
        letters.append(ID_LETTERS[letter])
    return "".join(letters)


def new_code() -> str:
    """Return a new code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
