// One person at one table: the connection, the rules as the house reads them here, what is shown, and the own wagers.

import { act, get, newId, Problem, send } from '../lib/api';
import { Connection } from '../lib/connection.svelte';
import { named, type Names } from '../lib/language.svelte';
import { useNames } from '../lib/localization';
import { t } from '../lib/messages.svelte';
import { notes } from '../lib/notes.svelte';
import { session } from '../lib/session.svelte';
import type { Chances, GamePage, GameRules, LayoutRules, SeatView, StakeView, View, WagerFigures, WagerRules } from '../lib/contract';
import { Betting } from './betting.svelte';
import { callOut } from './calls';
import { isShared } from './felt';
import { letters, nameOf } from './print';
import { Showing } from './showing.svelte';

export class Sitting {
  readonly connection: Connection;
  readonly showing: Showing;
  readonly betting: Betting;
  readonly letters: Record<string, string>;
  chances = $state.raw<Chances | null>(null);
  seatWanted = $state<number | null>(null); // the seat whose buy-in is being asked; 0 is standing
  #silence: () => void;
  #asking: AbortController | undefined;

  constructor(
    readonly table: string,
    readonly page: GamePage,
    first: View,
    connection: Connection,
  ) {
    this.connection = connection;
    this.showing = new Showing(connection, page.rules);
    this.showing.seen(first);
    useNames(page.rules);
    this.betting = new Betting(connection, page.rules, () => this.place);
    this.letters = letters(this.layoutOf(first), page.rules);
    this.#silence = callOut(connection, page.rules);
  }

  close(): void {
    this.#silence();
    this.#asking?.abort();
    this.showing.close();
    this.betting.close();
  }

  get rules(): GameRules {
    return this.page.rules;
  }

  get view(): View {
    if (!this.connection.view) throw new Error('the table has not been seen yet');
    return this.connection.view;
  }

  layoutOf(view: View): LayoutRules {
    const found = this.rules.layouts[view.notice?.layout ?? ''] ?? Object.values(this.rules.layouts)[0];
    if (!found) throw new Error(`${this.rules.id} has no layout`);
    return found;
  }

  // What follows from the view is kept: what stays the same through an event is not drawn again.
  layout: LayoutRules = $derived(this.layoutOf(this.view));
  /** Which of the people at the table the viewer is; '' for whoever watches. */
  person: string = $derived(this.view.viewer);
  positions: number = $derived(this.view.notice?.positions ?? 0);
  shared: boolean = $derived(isShared(this.layout));
  /** The viewer among the people of the table; undefined for whoever watches. */
  own: SeatView | undefined = $derived.by(() => (this.person ? this.view.seats[this.person] : undefined));
  /** The position that is shown large: one's own, or the first free one. */
  large: number = $derived(this.own?.seat ?? this.#free() ?? Math.ceil(this.positions / 2));
  /** Where one's chips lie: at one's seat; those who stand use a position that is there. */
  place: number = $derived.by(() => this.betting.mine[0]?.place ?? this.large);
  /** The chances of this round; those of the one before say nothing of it. */
  live: Chances | null = $derived(this.chances && this.chances.round === this.view.round?.number ? this.chances : null);
  stakes: StakeView[] = $derived(Object.values(this.view.round?.stakes ?? {}));
  others: StakeView[] = $derived(this.stakes.filter((each) => each.patron !== this.person));
  /** Whether betting is open by the last call; nothing is at a table that has stopped. */
  open: boolean = $derived(this.view.phase === 'place-your-bets' && (this.view.round?.wagering ?? false) && !this.view.stopped);
  /** Whether wagers may be changed: while betting is open, or while the house asks for it. The house judges. */
  changeable: boolean = $derived(this.open || (this.view.round?.waits.length ?? 0) > 0);

  #free(): number | undefined {
    const taken = new Set(Object.values(this.view.seats).map((each) => each.seat));
    return Array.from({ length: this.positions }, (_, index) => index + 1).find((each) => !taken.has(each));
  }

  /** Who sits at a position. */
  at(position: number): SeatView | undefined {
    return Object.values(this.view.seats).find((each) => each.seat === position);
  }

  /** What somebody is called on this screen. */
  called(person: string, narrow = false): string {
    return nameOf(this.view.seats, person, narrow);
  }

  wager(id: string): WagerRules | undefined {
    return this.rules.wagers[id];
  }

  label(id: string): Names {
    const wager = this.rules.wagers[id];
    return wager?.label ?? wager?.name ?? { en: id };
  }

  /** How the cards are dealt, as the game file calls it. */
  method(id: string): string {
    const found = this.rules.methods?.[id];
    return found ? named(found.name) : id && t('page.table.method', { name: id });
  }

  odds(id: string): WagerFigures | undefined {
    return this.page.odds.wagers[id];
  }

  /** A click on an area: chips for whoever plays, a seat for whoever does not. */
  touch(wager: string): void {
    if (this.own) void this.betting.bet(wager);
    else if (this.view.open) this.seatWanted = this.large;
    else notes.show(t('page.table.closed'));
  }

  /** Ask how the chances are, given what lies open. */
  async reckon(): Promise<void> {
    this.#asking?.abort();
    this.#asking = new AbortController();
    try {
      this.chances = await get<Chances>(`/api/tables/${encodeURIComponent(this.table)}/chances`, this.#asking.signal);
    } catch (error) {
      if (error instanceof Problem) this.chances = null;
      else if (!(error instanceof DOMException)) throw error;
    }
  }

  async sit(seat: number | null, buyIn: string): Promise<boolean> {
    return this.#do(() => act('POST', this.#path('seat'), { seat, buy_in: buyIn }));
  }

  async buy(amount: string): Promise<boolean> {
    return this.#do(() => act('POST', this.#path('chips'), { amount }));
  }

  async leave(): Promise<boolean> {
    return this.#do(() => send('DELETE', `${this.#path('seat')}?id=${newId()}`));
  }

  /** Sit down elsewhere, or stand up, with the chips one has. */
  async move(seat: number | null): Promise<boolean> {
    return this.#do(() => this.connection.give({ command: 'take-seat', seat }));
  }

  #path(what: string): string {
    return `/api/tables/${encodeURIComponent(this.table)}/${what}`;
  }

  async #do(what: () => Promise<unknown>): Promise<boolean> {
    try {
      await what();
      await session.refresh();
      return true;
    } catch (error) {
      notes.problem(error);
      return false;
    }
  }
}
