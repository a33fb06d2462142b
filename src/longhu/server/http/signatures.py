"""Signatures of a request: checked by the house, at the rate of sign-ins."""

from __future__ import annotations

from longhu.server.cosigning import Cosigning
from longhu.server.http import guards
from longhu.server.http.edge import address


def cosigning(connection: guards.Connection) -> Cosigning:
    """Who checks the signatures of this request or socket."""
    people = guards.house(connection).people
    return Cosigning(people, address(connection.scope), lambda: guards.not_too_quickly(connection))
