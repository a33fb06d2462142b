"""Tables for the tests of the dealer's console: opened, filled and brought to a moment over the API, as other screens would."""

from __future__ import annotations

import itertools
from typing import Any
from uuid import uuid4

from playwright.sync_api import APIResponse, Browser, BrowserContext

from longhu.cards import DECK
from tests.page.houses import PASSWORD, DemoHouse

STAFF = ("dealer", "supervisor", "pit-manager", "shift-manager", "operator")
BUY_IN = "300.00"  # of each patron at each table: a guest's wallet lasts for those of a whole file
PHYSICAL = {"chips": "physical", "float": "100000.00", "counted": {"10000.00": 10}}
SEATS = 2  # so few that no robot sits down
_numbers = itertools.count(1)


class Person:
    """Somebody who is signed in and asks without a screen."""

    def __init__(self, context: BrowserContext, address: str, signed: APIResponse) -> None:
        assert signed.ok, signed.text()
        told = signed.json()
        self.name: str = told["person"]
        self.context, self._address, self._csrf = context, address, told["csrf"]

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Origin": self._address, "X-Longhu-CSRF": self._csrf}
        answer = self.context.request.fetch(f"{self._address}/api/{path}", method=method, headers=headers, data=body)
        assert answer.ok, f"{method} {path} {body}: {answer.text()}"
        return answer.json()

    def act(self, path: str, **body: Any) -> Any:
        return self.ask("POST", path, {"id": str(uuid4()), **body})

    def give(self, table: str, command: str, *, cosigned_by: str = "", **told: Any) -> Any:
        signed = {"signatures": [{"person": cosigned_by, "password": PASSWORD}]} if cosigned_by else {}
        return self.act(f"tables/{table}/commands", command={"command": command, **told}, **signed)

    def refused(self, table: str, command: str, **told: Any) -> Any:
        """What the house says against a command that it does not take."""
        body = {"id": str(uuid4()), "command": {"command": command, **told}}
        headers = {"Origin": self._address, "X-Longhu-CSRF": self._csrf}
        answer = self.context.request.post(f"{self._address}/api/tables/{table}/commands", headers=headers, data=body)
        assert answer.status == 409, answer.text()
        return answer.json()


class Floor:
    """A house, its staff and two guests; tables are opened here, one for each test."""

    def __init__(self, browser: Browser, house: DemoHouse) -> None:
        self.address = house.address
        self._contexts: list[BrowserContext] = []
        self.staff = {name: self._signed(browser, "session", person=name, password=PASSWORD) for name in STAFF}
        self.dealer, self.supervisor = self.staff["dealer"], self.staff["supervisor"]
        self.ann, self.bob = self._signed(browser, "guests"), self._signed(browser, "guests")

    def _signed(self, browser: Browser, path: str, **body: str) -> Person:
        context = browser.new_context()
        self._contexts.append(context)
        url, headers = f"{self.address}/api/{path}", {"Origin": self.address}
        answer = context.request.post(url, headers=headers, data=body or None)
        return Person(context, self.address, answer)

    def close(self) -> None:
        for each in self._contexts:
            each.close()

    def opened(
        self,
        game: str,
        *,
        device: str = "hand-shoe",
        method: str = "",
        dealer: str = "human",
        decks: int = 0,
        chips: str = "electronic",
        buy_in: str = BUY_IN,
        readings: dict[str, str] | None = None,
    ) -> Table:
        """A table with two patrons with chips, and where a person deals nothing in its shoe yet."""
        name = f"p{next(_numbers)}-{game}"[:40]
        self.staff["operator" if game == "dragon-21" else "pit-manager"].act(
            "tables",
            table=name,
            game=game,
            dealer=dealer,
            device=device,
            method=method,
            decks=decks,
            positions=self._positions(game),
            readings=readings or {},
            minimum="10.00",
            maximum="500.00",
            favours_patrons=["dragon", "tiger"] if game == "dragon-21" else [],  # as it is printed
            **(PHYSICAL if chips == "physical" else {}),
            signatures=[{"person": "supervisor", "password": PASSWORD}],
        )
        return Table(self, name, game, buy_in)

    def _positions(self, game: str) -> int:
        """Two, or as few as there can be."""
        layouts = self.dealer.ask("GET", f"games/{game}")["rules"]["layouts"]
        span = [*layouts.values()][-1]["positions"]
        return max(span["min"] or 1, min(SEATS, span["max"] or SEATS))


