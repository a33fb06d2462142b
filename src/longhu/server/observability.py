"""Log lines and metrics of the server, for those who run it. The audit log is something else.

A log line never holds a password, a token, a secret or a card: no caller passes one, and fields whose names suggest one are masked here.
"""

from __future__ import annotations

import collections
import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector
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


# ------------------------------------------------ metrics

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """What one application counts, never a person, a card or a secret; each has its own, so that two in one process do not mix."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.requests = Counter(
            "longhu_requests", "Requests answered", ("method", "route", "status"), registry=registry
        )
        self.seconds = Histogram(
            "longhu_request_seconds", "How long an answer took", ("route",), buckets=SECONDS, registry=registry
        )
        self.commands = collections.Counter[str]()  # by what became of them, since somebody last looked
        self._commands = Counter(
            "longhu_commands", "Commands at tables, by what became of them", ("result",), registry=registry
        )
        self.sockets = Gauge("longhu_sockets", "WebSockets that are open", registry=registry)
        self.dropped = Counter(
            "longhu_sockets_dropped", "Times that a slow socket was sent a snapshot instead", registry=registry
        )
        self.tables = Gauge("longhu_tables", "Tables of the house", registry=registry)
        self.driven = Gauge("longhu_tables_driven", "Tables that this node drives", registry=registry)
        self.alerts = Gauge("longhu_alerts_open", "Alerts that nobody has acknowledged", registry=registry)

    def told(self) -> bytes:
        while self.commands:
            result, times = self.commands.popitem()
            self._commands.labels(result).inc(times)
        return generate_latest(self.registry)
