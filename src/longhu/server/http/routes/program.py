"""What this node runs, hashed anew when somebody who audits asks for it (LOG-10)."""

from __future__ import annotations

from importlib.metadata import version

import msgspec
from litestar import get

from longhu.server.http import guards
from longhu.server.http.fields import Time
from longhu.server.http.routes.audit import AUDIT
from longhu.server.people.program import running_now


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """The program of the node that answers, as it lies on its disk now."""

    node: str
    version: str
    digest: str
    definitions: dict[str, str]  # the digest of each game file that comes with it
    right: bool  # what lies there is what was started
    wrong: str = ""  # and this is why no further round starts here
    at: Time


@get("/api/audit/program", opt=AUDIT)
async def program(request: guards.Asked) -> Program:
    """Hash the program and its game files again; where they are not what was started, this node starts no further round (LOG-10)."""
    house = guards.house(request)
    found = await running_now()
    await house.maintenance.check_program(found)
    changed = house.maintenance.changed
    return Program(
        node=house.config.node,
        version=version("longhu"),
        digest=found.digest,
        definitions=found.definitions,
        right=changed is None,
        wrong="" if changed is None else changed.reason,
        at=house.now(),
    )


HANDLERS = [program]
