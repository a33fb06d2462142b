"""A plugin for pytest that says every English sentence as nonsense: what passes under it does not depend on any wording.

pytest -p tests.nonsense tests/table
"""

from __future__ import annotations

from collections.abc import Mapping

from longhu.messages import localization

SAID = "Zzz."


def pytest_configure() -> None:
    say_nonsense()


def say_nonsense() -> None:
    """From here on this process speaks no English."""
    whole: Mapping[str, str] = localization.catalogue("en")
    nonsense = dict.fromkeys(whole, SAID)
    localization.catalogue.cache_clear()
    localization._pattern.cache_clear()
    read = localization.catalogue.__wrapped__
    localization.catalogue = lambda language: nonsense if language == "en" else read(language)  # type: ignore[assignment]
