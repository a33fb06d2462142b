// Cards on their way into the record: typed, tapped or scanned, queued in their order, and entered one after the other. A scanner does
// not wait, and no card is lost: what cannot be entered stops the queue, and stays in it until the dealer says what to do.

import type { Problem } from '../lib/api';
import type { Command } from '../lib/contract';
import { NOTHING, typed, type Typed } from './card_keys';
import type { Desk } from './desk.svelte';

/** Where the next card goes: drawn to a hand, or turned over in one. */
export type Target = { command: 'draw-card' | 'reveal-hand'; hand: string };

export class CardEntry {
  typing = $state<Typed>(NOTHING);
  queue = $state<string[]>([]); // the first is next
  stopped = $state.raw<Problem | null>(null); // why the first was not entered

  constructor(readonly desk: Desk) {}

  /** Is a card typed, or on its way? Then a key belongs to it, and to no act. */
  get pending(): boolean {
    return Boolean(this.typing.card || this.typing.rank || this.queue.length);
  }

  get target(): Target | null {
    const { told, ready, due, turns } = this.desk.acts; // of one answer: the screen may be behind it, or before it
    if (told.includes('draw-card') && due && !ready.some((each) => each.command === 'draw-card')) return { command: 'draw-card', hand: due.hand };
    return turns ? { command: 'reveal-hand', hand: turns } : null;
  }

  key(key: string): boolean {
    if (key === 'Backspace' && !this.typing.card && !this.typing.rank) return this.undo();
    const next = typed(this.typing, key);
    if (!next) return false;
    this.typing = next;
    return true;
  }

  choose(card: string): void {
    this.typing = { rank: '', card };
  }

  /** What is typed goes into the queue. */
  enter(): void {
    if (!this.typing.card) return;
    this.queue = [...this.queue, this.typing.card];
    this.typing = NOTHING;
  }

  /** The last of the queue comes back, unless it is on its way. */
  undo(): boolean {
    const last = this.queue.at(-1);
    if (last === undefined || (this.queue.length === 1 && this.#sending)) return false;
    this.remove(this.queue.length - 1);
    this.choose(last);
    return true;
  }

  remove(place: number): void {
    if (place === 0 && this.#sending) return;
    this.queue = this.queue.filter((_, each) => each !== place);
    if (place === 0) this.stopped = null;
  }

  again(): void {
    this.stopped = null;
  }

  clear(): void {
    this.queue = this.#sending ? this.queue.slice(0, 1) : [];
    this.stopped = null;
  }

  #sending = false;

  /** Enter the first of the queue, if it is its turn. */
  async pump(): Promise<void> {
    const [card] = this.queue;
    const target = this.target;
    if (this.#sending || this.stopped || card === undefined || !target || this.desk.busy || !this.desk.fresh) return;
    const command: Command = target.command === 'draw-card' ? { command: 'draw-card', card } : { command: 'reveal-hand', hand: target.hand, cards: [card] };
    this.#sending = true;
    const problem = await this.desk.enter(command);
    this.#sending = false;
    if (problem) this.stopped = problem;
    else this.queue = this.queue.slice(1);
  }
}
