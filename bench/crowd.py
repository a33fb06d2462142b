"""A crowd of clients in a process of its own, for `bench/serve.py`: plain sockets, and as little work for each message as can be.

It knows nothing of what it sends. A plan says for each connection what to send at first, then what to ask, in two parts with
a number between them, and which bytes mark an answer. Each connection keeps so many questions on their way, and asks the next as
soon as one is answered. `watch` asks nothing and reads whatever comes; the last so many of those never read.
"""

from __future__ import annotations

import os
import resource
import select
import socket
import sys
import time
from collections import deque
from pathlib import Path

import msgspec

CHUNK = 1 << 18
SMALL = 4096  # bytes that wait for a connection which never reads
DIGITS = 12  # of the number of a question: all are of one length


class Connection(msgspec.Struct, frozen=True):
    """What one client says."""

    hello: bytes = b""
    before: bytes = b""
    after: bytes = b""


class Plan(msgspec.Struct, frozen=True):
    host: str
    port: int
    connections: list[Connection]
    answer: bytes = b""
    wrong: list[bytes] = []  # what no answer may have
    window: int = 1  # questions of one connection that are on their way
    warms: float = 1.0  # seconds before anything is counted
    seconds: float = 4.0
    first: int = 0  # the number of the first question
    silent: int = 0  # connections that never read


class Asked(msgspec.Struct):
    """What came of asking."""

    rate: float  # answers a second
    median: float  # seconds
    p99: float
    busy: float  # part of a core that this process took: at 1 it was the bottleneck itself


class Client:
    """One connection that asks."""

    __slots__ = ("_kept", "fd", "number", "said", "sent", "socket")

    def __init__(self, connected: socket.socket, said: Connection, number: int) -> None:
        self.socket, self.said, self.number = connected, said, number
        self.fd = connected.fileno()
        self.sent: deque[float] = deque()
        self._kept = b""

    def ask(self, count: int) -> None:
        now, first = time.perf_counter(), self.number
        self.number += count
        said = self.said
        asked = b"".join([said.before + b"%0*d" % (DIGITS, each) + said.after for each in range(first, self.number)])
        self.socket.sendall(asked)
        self.sent.extend([now] * count)

    def answered(self, plan: Plan) -> int:
        """How many answers came; an answer may come in two pieces."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return 0
        if not data:
            raise SystemExit("the server has closed a connection")
        data = self._kept + data
        wrong = next((each for each in plan.wrong if each in data), None)
        if wrong is not None:
            place = data.index(wrong)
            raise SystemExit(f"a wrong answer: {data[max(0, place - 200) : place + 500]!r}")
        self._kept = data[data.rfind(plan.answer) + len(plan.answer) :][-len(plan.answer) + 1 :]
        return data.count(plan.answer)


def connected(plan: Plan) -> list[socket.socket]:
    """All of them, each greeted."""
    opened = []
    for place, each in enumerate(plan.connections):
        one = socket.socket()
        if place >= len(plan.connections) - plan.silent:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        one.connect((plan.host, plan.port))
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if each.hello:
            one.sendall(each.hello)
            while b"\r\n\r\n" not in one.recv(CHUNK, socket.MSG_PEEK):
                time.sleep(0.001)
        opened.append(one)
    return opened


def ask(plan: Plan) -> Asked:
    clients = {}
    poll = select.epoll()
    for one, said in zip(connected(plan), plan.connections, strict=True):
        client = Client(one, said, plan.first)
        clients[client.fd] = client
        poll.register(one, select.EPOLLIN)
    for client in clients.values():
        client.ask(plan.window)
    starts = time.perf_counter() + plan.warms
    ends, answers, seconds, cpu = starts + plan.seconds, 0, [], time.process_time()
    counts = False
    while (now := time.perf_counter()) < ends:
        if not counts and now >= starts:
            counts, cpu, starts = True, time.process_time(), now
        for fd, _ in poll.poll(0.1):
            client = clients[fd]
            count = client.answered(plan)
            if not count:
                continue
            now = time.perf_counter()
            took = [now - client.sent.popleft() for _ in range(count)]
            if counts:
                answers += count
                seconds += took
            client.ask(count)
    seconds.sort()
    wall = now - starts
    return Asked(
        answers / wall,
        seconds[len(seconds) // 2],
        seconds[len(seconds) * 99 // 100],
        (time.process_time() - cpu) / wall,
    )


def watch(plan: Plan) -> None:
    """Read whatever comes until nobody wants it any more."""
    poll = select.epoll()
    opened = connected(plan)
    reading = opened[: len(opened) - plan.silent]
    for one in reading:
        one.setblocking(False)
        poll.register(one, select.EPOLLIN)
    poll.register(sys.stdin, select.EPOLLIN)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        for fd, _ in poll.poll():
            if fd == sys.stdin.fileno():
                return
            try:
                os.read(fd, CHUNK)
            except BlockingIOError:
                continue


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    plan = msgspec.msgpack.decode(Path(sys.argv[2]).read_bytes(), type=Plan)
    if sys.argv[1] == "watch":
        watch(plan)
    else:
        sys.stdout.write(msgspec.json.encode(ask(plan)).decode())


if __name__ == "__main__":
    main()
