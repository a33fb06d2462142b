"""A patch makes the new view of the old, exactly; what an audience is sent beside the others is what it would be sent alone."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu.messages.message import Message
from longhu.money import UNSTATED, Amount
from longhu.server import codec
from longhu.server.codec import KEYED
from longhu.table.state import Table
from longhu.table.views import View, Viewer, view, viewer
from tests.server.patching import patched
from tests.server.test_public_events import GAMES, VIEWERS, evening
from tests.table.random_play import CROWD

NAMES = st.sampled_from(["", "a", "a/b", "~", "~1", "#1/2/tie", "/", "é"])
MESSAGES = st.recursive(
    st.builds(Message, NAMES),
    lambda nested: st.builds(
        Message,
        NAMES,
        st.dictionaries(NAMES, NAMES | st.integers(0, 2) | nested | st.lists(nested, max_size=2), max_size=2),
    ),
    max_leaves=3,
)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that stands in a view; few different ones, so that two views have much in common."""
    origin, args = get_origin(kind), get_args(kind)
    if kind is Message:
        return MESSAGES
    if kind == Amount:
        return st.sampled_from([-1, 0, 5_00])
    if origin in (Union, UnionType):
        return st.one_of([st.none() if each is NoneType else values(each) for each in args])
    if origin is Literal:
        return st.sampled_from(args)
    if origin is dict:
        return st.dictionaries(values(args[0]), values(args[1]), max_size=3)
    if origin is tuple and args[-1] is Ellipsis:
        name = KEYED.get(args[0])
        return st.lists(values(args[0]), max_size=3, unique_by=name).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, args))
    if issubclass(kind, msgspec.Struct):
        return st.builds(kind, **{each.name: values(each.type) for each in msgspec.structs.fields(kind)})
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    return {bool: st.booleans(), int: st.integers(0, 2), str: NAMES}[kind]


VIEWS = st.deferred(lambda: values(View))


def shown(seen: View) -> Any:
    return msgspec.to_builtins(codec.view(seen, UNSTATED))


@given(VIEWS, VIEWS)
def test_a_patch_makes_exactly_the_new_view_of_the_old(before: View, after: View) -> None:
    patch = msgspec.to_builtins(codec.operations(codec.changes(before, after, UNSTATED)))
    assert patched(shown(before), patch) == shown(after)
    assert (patch == []) is (shown(before) == shown(after))


@pytest.mark.parametrize("game", GAMES)
def test_a_patch_made_beside_the_common_one_is_the_patch_made_alone(game: str) -> None:
    rules = longhu.game(game).definition
    tables = [Table(game=""), *(after for _, after in evening(game))]
    seen = view(tables[0], rules, Viewer())
    shown = {who: view(tables[0], rules, who, seen) for who in VIEWERS}
    for number, (before, after) in enumerate(pairwise(tables)):
        now = view(after, rules, Viewer(), before=(before, seen))
        assert now == view(after, rules, Viewer())
        common = codec.changes(seen, now, UNSTATED)
        patron = viewer(before, CROWD[number % len(CROWD)])
        shown.setdefault(patron, view(before, rules, patron, seen))
        for who, was in shown.items():
            shown[who] = view(after, rules, who, now)
            assert shown[who] == view(after, rules, who)
            beside = codec.changes_beside(was, shown[who], (seen, now), common, UNSTATED)
            assert beside == codec.changes(was, shown[who], UNSTATED)
        seen = now