class Table:
    """One table, and what happens at it."""

    def __init__(self, floor: Floor, name: str, game: str, buy_in: str) -> None:
        self.floor, self.name, self.game = floor, name, game
        self.rules: dict[str, Any] = floor.dealer.ask("GET", f"tables/{name}/rules")["rules"]
        first, second = (hand["id"] for hand in self.rules["hands"])
        self.hands: tuple[str, str] = first, second
        view = self.view()
        self.electronic, self.decks = view["notice"]["device"] == "virtual", view["notice"]["decks"]
        offered = view["notice"]["limits"]
        self.bets = [
            (patron, place, next(id for id in offered if self.rules["wagers"][id]["hand"] == hand))
            for place, (patron, hand) in enumerate(zip((floor.ann, floor.bob), self.hands, strict=True), start=1)
            if place <= view["notice"]["positions"]
        ]
        for patron, place, _ in self.bets:
            patron.act(f"tables/{name}/seat", seat=place, buy_in=buy_in)

    def dealer(self, command: str, **told: Any) -> None:
        self.floor.dealer.give(self.name, command, **told)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.floor.dealer.ask("GET", f"tables/{self.name}")["view"]
        return found

    def may(self, command: str, person: Person | None = None) -> bool:
        acts = (person or self.floor.dealer).ask("GET", f"tables/{self.name}/acts")
        return command in acts["told"] or any(each["command"] == command for each in acts["ready"])

    def awaited(self) -> dict[str, Any] | None:
        """The report that waits for a second person."""
        found: dict[str, Any] | None = self.floor.dealer.ask("GET", f"tables/{self.name}/acts")["awaited"]
        return found

    # ------------------------------------------------ to a moment of a round

    def between(self) -> Table:
        """No round is in progress, and a shoe is there: what was left of another test is void."""
        if left := self.awaited():
            self.dealer("reject-report", number=left["number"], reason="the test is over")
        if self.view()["round"] is not None:
            if not self.view()["round"]["waits"]:
                self.dealer("report-incident", told="the test is over")
            self.floor.staff["shift-manager"].give(
                self.name, "make-ruling", cosigned_by="supervisor", decision="void", reason="the test is over"
            )
        if not self.may("call-place-your-bets"):
            self.loaded()
        return self

    def loaded(self) -> Table:
        """With a new shoe: a physical one is counted, where that is asked for, and cut; an electronic one is the house's."""
        if self.electronic:
            self.floor.dealer.ask("POST", f"tables/{self.name}/shoe?id={uuid4()}")
            while not self.may("call-place-your-bets"):
                pass
            return self
        if not self.may("load-shoe"):
            for counter in (self.floor.dealer, self.floor.supervisor):
                counter.give(self.name, "verify-cards", counted=self.decks * len(DECK))
        seated = self.seated()
        try:
            self.dealer("load-shoe", declined=seated)
        except AssertionError:  # a robot has sat down meanwhile
            if seated == self.seated():
                raise
            self.dealer("load-shoe", declined=self.seated())
        return self

    def seated(self) -> list[str]:
        return [each["person"] for each in self.view()["seats"].values() if each["seat"] is not None]

    def betting(self) -> Table:
        self.between()
        self.dealer("call-place-your-bets")
        for patron, place, wager in self.bets:
            patron.give(self.name, "place-wager", place=place, wager=wager, amount="50.00")
        return self

    def closed(self) -> Table:
        self.betting()
        self.dealer("call-no-more-bets")
        return self

    def dealt(self, *cards: str) -> Table:
        """After these cards; "" lies face down, or is the electronic shoe's to tell."""
        self.closed()
        for card in cards:
            self.dealer("draw-card", **({"card": card} if card else {}))
        return self

    def round(self, *cards: str) -> Table:
        """A whole round without wagers, with these cards."""
        self.between()
        self.dealer("call-place-your-bets")
        self.dealer("call-no-more-bets")
        for card in cards:
            self.dealer("draw-card", card=card)
        self.dealer("announce-result")
        return self

    def passed(self) -> Table:
        """After the initial deal face down, with each hand at whoever is entitled to it."""
        self.dealt("", "", "", "")
        self.dealer("pass-hands")
        return self
