"""What a house keeps beside its trails: who is signed in, which node does what, and states to read on from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from longhu.store.asking import CHUNK, Asking, C, Row, no_table
from longhu.store.entries import Lease, Session
from longhu.store.errors import Faulty, Taken
from longhu.store.validation import storable

NOTE = 200  # characters kept of what a browser says of itself
_DIGEST = re.compile("[0-9a-f]{64}")


class Kept(Asking[C]):
    """Sessions, leases and states; `Store` says what each part of it is for."""

    # -------------------------------------------- sessions

    def keep_session(self, session: Session) -> None:
        if not _DIGEST.fullmatch(session.digest):
            raise Faulty("a session is kept under the SHA-256 of its token, in hexadecimal, and never under the token")
        if not session.person or not storable(session.person) or not storable(session.csrf):
            raise Faulty("a session has a name that cannot be stored")
        notes = (_note(session.address), _note(session.agent))
        with self._writing() as writing:
            made = writing.ask(
                "insert into sessions (digest, person, created, seen, until, ended, csrf, address, agent) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning digest",
                *(session.digest, session.person, session.created, session.seen, session.until, session.ended),
                *(session.csrf, *notes),
            )
            if not made:
                raise Taken("there is a session with that token already. Make another token.")

    def session(self, digest: str) -> Session | None:
        found = self.sessions_under([digest])
        return found[0] if found else None

    def sessions_under(self, digests: Sequence[str]) -> list[Session]:
        found: list[Row] = []
        asked = [each for each in digests if _DIGEST.fullmatch(each)]
        for first in range(0, len(asked), CHUNK):
            some = asked[first : first + CHUNK]
            found += self._answer(f"{_SESSIONS} where digest in ({', '.join('?' * len(some))})", *some)
        return [Session(*row) for row in found]

    def sessions(self, person: str) -> list[Session]:
        rows = self._answer(f"{_SESSIONS} where person = ? order by created desc, digest", person)
        return [Session(*row) for row in rows]

    def touch_sessions(self, used: Iterable[Session]) -> None:
        with self._writing() as writing:
            for each in sorted(used, key=lambda each: each.digest):  # in order, as with leases
                writing.run(
                    "update sessions set seen = ?, until = ? where digest = ? and ended = 0 and seen <= ?",
                    *(each.seen, each.until, each.digest, each.seen),
                )

    def end_session(self, digest: str, at: int) -> None:
        self._changed("update sessions set ended = ? where digest = ? and ended = 0 returning 1", at, digest)

    def end_sessions(self, person: str, at: int, but: str = "") -> int:
        return self._changed(
            "update sessions set ended = ? where person = ? and ended = 0 and digest <> ? returning 1", at, person, but
        )

    def forget_sessions(self, before: int) -> int:
        return self._changed(
            "delete from sessions where until < ? or (ended > 0 and ended < ?) returning 1", before, before
        )

    # -------------------------------------------- leases

    def take_lease(self, name: str, holder: str, at: int, duration_ms: int) -> Lease:
        return self.take_leases([name], holder, at, duration_ms)[0]

    def take_leases(self, names: Sequence[str], holder: str, at: int, duration_ms: int) -> list[Lease]:
        if not holder or not all(map(storable, (holder, *names))):
            raise Faulty("a lease has a name that cannot be stored")
        held: dict[str, Lease] = {}
        with self._writing() as writing:
            for name in sorted(set(names)):  # in order: whoever takes them in this order waits for nobody who waits
                rows = writing.ask(_TAKE, name, holder, at + duration_ms, at) or writing.ask(
                    f"{_LEASES} where name = ?", name
                )
                held[name] = Lease(*rows[0])
        return [held[name] for name in names]

    def release_lease(self, name: str, holder: str) -> None:
        self._changed("delete from leases where name = ? and holder = ? returning 1", name, holder)

    def leases(self) -> list[Lease]:
        return [Lease(*row) for row in self._answer(f"{_LEASES} order by name")]

    # -------------------------------------------- states

    def keep_state(self, table: str, sequence: int, form: str, state: bytes) -> None:
        if not form or not storable(form):
            raise Faulty("the form of a state has a name that cannot be stored")
        stands = self._answer("select sequence from tables where id = ?", table)
        if not stands:
            raise no_table(table)
        if not 0 < sequence <= stands[0][0]:
            raise Faulty(
                f"{table} has {stands[0][0]} records, so there is no state after record {sequence}. Store, then keep."
            )
        with self._writing() as writing:
            writing.run(
                "insert into states (table_id, form, sequence, state) values (?, ?, ?, ?) "
                "on conflict (table_id, form) do update set sequence = excluded.sequence, state = excluded.state "
                "where excluded.sequence > states.sequence",
                *(table, form, sequence, state),
            )

    def state(self, table: str, form: str) -> tuple[int, bytes] | None:
        rows = self._answer("select sequence, state from states where table_id = ? and form = ?", table, form)
        return (rows[0][0], rows[0][1]) if rows else None

    def _changed(self, statement: str, *parameters: object) -> int:
        """How many rows were changed; nothing has a name that cannot be stored."""
        if not all(storable(each) for each in parameters if isinstance(each, str)):
            return 0
        with self._writing() as writing:
            return len(writing.ask(statement, *parameters))


_SESSIONS = "select digest, person, created, seen, until, ended, csrf, address, agent from sessions"
_LEASES = "select name, holder, until from leases"
_TAKE = (
    "insert into leases (name, holder, until) values (?, ?, ?) on conflict (name) "
    "do update set holder = excluded.holder, until = excluded.until "
    "where leases.holder = excluded.holder or leases.until <= ? returning name, holder, until"
)


def _note(text: str) -> str:
    """As much of a text as any database holds."""
    return text.replace("\0", "").encode(errors="replace").decode()[:NOTE]
