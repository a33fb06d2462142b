// What lies and is said at the table: the round in play, and the last one until the next begins, so that nobody misses how it
// ended. What is only told once (why a card was drawn, how a wager was decided) is kept here for as long.

import type { Connection } from '../lib/connection.svelte';
import type { CardView, Chances, PublicEvent, RoundView, View, WagerSettledTold } from '../lib/contract';

export type Saying = { key: number; text: string; clause: string; kind: 'call' | 'card' | 'result' };
export type Settled = {
  patron: string; place: number; wager: string; amount: string; line: string; result: string; pays: string; net: string;
  returned: string; clause: string;
};

const CLAUSE_BEHIND = /\s*\(([A-Z][A-Z0-9]*-[^()\s]+)\)\s*$/;

export class Showing {
  round = $state.raw<RoundView | null>(null); // the one in play, or the last
  over = $state(false); // whether it has ended
  said = $state.raw<Saying[]>([]);
  settled = $state.raw<Settled[]>([]); // of this round
  book = $state.raw<{ number: number; settled: Settled[] }>({ number: 0, settled: [] }); // of the last that was settled, until bets close again
  result = $state('');
  #stop: () => void;

  constructor(connection: Connection) {
    this.#stop = connection.listen((event, view) => this.#happened(event, view));
  }

  close(): void {
    this.#stop();
  }

  /** The view has changed, by an event or by a snapshot after a break. */
  seen(view: View): void {
    if (view.round) {
      if (this.round && view.round.number !== this.round.number) this.#begin();
      this.round = view.round;
      this.over = false;
    } else if (this.round) {
      this.over = true;
    }
  }

  get cards(): CardView[] {
    return this.round?.cards ?? [];
  }

  /** What the rules say follows from the cards that lie open, while nothing later has been said: draws, stands, naturals. */
  follows(chances: Chances | null): { text: string; clause: string }[] {
    if (!chances || !this.round || chances.round !== this.round.number || this.round.winner || this.over) return [];
    if (this.cards.length === 0 || this.cards.some((card) => !card.public) || chances.cards_open !== this.cards.length) return [];
    return chances.says.map((said) => split(said));
  }

  #begin(): void {
    this.said = [];
    this.settled = [];
    this.result = '';
  }

  #happened(event: PublicEvent, view: View): void {
    if (event.name === 'round-started') this.#begin();
    this.seen(view);
    if (event.name === 'card-drawn') this.#say(event, event.told.why, 'card');
    if (event.name === 'totals-announced') this.#say(event, event.told.says, 'call');
    if (event.name === 'result-announced') {
      this.#say(event, event.told.says, 'result');
      this.result = event.told.says;
    }
    if (event.name === 'betting-closed') this.book = { number: 0, settled: [] };
    if (event.name === 'wager-settled') {
      this.settled = [...this.settled, settledOf(event.told, event.clause)];
      this.book = { number: view.round_number, settled: this.settled };
    }
  }

  #say(event: PublicEvent, text: string, kind: Saying['kind']): void {
    const { text: words, clause } = split(text);
    this.said = [...this.said, { key: event.sequence, text: words, clause: clause || event.clause, kind }];
  }
}

/** Words of the house without the clause that stands behind them. */
function split(said: string): { text: string; clause: string } {
  return { text: said.replace(CLAUSE_BEHIND, ''), clause: CLAUSE_BEHIND.exec(said)?.[1] ?? '' };
}

export function settledOf({ stake, line, result, pays, net, returned }: WagerSettledTold, clause: string): Settled {
  const { patron, place, wager, amount } = stake;
  return { patron, place, wager, amount, line, result, pays, net, returned, clause };
}
