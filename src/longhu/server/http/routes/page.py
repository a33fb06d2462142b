"""The page that a browser opens: the built one where there is one, else a plain list of the tables. And what the API is."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from litestar import Response, get
from litestar.datastructures import CacheControlHeader
from litestar.handlers import HTTPRouteHandler
from litestar.router import Router
from litestar.static_files import create_static_files_router

from longhu.server.http import guards
from longhu.server.http.description import describe
from longhu.server.http.edge import POLICY
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind

BUILT = Path(__file__).parents[2] / "page"  # made from web/, where that has been done
HTML = "text/html"
CHECKER = "/fairness/check/"
_OWN_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)"')
UNTOLD = {**ANYBODY, "told": False}  # no part of the API


@get("/api/schema/openapi.json", opt=UNTOLD)
async def openapi(request: guards.Asked) -> dict[str, Any]:
    """This description."""
    state = request.app.state
    if "description" not in state:
        state.description = describe(request.app)
    told: dict[str, Any] = state.description
    return told


@get("/api/problems", opt=UNTOLD)
async def kinds_of_problems() -> Response[str]:
    """What each type of a problem means."""
    rows = "".join(f'<dt id="{each.id}">{each.id} ({each.status})</dt><dd>{escape(each.title)}.</dd>' for each in Kind)
    return _html("Problems", f"<h1>Problems</h1><dl>{rows}</dl>")


@get(CHECKER, opt=UNTOLD)
async def checker() -> Response[str]:
    """The page with which anybody checks a shuffle, also offline: one file with its own script in it."""
    page = files("longhu.fairness").joinpath("check", "index.html").read_text(encoding="utf-8")
    own = _OWN_POLICY.search(page)
    if own is None:
        raise AssertionError("the page that checks shuffles says nothing of the scripts in it")
    return Response(page, media_type=HTML, headers={"Content-Security-Policy": f"{own[1]}; frame-ancestors 'none'"})


@get("/", opt=UNTOLD)
async def plain_page(request: guards.Asked) -> Response[str]:
    """The tables, for whoever opens the address in a browser before there is a page."""
    house = guards.house(request)
    rows = []
    for name, live in sorted(house.tables.items()):
        stands = "open" if live.durable.state.settings is not None else "closed"
        address = f"/api/tables/{quote(name)}"
        rows.append(f'<li><a href="{address}">{escape(name)}</a>: {escape(live.game.name.en)}, {stands}</li>')
    money = "<p><strong>Play money: nothing here is worth anything.</strong></p>" if house.config.demo else ""
    tables = f"<ul>{''.join(rows)}</ul>" if rows else "<p>No table is open yet.</p>"
    return _html(
        "Longhu",
        f"<h1>Longhu 龍虎</h1>{money}<h2>Tables</h2>{tables}<h2>More</h2><ul>"
        '<li><a href="/api/schema/openapi.json">The API, described</a></li>'
        '<li><a href="/api/games">The games, with what they pay</a></li>'
        f'<li><a href="{CHECKER}">Check a shuffle</a></li></ul>',
    )


def _html(title: str, body: str) -> Response[str]:
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>{body}</body></html>'
    )
    return Response(text, media_type=HTML, headers={"Content-Security-Policy": POLICY})


def handlers() -> list[HTTPRouteHandler | Router]:
    """The built page at / where there is one, and the plain one otherwise."""
    found: list[HTTPRouteHandler | Router] = [openapi, kinds_of_problems, checker]
    if not (BUILT / "index.html").exists():
        return [*found, plain_page]
    unchanged = CacheControlHeader(no_cache=True)  # asked about each time, and sent again only if it is another
    built = create_static_files_router("/", directories=[BUILT], html_mode=True, opt=UNTOLD, cache_control=unchanged)
    return [*found, built]
