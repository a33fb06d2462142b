"""What is asked of the lab, as it stands on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from longhu.server.lab.subject import Subject

SHOES_MAX = 2_000
DAY = r"^((19[7-9]|20[0-9])[0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8]))?$"


class CountingAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far one wager can be beaten, measured over so many shoes."""

    subject: Subject
    wager: Annotated[str, Meta(min_length=1, max_length=60)]
    shoes: Annotated[int, Meta(ge=2, le=SHOES_MAX)] | None = None  # a second's work or a few, where none is said


class SheetAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The PAR sheet, as a page or for printing."""

    subject: Subject
    form: Literal["html", "pdf"]
    date: Annotated[str, Meta(pattern=DAY)] = ""  # today where none is said
