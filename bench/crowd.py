"""A crowd of clients in a process of its own, for `bench/serve.py`: plain sockets, and as little work for each message as can be.

It knows nothing of what it sends. A plan says for each connection what to send at first, then what to ask, in two parts with
a number between them, and which bytes mark an answer. Each connection keeps so many questions on their way, and asks the next as
soon as one is answered; or, where the plan has a rate, all of them together ask so many a second, come what may. `watch` asks
nothing and reads whatever comes; the last so many of those never read.
"""

from __future__ import annotations

import os
import resource
import select
import socket
import sys
import time
from collections import deque
from itertools import cycle
from pathlib import Path

import msgspec

CHUNK = 1 << 18
SMALL = 4096  # bytes that wait for a connection which never reads
PATIENCE = 20.0  # seconds for the last answers
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
    rate: float = 0.0  # questions a second of all connections; 0 asks as soon as there is an answer
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

    def ask(self, count: int, meant: float | None = None) -> None:
        """Ask so much now; the time counts from when it was meant to be asked."""
        now, first = time.perf_counter() if meant is None else meant, self.number
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


def ready(plan: Plan) -> tuple[select.epoll, dict[int, Client]]:
    clients = {}
    poll = select.epoll()
    for one, said in zip(connected(plan), plan.connections, strict=True):
        client = Client(one, said, plan.first)
        clients[client.fd] = client
        poll.register(one, select.EPOLLIN)
    return poll, clients


def ask(plan: Plan) -> Asked:
    """As much as is answered: the next question when there is an answer."""
    poll, clients = ready(plan)
    for client in clients.values():
        client.ask(plan.window)
    starts = time.perf_counter() + plan.warms
    ends, seconds, cpu = starts + plan.seconds, list[float](), time.process_time()
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
                seconds += took
            client.ask(count)
    return told(seconds, now - starts, time.process_time() - cpu)


def ask_steadily(plan: Plan) -> Asked:
    """So many questions a second, one connection after the other, whether there are answers or not.

    Each counts from the moment at which it was meant to be asked: a server that makes everybody wait must not be asked less for it.
    """
    poll, clients = ready(plan)
    turns = cycle(clients.values())
    begun, cpu = time.perf_counter(), time.process_time()
    starts, ends, number, seconds = begun + plan.warms, begun + plan.warms + plan.seconds, 0, list[float]()
    due, last = begun, begun + plan.warms + plan.seconds + PATIENCE
    while due < ends or any(client.sent for client in clients.values()):
        now = time.perf_counter()
        if now > last:
            raise SystemExit(f"some questions were not answered for {PATIENCE:g} s")
        while due <= now and due < ends:
            next(turns).ask(1, due)
            number += 1
            due = begun + number / plan.rate
        for fd, _ in poll.poll(max(0.0, due - time.perf_counter()) if due < ends else 0.1):
            client = clients[fd]
            for _ in range(client.answered(plan)):
                meant = client.sent.popleft()
                if meant >= starts:
                    seconds.append(time.perf_counter() - meant)
    return told(seconds, plan.seconds, (time.process_time() - cpu) * plan.seconds / (plan.warms + plan.seconds))


def told(seconds: list[float], wall: float, cpu: float) -> Asked:
    seconds.sort()
    return Asked(len(seconds) / wall, seconds[len(seconds) // 2], seconds[len(seconds) * 99 // 100], cpu / wall)


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
        asked = ask_steadily(plan) if plan.rate else ask(plan)
        sys.stdout.write(msgspec.json.encode(asked).decode())


if __name__ == "__main__":
    main()
