"""`longhu admin check` and `nodes`: is the house what its records say, and which server drives which table?"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.administration.house import now, opened, whole_check
from longhu.cli.main import OK
from longhu.cli.terminal import progress_if_watched

if TYPE_CHECKING:
    from longhu.audit.report import VerificationReport
    from longhu.store.interface import Store

STEP = 1000  # records between two moves of the bar


def check(args: Namespace) -> int:
    """The chain and the money of every trail, the wallets, every table as `longhu verify` would check its proof, and the
    second copy where there is one."""
    from longhu.store.integrity import check_wallets
    from longhu.store.mirror import check_mirror

    copy: str = args.house.copy
    with opened(args.house) as store:
        records = whole_check(store, "checking records")
        wallets = check_wallets(store)
        rounds = {each.table: _verified(store, each.table).rounds for each in store.tables()}
        behind = check_mirror(store, Path(copy)) if copy else None
    also = "" if behind is None else f" The second copy in {copy} is the same" + _all_but(behind) + "."
    args.told(
        {"sound": True, "records": records, "wallets": wallets, "rounds": rounds, "not_copied": behind},
        f"{len(records)} trails with {sum(records.values()):,} records, {wallets:,} wallets, {len(rounds)} tables with "
        f"{sum(rounds.values()):,} rounds: everything holds.{also}",
    )
    return OK


def _all_but(behind: int) -> str:
    return f", but for the last {behind:,} records, which are not copied yet" if behind else ""


def _verified(store: Store, table: str) -> VerificationReport:
    """A table's proof, checked; what is wrong with it is damage to the house."""
    from longhu.audit.report import VerificationFailed
    from longhu.audit.verify import Verifier
    from longhu.store.errors import Damaged
    from longhu.store.integrity import proof_of

    verifier = Verifier()
    with progress_if_watched(f"verifying {table}", store.standing(table).sequence) as advance:

        def watched() -> Iterator[bytes]:
            for number, line in enumerate(proof_of(store, table), 1):
                yield line
                if number % STEP == 0:
                    advance(STEP)

        try:
            verifier.lines(watched())
            return verifier.finish()
        except VerificationFailed as wrong:
            raise Damaged(f"table {table}, {wrong}. `longhu admin export {table}` gives the proof.") from None


def nodes(args: Namespace) -> int:
    """Every lease of a table that is held: which node drives it. Nothing is known of a node that holds none."""
    from longhu.server.cluster.leases import LEASE

    with opened(args.house) as store:
        at = now()
        rows = [
            {"node": each.holder, "drives": each.name.removeprefix(LEASE), "seconds": max(0, each.until - at) / 1000}
            for each in store.leases()
            if each.until > at and each.name.startswith(LEASE)
        ]
    columns = {"node": "node", "drives": "drives", "seconds": "for another (s)"}
    args.told.table(
        sorted(rows, key=lambda row: (row["node"], row["drives"])),
        columns,
        "No server drives a table. One that runs and drives none is not listed.",
    )
    return OK
