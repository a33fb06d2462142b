"""The page as a whole: how much of it must come before a table is seen, and a policy that nothing in it breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from longhu.server.api.http import POLICY
from tests.page.browser import Visitor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

FIRST_VIEW_BYTES = 200_000  # over the network, as it is packed
SENT = {"Document", "Script", "Stylesheet", "Font", "Image", "Fetch", "XHR", "Other"}
PATRONS = ["/", "/table/dragon-tiger", "/history", "/account", "/fairness", "/lab", "/lab/dragon-tiger", "/nowhere"]
STAFF = {"dealer": ["/dealer", "/table/dragon-tiger"], "pit-manager": ["/pit"], "auditor": ["/audit"]}
WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""
Come = Callable[..., Visitor]


@pytest.mark.parametrize("table", ["immortal-dragon-tiger", "dragon-21"])
def test_the_first_view_of_a_table_is_light(visitor: Come, table: str) -> None:
    """Everything that a browser that was never here gets until the table can be seen: page, scripts, styles, rules."""
    somebody = visitor()
    page = somebody.page
    session = somebody.context.new_cdp_session(page)
    session.send("Network.enable")
    kinds: dict[str, tuple[str, str]] = {}
    sizes: dict[str, float] = {}

    def answered(told: dict[str, Any]) -> None:
        kinds[told["requestId"]] = (told["type"], told["response"]["url"])

    def finished(told: dict[str, Any]) -> None:
        sizes[told["requestId"]] = told["encodedDataLength"]

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    with (
        page.expect_response("**/rules", timeout=30_000) as rules,
        page.expect_response("**/roads", timeout=30_000) as roads,
    ):
        somebody.open(f"/table/{table}")
    for answer in (rules.value, roads.value):
        answer.finished()
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    weights = {kinds[id]: size for id, size in sizes.items() if kinds.get(id, ("", ""))[0] in SENT}
    assert any(kind == "Script" for kind, _ in weights)
    assert any(url.endswith("/rules") for _, url in weights)
    heaviest = sorted(weights.items(), key=lambda each: -each[1])[:6]
    assert sum(weights.values()) < FIRST_VIEW_BYTES, heaviest


def test_every_answer_carries_a_strict_policy(visitor: Come, house: DemoHouse) -> None:
    parts = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert parts["default-src"] == "'none'"
    assert parts["script-src"] == parts["style-src"] == parts["connect-src"] == "'self'"
    assert parts["frame-ancestors"] == parts["base-uri"] == "'none'"
    assert "unsafe" not in POLICY
    somebody = visitor()
    seen: dict[str, str] = {}
    somebody.page.on(
        "response", lambda answer: seen.update({answer.url: answer.headers.get("content-security-policy", "")})
    )
    somebody.open("/lab")
    expect(somebody.page.get_by_role("heading", level=1)).to_be_visible()
    assert {url for url, policy in seen.items() if policy != POLICY and url.startswith(house.address)} == set()
    assert any(url.endswith(".js") for url in seen)


def walked(somebody: Visitor, paths: list[str]) -> list[str]:
    """What broke the policy on the way."""
    found: list[str] = []
    for path in paths:
        page = somebody.open(path)
        expect(page.locator("main h1").first).to_be_attached(timeout=30_000)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        found += [f"{path}: {each}" for each in page.evaluate("() => window.violations")]
    return found


def test_nothing_breaks_the_policy_on_the_way_through_all_pages_of_a_patron(visitor: Come) -> None:
    somebody = visitor()
    somebody.context.add_init_script(WATCH)
    somebody.come_as_guest()
    assert walked(somebody, PATRONS) == []


@pytest.mark.parametrize("person", STAFF)
def test_nothing_breaks_the_policy_on_the_pages_of_the_staff(visitor: Come, person: str) -> None:
    somebody = visitor()
    somebody.context.add_init_script(WATCH)
    somebody.sign_in(person, PASSWORD)
    assert walked(somebody, STAFF[person]) == []


def test_a_page_that_is_left_asks_for_nothing_more(visitor: Come) -> None:
    """Its address is of the next page by then: no socket is opened for a table without a name."""
    somebody = visitor()
    somebody.come_as_guest()
    sockets: list[str] = []
    somebody.page.on("websocket", lambda socket: sockets.append(socket.url))
    page = somebody.open("/table/dragon-tiger")
    expect(page.get_by_role("button", name=t("page.table.take-seat"))).to_be_visible()
    page.get_by_role("link", name=t("page.app.title-history")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your rounds")
    page.go_back()
    expect(page.get_by_role("button", name=t("page.table.take-seat"))).to_be_visible()
    assert {url.partition("/api/")[2] for url in sockets} == {"tables/dragon-tiger/socket"}


@pytest.mark.parametrize("path", ["/constructor", "/nowhere/%", "/table/%E0%A4"])
def test_an_address_that_is_none_says_so(visitor: Come, path: str) -> None:
    somebody = visitor()
    page = somebody.open(path)
    expect(page.get_by_role("link", name=t("page.app.lobby"))).to_be_visible()
    somebody.complaints.clear()  # for a table that is none, the house answers 404


def test_a_broken_policy_would_be_noticed(visitor: Come) -> None:
    """The watch itself works: what the policy forbids is reported."""
    somebody = visitor()
    somebody.context.add_init_script(WATCH)
    page = somebody.open("/lab")
    page.evaluate(
        "() => { const style = document.createElement('style'); style.textContent = 'p { color: red }'; document.head.append(style); }"
    )
    page.wait_for_function("() => window.violations.length > 0")
    assert "style-src" in page.evaluate("() => window.violations[0]")
    somebody.complaints.clear()
