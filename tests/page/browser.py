"""A real browser for the tests of the page: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

BUILT = Path(__file__).parents[2] / "src" / "longhu" / "server" / "page" / "index.html"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = [
    "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu",
]  # fmt: skip
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
TABLET: ViewportSize = {"width": 834, "height": 1112}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE_MS = 30_000  # on a machine that does other things
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Where the browser is; a test that cannot find one fails and says what to do, it never passes by itself."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail("no Chromium is installed: run `make browser`, or install the package chromium-headless-shell")
    if not BUILT.exists():
        pytest.fail("the page is not built: run `make page`")
    return found


@contextmanager
def started() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a browser of their own; whatever the page complains about on the way fails the test."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console", lambda said: self.complaints.append(said.text) if _is_serious(said.type, said.text) else None
        )

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.address + path)
        return self.page

    def come_as_guest(self) -> None:
        """Signed in as a guest, without the page: the cookie is all that it takes."""
        answer = self.context.request.post(f"{self.address}/api/guests", headers={"Origin": self.address})
        assert answer.ok, answer.text()

    def sign_in(self, person: str, password: str) -> None:
        answer = self.context.request.post(
            f"{self.address}/api/session",
            headers={"Origin": self.address},
            data={"person": person, "password": password},
        )
        assert answer.ok, answer.text()

    def check_access(self) -> None:
        """axe-core finds nothing wrong with what the page shows now. It comes in by the debugger, so the policy stays strict."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        wrong = [
            f"{each['id']}: {each['help']} at {', '.join(str(node['target']) for node in each['nodes'][:5])}"
            for each in found["violations"]
        ]
        assert not wrong, "\n".join(wrong)


def _is_serious(kind: str, text: str) -> bool:
    """Errors of the page; an answer of the house that is a refusal is no error of the page."""
    return kind == "error" and "Failed to load resource" not in text
