"""A process that splits off one server after the other, each to be killed.

It is started once, for starting Python each time would take longer than all the rest. Each line that it gets is the
configuration of a server; it tells the server's process number, the address once requests are answered, and `ended` when the
server is no more. What servers log goes to the standard error.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys

import msgspec
import uvloop

from longhu.server import observability
from longhu.server.api.app import running
from longhu.server.config import Config
from tests.store.server import END_WITH_PARENT


async def answer(config: Config) -> None:
    """As `longhu serve`, without the furniture of a demonstration."""
    async with running(config) as (_, address, _):
        tell(address)
        await asyncio.Event().wait()


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def end_with_parent() -> None:
    """Nothing outlives a test run that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)


def main() -> None:
    end_with_parent()
    for line in sys.stdin.buffer:
        child = os.fork()
        if child == 0:
            end_with_parent()
            config = msgspec.json.decode(line, type=Config)
            observability.configure(config)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(answer(config))
            os._exit(1)
        tell(str(child))
        os.waitpid(child, 0)
        tell("ended")


if __name__ == "__main__":
    main()
