"""The account in a real browser: play money, own limits, breaks, sessions, preferences, closing."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor

Comes = Callable[..., Visitor]


def account(visitor: Comes, **options: object) -> tuple[Visitor, Page]:
    someone = visitor(**options)
    someone.come_as_guest()
    return someone, someone.open("/account")


def test_play_money_goes_in_and_out(visitor: Comes) -> None:
    _, page = account(visitor)
    money = page.get_by_role("region", name="Money")
    money.get_by_label("Amount").fill("250.50")
    money.get_by_role("button", name="Pay in").click()
    expect(money).to_contain_text("10,250.50")
    money.get_by_label("Amount").fill("10250.50")
    money.get_by_role("button", name="Take out").click()
    expect(page.get_by_role("banner")).not_to_contain_text("10,250.50")
    money.get_by_label("Amount").fill("1")
    money.get_by_role("button", name="Take out").click()
    expect(money.get_by_role("alert")).to_contain_text("in the wallet")


@pytest.mark.clause("LIM-2")
def test_a_lower_limit_holds_at_once_and_a_higher_one_waits(visitor: Comes) -> None:
    _, page = account(visitor)
    limits = page.get_by_role("region", name="Your own limits")
    limits.get_by_role("button", name="Paid in, a day: no limit").click()
    page.get_by_label("At most").fill("100.00")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(limits.get_by_role("button", name="Paid in, a day: 100.")).to_be_visible()
    limits.get_by_role("button", name="Paid in, a day: 100.").click()
    page.get_by_label("At most").fill("500.00")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(limits).to_contain_text("500 asked for; can be confirmed from")
    expect(limits.get_by_role("button", name="Paid in, a day: 100.")).to_be_visible()
    money = page.get_by_role("region", name="Money")
    money.get_by_label("Amount").fill("100.01")
    money.get_by_role("button", name="Pay in").click()
    expect(money.get_by_role("alert")).to_contain_text("LIM-2")


@pytest.mark.clause("LIM-3", "PLY-2")
def test_breaks_are_asked_twice_and_hold_at_once(visitor: Comes) -> None:
    _, page = account(visitor)
    breaks = page.get_by_role("region", name="Breaks")
    breaks.get_by_label("Every … minutes").fill("30")
    breaks.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Notes").get_by_text("Done.")).to_be_visible()
    breaks.get_by_role("button", name="Take a break").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(breaks).not_to_contain_text("You are taking a break until")
    breaks.get_by_role("button", name="Take a break").click()
    dialog.get_by_role("button", name="Take a break of 24 hours").click()
    expect(breaks).to_contain_text("You are taking a break until")
    breaks.get_by_role("button", name="Exclude yourself").click()
    dialog.get_by_role("button", name="Exclude me for 183 days").click()
    expect(breaks).to_contain_text("You have excluded yourself until")


def test_sessions_preferences_and_the_end(visitor: Comes) -> None:
    someone, page = account(visitor)
    expect(page.get_by_role("region", name="Sign-in")).to_contain_text("here")
    page.get_by_role("button", name="Sign out everywhere else").click()
    expect(page.get_by_label("Notes")).to_contain_text("0 sessions ended")
    page.get_by_label("reduced").check()
    expect(page.locator("html")).to_have_class("still")
    page.get_by_label("中文").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("您的账户")
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close the account").click()
    expect(page.get_by_role("button", name="Close it for good")).to_be_disabled()  # it is on record, with the reason
    page.get_by_label("Why?").fill("I have had enough")
    page.get_by_role("button", name="Close it for good").click()
    expect(page.get_by_role("alert").last).to_contain_text("There is money in the wallet")
    page.keyboard.press("Escape")
    money = page.get_by_role("region", name="Money")
    money.get_by_label("Amount").fill("10000")
    money.get_by_role("button", name="Take out").click()
    expect(money.get_by_label("Amount")).to_have_value("")
    page.get_by_role("button", name="Close the account").click()
    page.get_by_role("button", name="Close it for good").click()
    expect(page).to_have_url(f"{someone.address}/")
    expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()


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
    page.get_by_role("button", name="Close the account").click()
    page.get_by_label("Why?").fill("I have had enough")
    expect(page.get_by_role("button", name="Close it for good")).to_be_disabled()
    page.get_by_label("Your password").fill("a guess of somebody")
    page.get_by_role("button", name="Close it for good").click()
    expect(page.get_by_role("alert").last).to_contain_text("The password is wrong, or the account is locked")
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name="Close it for good").click()
    expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()


def test_a_patron_chooses_the_name_that_others_see(visitor: Comes) -> None:
    _, page = account(visitor)
    names = page.get_by_role("region", name="Name at the tables")
    names.get_by_label("Shown as").fill("lucky")
    names.get_by_role("button", name="Save").click()
    expect(names.get_by_role("alert")).to_contain_text("could be a name to sign in with")
    names.get_by_label("Shown as").fill("Lucky Seven")
    names.get_by_role("button", name="Save").click()
    expect(names.get_by_role("button", name="Save")).to_be_disabled()
    page.reload()
    expect(names.get_by_label("Shown as")).to_have_value("Lucky Seven")


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
    other.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("Sign in to see your account.")).to_be_visible()
    other.get_by_role("button", name="Play as a guest").click()
    expect(page.locator("main code")).to_be_visible()
    expect(page.locator("main code")).not_to_have_text(first)
    page.get_by_label("Amount").fill("5")
    page.get_by_role("button", name="Pay in").click()
    expect(page.get_by_role("region", name="Money")).to_contain_text("10,005")
    someone.complaints.clear()  # that nobody is signed in any more is answered with 401


def test_whoever_is_not_signed_in_is_told_where_to_go(visitor: Comes) -> None:
    someone = visitor()
    page = someone.open("/account")
    expect(page.get_by_text("Sign in to see your account.")).to_be_visible()
    someone.check_access()
