// A patron's chips on the layout: placed at once on the screen, accepted or refused by the house.

import { ownProblem, Problem } from '../lib/api';
import type { Connection } from '../lib/connection.svelte';
import { session } from '../lib/session.svelte';
import type { GameRules, Limit, StakeView } from '../lib/contract';
import { doubled, first, inOrder, placing, type Bet, type Placing } from './staking';
import { minor, total } from '../lib/money';

type Pending = { key: number; wager: string; amount: string; done: number }; // done: the record that it became; 0 is not yet
export type Refused = { key: number; says: Problem['says']; remedy: Problem['remedy']; clause: string; amount: string };

const REFUSED_MS = 9000;
const MANY = 4; // decimals with which amounts are compared

export class Betting {
  chip = $state('');
  pending = $state.raw<Pending[]>([]);
  refused = $state.raw<Record<string, Refused>>({});
  refusals = $state.raw<Refused[]>([]); // of this round, with their clauses
  #placed: Bet[] = []; // in this round, the last at the end
  #key = 1;
  #stop: () => void;

  constructor(
    readonly connection: Connection,
    readonly rules: GameRules,
    readonly place: () => number,
  ) {
    this.#stop = connection.listen((event) => {
      if (event.name === 'round-started') {
        this.#placed = [];
        this.refusals = [];
      }
      if (event.name === 'betting-closed') this.#remember();
      if (this.pending.some((each) => each.done && each.done <= event.sequence)) this.#seen(event.sequence);
    });
  }

  close(): void {
    this.#stop();
  }

  /** What this patron may stake: the posted limits, with the own maximum where the house has set one. */
  get limits(): Record<string, Limit> {
    const posted = this.connection.view?.notice?.limits ?? {};
    const own = this.connection.view?.most ?? {};
    return Object.fromEntries(Object.entries(posted).map(([wager, limit]) => {
      const granted = own[wager];
      if (granted === undefined) return [wager, limit];
      const document = this.rules.wagers[wager]?.max ?? null;
      return [wager, { ...limit, max: document !== null && minor(document, MANY) < minor(granted, MANY) ? document : granted }];
    }));
  }

  /** The chips in the tray, the smallest first. */
  get tray(): string[] {
    return this.connection.view?.notice?.chip_values ?? [];
  }

  /** The chip in the hand: the chosen one, or the smallest that is a wager by itself. */
  get inHand(): string {
    const lying = this.tray;
    return lying.includes(this.chip) ? this.chip : first(lying, this.limits);
  }

  get mine(): StakeView[] {
    const view = this.connection.view;
    return Object.values(view?.round?.stakes ?? {}).filter((each) => each.patron === view?.viewer);
  }

  get inPlay(): string {
    return total([...this.mine.map((each) => each.amount), ...this.pending.map((each) => each.amount)]);
  }

  /** What lies on an area of mine, with what is on its way there. */
  on(wager: string): { amount: string; waits: boolean; confirmed: boolean } {
    const [lies, way] = [this.mine.filter((each) => each.wager === wager), this.pending.filter((each) => each.wager === wager)];
    return {
      amount: total([...lies, ...way].map((each) => each.amount)),
      waits: way.length > 0,
      confirmed: lies.every((each) => each.confirmed),
    };
  }

  /** One click on an area. */
  bet(wager: string): Promise<boolean> {
    const { amount } = this.placing(wager);
    return minor(amount) > 0n ? this.put({ wager, amount }) : Promise.resolve(false);
  }

  /** What a click on an area would put there, and why that is not the chip in the hand. */
  placing(wager: string): Placing {
    const limit = this.limits[wager];
    return limit && this.inHand ? placing(this.inHand, limit, this.on(wager).amount) : { amount: '0', why: '' };
  }

  async put({ wager, amount }: Bet): Promise<boolean> {
    if (this.connection.link !== 'open') {
      this.#refuse(wager, ownProblem(0, 'page.table.cut-off'), amount);
      return false;
    }
    const key = this.#key++;
    this.pending = [...this.pending, { key, wager, amount, done: 0 }];
    this.#forgive(wager);
    try {
      const done = await this.connection.give({ command: 'place-wager', place: this.place(), wager, amount });
      this.#placed.push({ wager, amount });
      this.pending = this.pending.map((each) => (each.key === key ? { ...each, done } : each));
      this.#seen(this.connection.sequence);
      return true;
    } catch (error) {
      this.pending = this.pending.filter((each) => each.key !== key);
      this.#refuse(wager, error, amount);
      return false;
    }
  }

  /** Take the last chips back; after a reload, the last wager. */
  async undo(): Promise<void> {
    const last = this.#placed.pop() ?? this.mine.at(-1);
    if (last) await this.#takeBack(last.wager, last.amount);
  }

  async clear(): Promise<void> {
    this.#placed = [];
    for (const { wager } of inOrder(this.mine, this.rules).reverse()) await this.#takeBack(wager, null);
  }

  async double(): Promise<void> {
    for (const bet of inOrder(doubled(this.mine, this.limits), this.rules)) await this.put(bet);
  }

  /** The wagers of the last round again. */
  async rebet(): Promise<void> {
    for (const bet of inOrder(this.last, this.rules)) await this.put(bet);
  }

  get last(): Bet[] {
    const kept = sessionStorage.getItem(this.#kept);
    return kept ? (JSON.parse(kept) as Bet[]) : [];
  }

  get #kept(): string {
    return `longhu.last.${this.connection.table}.${session.person}`;
  }

  #remember(): void {
    const bets = this.mine.map(({ wager, amount }) => ({ wager, amount }));
    if (bets.length) sessionStorage.setItem(this.#kept, JSON.stringify(bets));
  }

  async #takeBack(wager: string, amount: string | null): Promise<void> {
    try {
      await this.connection.give({ command: 'take-wager-back', place: this.place(), wager, ...(amount ? { amount } : {}) });
    } catch (error) {
      this.#refuse(wager, error, amount ?? '');
    }
  }

  #seen(sequence: number): void {
    this.pending = this.pending.filter((each) => !each.done || each.done > sequence);
  }

  #refuse(wager: string, error: unknown, amount: string): void {
    if (!(error instanceof Problem)) throw error;
    const key = this.#key++;
    const refused = { key, says: error.says, remedy: error.remedy, clause: error.clause, amount };
    this.refused = { ...this.refused, [wager]: refused };
    this.refusals = [...this.refusals, refused];
    setTimeout(() => this.refused[wager]?.key === key && this.#forgive(wager), REFUSED_MS);
  }

  #forgive(wager: string): void {
    this.refused = Object.fromEntries(Object.entries(this.refused).filter(([each]) => each !== wager));
  }
}
