// The dealer's side of one table: what is seen, what may be done now, what was said last, and how it is done.

import { untrack } from 'svelte';
import { act, get, newId, Problem, send } from '../lib/api';
import { announcer } from '../lib/announcer.svelte';
import { clock } from '../lib/clock.svelte';
import { Connection } from '../lib/connection.svelte';
import { speech } from '../lib/language.svelte';
import { useNames } from '../lib/localization';
import { notes } from '../lib/notes.svelte';
import type { Acts, Command, GamePage, GameRules, Inquiries, Outlook, PublicEvent, Signature } from '../lib/contract';
import { callOf } from './calls';
import { CardEntry } from './entry.svelte';

const RETRY_MS = 1000;
const NONE: Acts = { sequence: 0, ready: [], told: [], due: null, turns: null, result: null, above: [], seconds: {}, awaited: null };

export class Desk {
  readonly connection: Connection;
  readonly entry = new CardEntry(this);
  rules = $state.raw<GameRules | null>(null);
  forms = $state.raw<Inquiries>({ commands: {}, reports: {} });
  acts = $state.raw<Acts>(NONE);
  known = $state(false); // whether it has been heard what may be done
  busy = $state(false);
  procedure = $state(''); // the irregularity that is being dealt with
  happened = $state.raw<PublicEvent[]>([]); // the last few, newest first

  #asking = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  readonly #unwatch: () => void;

  constructor(readonly table: string) {
    this.connection = new Connection(table);
    this.connection.listen((event) => this.#heard(event));
    this.#unwatch = $effect.root(() => {
      $effect(() => {
        void [this.connection.sequence, this.connection.view]; // some changes come without an event that is told: a shoe that cannot read
        untrack(() => this.known && void this.refresh());
      });
    });
    void this.#prepare();
  }

  get path(): string {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  get view() {
    return this.connection.view;
  }

  /** Whether what may be done is known for the table as it is now. */
  get fresh(): boolean {
    return this.known && this.acts.sequence >= this.connection.sequence;
  }

  /** What may be done now; asked anew whenever something has happened, and when the time of an offer is over. */
  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    try {
      do {
        this.#again = false;
        this.acts = await get<Acts>(`${this.path}/acts`);
        this.known = true;
      } while (this.#again && !this.#closed);
    } catch (error) {
      notes.problem(error);
      if (error instanceof Problem && (error.status === 0 || error.status >= 500)) return this.#askLater();
    } finally {
      this.#asking = false;
    }
    this.#awaitOffer();
  }

  /** Do something; whoever was called and signs does it in their own name. False where the house would not. */
  async give(command: Command, signer: Signature | null = null): Promise<boolean> {
    return this.#do(() =>
      signer
        ? act('POST', `${this.path}/commands`, { command, signatures: [signer], by: signer.person })
        : this.connection.give(command),
    );
  }

  /** Do something that a second person signs beside it: both have seen it. */
  cosigned(command: Command, signature: Signature): Promise<boolean> {
    return this.#do(() => this.connection.give(command, [signature]));
  }

  /** Enter a card; why it was not taken, null where it was. */
  async enter(command: Command): Promise<Problem | null> {
    this.busy = true;
    try {
      await this.connection.give(command);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    } finally {
      await this.refresh();
      this.busy = false;
    }
  }

  newShoe(): Promise<boolean> {
    return this.#do(() => send('POST', `${this.path}/shoe?id=${newId()}`));
  }

  giveBack(): Promise<boolean> {
    return this.#do(() => send('DELETE', `${this.path}/deal?id=${newId()}`));
  }

  /** What would follow from a command; null where the house cannot say. */
  async outlook(command: Command): Promise<Outlook | null> {
    try {
      return await send<Outlook>('POST', `${this.path}/trial`, { command });
    } catch (error) {
      if (error instanceof Problem) return { follows: [], reason: error.says, remedy: error.remedy, clause: error.clause };
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#unwatch();
    this.connection.close();
  }

  async #prepare(): Promise<void> {
    try {
      const [page, forms] = await Promise.all([get<GamePage>(`${this.path}/rules`), get<Inquiries>('/api/commands')]);
      this.rules = page.rules;
      useNames(page.rules);
      this.forms = forms;
      await this.refresh();
    } catch (error) {
      notes.problem(error);
    }
  }

  async #do(way: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await way();
      await this.refresh();
      return true;
    } catch (error) {
      notes.problem(error);
      await this.refresh();
      return false;
    } finally {
      this.busy = false;
    }
  }

  #heard(event: PublicEvent): void {
    this.happened = [event, ...this.happened.slice(0, 19)];
    const call = this.rules ? callOf(event, this.rules) : null;
    if (call) announcer.say(call(speech.now));
  }

  /** Nothing came back: what is typed waits for it, so it is asked again. */
  #askLater(): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.refresh(), RETRY_MS);
  }

  #awaitOffer(): void {
    clearTimeout(this.#timer);
    const until = this.view?.round?.offer?.until;
    if (until !== undefined && until > clock.read()) this.#timer = setTimeout(() => void this.refresh(), until - clock.read() + 150);
  }
}
