"""The page that a browser opens: the built one, or a plain list of the tables where none was built; and pages about the API."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import quote

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.router import Router

from longhu.server.api import guards
from longhu.server.api.description.asyncapi import describe as describe_socket
from longhu.server.api.description.openapi import describe
from longhu.server.api.guards import ANYBODY
from longhu.server.api.http import POLICY
from longhu.server.problems import NOTHING_HERE, ProblemKind, Trouble

BUILT = Path(__file__).parents[1] / "page"  # made from web/, where that has been done
HTML = "text/html"
CHECKER = "/fairness/check/"
ASKED_EACH_TIME = "no-cache"  # and sent again only if it is another
PACKED = {"br": ".br", "gzip": ".gz"}  # how the build packs its files, the smallest first, and how their names end
FOR_GOOD = "public, max-age=31536000, immutable"  # another content has another name
_OWN_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)"')
UNTOLD = {**ANYBODY, "told": False}  # no part of the API


@get("/api/schema/openapi.json", opt=UNTOLD)
async def openapi(request: guards.Request) -> dict[str, Any]:
    """This description."""
    state = request.app.state
    if "description" not in state:
        state.description = describe(request.app)
    told: dict[str, Any] = state.description
    return told


@get("/api/schema/asyncapi.json", opt=UNTOLD)
async def asyncapi() -> dict[str, Any]:
    """The description of the WebSocket."""
    return _socket_description()


@cache
def _socket_description() -> dict[str, Any]:
    return describe_socket()


@get("/api/problems", opt=UNTOLD)
async def kinds_of_problems() -> Response[str]:
    """What each type of a problem means."""
    rows = "".join(
        f'<dt id="{each.id}">{each.id} ({each.status})</dt><dd>{escape(each.title)}.</dd>' for each in ProblemKind
    )
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
async def plain_page(request: guards.Request) -> Response[str]:
    """The tables, for whoever opens the address in a browser before there is a page."""
    house = guards.house(request)
    rows = []
    for name, live in sorted(house.tables.items()):
        stands = "open" if live.state.settings is not None else "closed"
        address = f"/api/tables/{quote(name)}"
        rows.append(f'<li><a href="{address}">{escape(name)}</a>: {escape(live.game.name.en)}, {stands}</li>')
    money = "<p><strong>Play money: nothing here is worth anything.</strong></p>" if house.config.demo else ""
    tables = f"<ul>{''.join(rows)}</ul>" if rows else "<p>No table is open yet.</p>"
    return _html(
        "Longhu",
        f"<h1>Longhu 龍虎</h1>{money}<h2>Tables</h2>{tables}<h2>More</h2><ul>"
        '<li><a href="/api/schema/openapi.json">The API, described</a></li>'
        '<li><a href="/api/schema/asyncapi.json">The socket of a table, described</a></li>'
        '<li><a href="/api/games">The games, with what they pay</a></li>'
        f'<li><a href="{CHECKER}">Check a shuffle</a></li></ul>',
    )


def _html(title: str, body: str) -> Response[str]:
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>{body}</body></html>'
    )
    return Response(text, media_type=HTML, headers={"Content-Security-Policy": POLICY})


@get(["/", "/{path:path}"], opt=UNTOLD)
async def built_page(request: guards.Request, path: FromPath[str] = "/") -> Response[bytes]:
    """A file of the built page. Any other address is the page's own business: a browser gets the page, which shows what belongs there."""
    found = _built(path)
    if found is not None:
        return _file(request, found, FOR_GOOD if path.startswith("/assets/") else ASKED_EACH_TIME)
    browsing = path == "/" or HTML in request.headers.get("accept", "")
    if path.startswith("/api/") or not browsing:
        raise Trouble(ProblemKind.NOT_FOUND, NOTHING_HERE())
    return _file(request, BUILT / "index.html", ASKED_EACH_TIME)


def _built(path: str) -> Path | None:
    """The file of the built page with this path; None where there is none, or where no file can be called so."""
    try:
        found = (BUILT / path.lstrip("/")).resolve()
        return found if found.is_file() and found.is_relative_to(BUILT) else None
    except (OSError, ValueError):
        return None


def _file(request: guards.Request, file: Path, keep: str) -> Response[bytes]:
    """A file as the build packed it for whoever can unpack it, or as it is; the policy goes with every one."""
    accepted = request.headers.get("accept-encoding", "")
    coding = next((each for each in PACKED if each in accepted and _packed(file, each).is_file()), "")
    sent = _packed(file, coding) if coding else file
    content, tag = _content(sent, sent.stat().st_mtime_ns)
    headers = {"Cache-Control": keep, "Content-Security-Policy": POLICY, "ETag": tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    if coding:
        headers["Content-Encoding"] = coding
    return Response(content, media_type=guess_type(file.name)[0] or "application/octet-stream", headers=headers)


def _packed(file: Path, coding: str) -> Path:
    return file.with_name(file.name + PACKED[coding])


@lru_cache(maxsize=256)
def _content(file: Path, _changed: int) -> tuple[bytes, str]:
    """The content and its tag; read once, as long as the file stays the same."""
    content = file.read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


def handlers() -> list[HTTPRouteHandler | Router]:
    """The built page at / where there is one, and the plain one otherwise."""
    found: list[HTTPRouteHandler | Router] = [openapi, asyncapi, kinds_of_problems, checker]
    return [*found, built_page if (BUILT / "index.html").exists() else plain_page]
