"""The account in a real browser: play money, own limits, breaks, sessions, preferences, closing."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.words import t

Comes = Callable[..., Visitor]

LIMIT = f"{t('page.account.limit-deposit')}, {t('page.account.span-day')}: {{most}}."


def account(visitor: Comes, **options: object) -> tuple[Visitor, Page]:
    someone = visitor(**options)
    someone.come_as_guest()
    return someone, someone.open("/account")


def test_play_money_goes_in_and_out(visitor: Comes) -> None:
    _, page = account(visitor)
    money = page.get_by_role("region", name=t("page.account.money"))
    money.get_by_label(t("page.account.amount")).fill("250.50")
    money.get_by_role("button", name=t("page.account.pay-in"), exact=True).click()
    expect(money).to_contain_text("10,250.50")
    money.get_by_label(t("page.account.amount")).fill("10250.50")
    money.get_by_role("button", name=t("page.account.pay-out")).click()
    expect(page.get_by_role("banner")).not_to_contain_text("10,250.50")
    money.get_by_label(t("page.account.amount")).fill("1")
    money.get_by_role("button", name=t("page.account.pay-out")).click()
    expect(money.get_by_role("alert")).to_contain_text("in the wallet")


@pytest.mark.clause("LIM-2")
def test_a_lower_limit_holds_at_once_and_a_higher_one_waits(visitor: Comes) -> None:
    _, page = account(visitor)
    limits = page.get_by_role("region", name=t("page.account.limits"))
    limits.get_by_role("button", name=LIMIT.format(most=t("page.account.none"))).click()
    page.get_by_label(t("page.account.new-limit")).fill("100.00")
    page.get_by_role("dialog").get_by_role("button", name=t("page.account.save")).click()
    expect(limits.get_by_role("button", name=LIMIT.format(most=100))).to_be_visible()
    limits.get_by_role("button", name=LIMIT.format(most=100)).click()
    page.get_by_label(t("page.account.new-limit")).fill("500.00")
    page.get_by_role("dialog").get_by_role("button", name=t("page.account.save")).click()
    expect(limits).to_contain_text(t("page.account.asked", most=500, when="").removesuffix(".").rstrip())
    expect(limits.get_by_role("button", name=LIMIT.format(most=100))).to_be_visible()
    money = page.get_by_role("region", name=t("page.account.money"))
    money.get_by_label(t("page.account.amount")).fill("100.01")
    money.get_by_role("button", name=t("page.account.pay-in"), exact=True).click()
    expect(money.get_by_role("alert")).to_contain_text("LIM-2")


@pytest.mark.clause("LIM-3", "PLY-2")
def test_breaks_are_asked_twice_and_hold_at_once(visitor: Comes) -> None:
    _, page = account(visitor)
    breaks = page.get_by_role("region", name=t("page.account.breaks"))
    breaks.get_by_label(t("page.account.every")).fill("30")
    breaks.get_by_role("button", name=t("page.account.save")).click()
    expect(page.get_by_label(t("page.parts.notes-notes")).get_by_text(t("page.account.saved"))).to_be_visible()
    breaks.get_by_role("button", name=t("page.account.cool-off")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=t("page.account.cancel")).click()
    expect(dialog).to_have_count(0)
    expect(breaks).not_to_contain_text(t("page.account.on-break", when="").removesuffix(".").rstrip())
    breaks.get_by_role("button", name=t("page.account.cool-off")).click()
    dialog.get_by_role("button", name=t("page.account.cool-yes", n=24)).click()
    expect(breaks).to_contain_text(t("page.account.on-break", when="").removesuffix(".").rstrip())
    breaks.get_by_role("button", name=t("page.account.exclude")).click()
    dialog.get_by_role("button", name=t("page.account.exclude-yes", n=183)).click()
    expect(breaks).to_contain_text("You have excluded yourself until")


def test_sessions_preferences_and_the_end(visitor: Comes) -> None:
    someone, page = account(visitor)
    expect(page.get_by_role("region", name=t("page.account.security"))).to_contain_text(t("page.account.here"))
    page.get_by_role("button", name=t("page.account.everywhere")).click()
    expect(page.get_by_label(t("page.parts.notes-notes"))).to_contain_text(t("page.account.ended", n=0))
    page.get_by_label(t("page.account.motion-reduced")).check()
    expect(page.locator("html")).to_have_class("still")
    page.get_by_role("radio", name="繁體中文").check()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.account.title", "zh-TW"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.get_by_role("radio", name="English").check()
    page.get_by_role("button", name=t("page.account.close")).click()
    expect(
        page.get_by_role("button", name=t("page.account.close-yes"))
    ).to_be_disabled()  # it is on record, with the reason
    page.get_by_label(t("page.account.why")).fill("I have had enough")
    page.get_by_role("button", name=t("page.account.close-yes")).click()
    expect(page.get_by_role("alert").last).to_contain_text("there is money in the wallet", ignore_case=True)
    page.keyboard.press("Escape")
    money = page.get_by_role("region", name=t("page.account.money"))
    money.get_by_label(t("page.account.amount")).fill("10000")
    money.get_by_role("button", name=t("page.account.pay-out")).click()
    expect(money.get_by_label(t("page.account.amount"))).to_have_value("")
    page.get_by_role("button", name=t("page.account.close")).click()
    page.get_by_role("button", name=t("page.account.close-yes")).click()
    expect(page).to_have_url(f"{someone.address}/")
    expect(page.get_by_role("button", name=t("page.lobby.guest"))).to_be_visible()


def _post(visitor: Visitor, path: str, data: dict[str, str]) -> None:
    """What the page of this visitor would send."""
    ask = visitor.context.request
    csrf = ask.get(f"{visitor.address}/api/session").json()["csrf"]
    sent = ask.post(f"{visitor.address}{path}", headers={"Origin": visitor.address, "X-Longhu-CSRF": csrf}, data=data)
    assert sent.ok, sent.text()


@pytest.mark.clause("SEC-2")
def test_whoever_has_a_password_gives_it_to_close_the_account(visitor: Comes) -> None:
    staff, someone = visitor(), visitor()
    person, given, password = f"leaver-{uuid4().hex[:8]}", "a good password", "a password of my own"
    staff.sign_in("supervisor", "play-money")
    _post(staff, "/api/people", {"person": person, "password": given})
    someone.sign_in(person, given)
    _post(someone, "/api/me/password", {"old": given, "new": password})
    page = someone.open("/account")
    page.get_by_role("button", name=t("page.account.close")).click()
    page.get_by_label(t("page.account.why")).fill("I have had enough")
    expect(page.get_by_role("button", name=t("page.account.close-yes"))).to_be_disabled()
    page.get_by_label(t("page.account.current")).fill("a guess of somebody")
    page.get_by_role("button", name=t("page.account.close-yes")).click()
    expect(page.get_by_role("alert").last).to_contain_text(
        "the password is wrong, or the account is locked", ignore_case=True
    )
    page.get_by_label(t("page.account.current")).fill(password)
    page.get_by_role("button", name=t("page.account.close-yes")).click()
    expect(page.get_by_role("button", name=t("page.lobby.guest"))).to_be_visible()


def test_a_patron_chooses_the_name_that_others_see(visitor: Comes) -> None:
    _, page = account(visitor)
    names = page.get_by_role("region", name=t("page.account.display-name"))
    names.get_by_label(t("page.account.shown-as")).fill("lucky")
    names.get_by_role("button", name=t("page.account.save")).click()
    expect(names.get_by_role("alert")).to_contain_text(t("display-name-like-sign-in-name"))
    names.get_by_label(t("page.account.shown-as")).fill("Lucky Seven")
    names.get_by_role("button", name=t("page.account.save")).click()
    expect(names.get_by_role("button", name=t("page.account.save"))).to_be_disabled()
    page.reload()
    expect(names.get_by_label(t("page.account.shown-as"))).to_have_value("Lucky Seven")


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")], ids=["desktop", "phone"])
def test_everybody_can_use_the_account(visitor: Comes, size: ViewportSize, locale: str) -> None:
    someone, page = account(visitor, size=size, locale=locale)
    expect(page.get_by_role("region")).to_have_count(8)
    expect(page.get_by_role("table")).to_be_visible()
    someone.check_access()


@pytest.mark.clause("SEC-2")
def test_two_tabs_are_of_the_same_person(visitor: Comes) -> None:
    someone, page = account(visitor)
    first = page.locator("main code").inner_text()
    other = someone.context.new_page()
    other.goto(someone.address)
    other.get_by_role("button", name=t("page.parts.top-bar-sign-out")).click()
    expect(page.get_by_text(t("page.account.sign-in"))).to_be_visible()
    other.get_by_role("button", name=t("page.lobby.guest")).click()
    expect(page.locator("main code")).to_be_visible()
    expect(page.locator("main code")).not_to_have_text(first)
    page.get_by_label(t("page.account.amount")).fill("5")
    page.get_by_role("button", name=t("page.account.pay-in"), exact=True).click()
    expect(page.get_by_role("region", name=t("page.account.money"))).to_contain_text("10,005")
    someone.complaints.clear()  # that nobody is signed in any more is answered with 401


def test_whoever_is_not_signed_in_is_told_where_to_go(visitor: Comes) -> None:
    someone = visitor()
    page = someone.open("/account")
    expect(page.get_by_text(t("page.account.sign-in"))).to_be_visible()
    someone.check_access()
