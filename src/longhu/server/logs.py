"""Log lines of the server, as JSON or for a console. They are for whoever runs it; the audit trail is something else.

A line never has a password, a token, a secret or a card: whoever logs does not give one, and names that could hold one are
struck out here in case somebody does.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.types import Processor

from longhu.server.config import Config

HIDDEN = frozenset(
    ["authorization", "card", "cards", "cookie", "csrf", "key", "order", "password", "secret", "signatures", "token"]
)
OURS = "longhu"


def _without_secrets(_logger: object, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: "…" if name in HIDDEN else value for name, value in event.items()}


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    _without_secrets,
]

structlog.configure(
    processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(OURS)


def configure(config: Config, stream: TextIO | None = None) -> logging.Handler:
    """Send every line to a stream, standard error unless told, until it is removed."""
    last: list[Processor] = (
        [structlog.processors.JSONRenderer(ensure_ascii=False)]
        if config.log_format == "json"
        else [structlog.dev.ConsoleRenderer(colors=(stream or sys.stderr).isatty())]
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)  # other people's libraries
    logging.getLogger(OURS).setLevel(config.log_level.upper())
    return handler


def remove(handler: logging.Handler) -> None:
    """Send no more lines there."""
    logging.getLogger().removeHandler(handler)
    logging.getLogger(OURS).setLevel(logging.NOTSET)
