"""Metrics of one application, for Prometheus."""

from __future__ import annotations

import collections

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

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
