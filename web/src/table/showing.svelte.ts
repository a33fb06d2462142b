// What lies and is said at the table: the round in play, and the last one until the next begins, so that nobody misses how it
// ended. What is only told once (why a card was drawn, how a wager was decided) is kept here for as long.

import type { Connection } from '../lib/connection.svelte';
import type { CardView, Chances, GameRules, PublicEvent, RoundView, View, WagerSettledTold } from '../lib/contract';
import type { Message } from '../lib/messages.svelte';
import { announced } from '../parts/announced';

export type Saying = { key: number; text: Message; clause: string; kind: 'call' | 'card' | 'result' };
export type Settled = {
  patron: string; place: number; wager: string; amount: string; line: number; result: string; pays: string; net: string;
  returned: string; clause: string;
};

export class Showing {
  round = $state.raw<RoundView | null>(null); // the one in play, or the last
  over = $state(false); // whether it has ended
  said = $state.raw<Saying[]>([]);
  settled = $state.raw<Settled[]>([]); // of this round
  book = $state.raw<{ number: number; settled: Settled[] }>({ number: 0, settled: [] }); // of the last that was settled, until bets close again
  result = $state.raw<Message | null>(null);
  #stop: () => void;

  constructor(
    connection: Connection,
    readonly rules: GameRules,
  ) {
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
  follows(chances: Chances | null): Chances['follows'] {
    if (!chances || !this.round || chances.round !== this.round.number || this.round.winner || this.over) return [];
    if (this.cards.length === 0 || this.cards.some((card) => !card.public) || chances.cards_open !== this.cards.length) return [];
    return chances.follows;
  }

  #begin(): void {
    this.said = [];
    this.settled = [];
    this.result = null;
  }

  #happened(event: PublicEvent, view: View): void {
    if (event.name === 'round-started') this.#begin();
    this.seen(view);
    if (event.name === 'card-drawn') this.#say(event, event.told.why, 'card');
    const call = announced(event, this.rules);
    if (call) this.#say(event, call, event.name === 'result-announced' ? 'result' : 'call');
    if (event.name === 'result-announced') this.result = call;
    if (event.name === 'betting-closed') this.book = { number: 0, settled: [] };
    if (event.name === 'wager-settled') {
      this.settled = [...this.settled, settledOf(event.told, event.clause)];
      this.book = { number: view.round_number, settled: this.settled };
    }
  }

  #say(event: PublicEvent, text: Message, kind: Saying['kind']): void {
    this.said = [...this.said, { key: event.sequence, text, clause: event.clause, kind }];
  }
}

export function settledOf({ stake, line, result, pays, net, returned }: WagerSettledTold, clause: string): Settled {
  const { patron, place, wager, amount } = stake;
  return { patron, place, wager, amount, line, result, pays, net, returned, clause };
}
