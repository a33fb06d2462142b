// Who is signed in, and what a screen shows of them at all times (PLY-1).

import { act, get, Problem, send, useToken } from './api';
import { clock } from './clock.svelte';
import { placesOf, total } from './money';
import type { Me, Position, SignedInView } from './contract';

const LADDER: readonly Position[] = ['dealer', 'pit-supervisor', 'pit-manager', 'gaming-shift-manager', 'casino-operator'];

type AtTable = Me['tables'][number];

const otherTabs = new BroadcastChannel('longhu-session'); // they share the cookie: whoever comes or leaves in one does so in all

class Session {
  signed = $state<SignedInView | null>(null);
  me = $state<Me | null>(null);
  ready = $state(false); // whether it is known if somebody is signed in
  #live = new Map<string, AtTable>(); // what the open sockets told last

  constructor() {
    otherTabs.onmessage = () => void this.#changedElsewhere();
  }

  get person(): string {
    return this.signed?.person ?? '';
  }

  get isPatron(): boolean {
    return this.signed?.position === 'patron';
  }

  get isAuditor(): boolean {
    return this.signed?.position === 'auditor';
  }

  get isCage(): boolean {
    return this.signed?.position === 'cage';
  }

  get isSurveillance(): boolean {
    return this.signed?.position === 'surveillance';
  }

  /** Whether the pit is theirs to see: the floor, and people. */
  get readsFloor(): boolean {
    return this.holds('pit-supervisor') || this.isCage || this.isSurveillance;
  }

  /** Whether the records are theirs to read. */
  get readsRecords(): boolean {
    return this.isAuditor || this.isSurveillance || this.holds('casino-operator');
  }

  /** Works at the tables or for them: dealer and above, the cage, surveillance. */
  get isStaff(): boolean {
    return this.signed !== null && (LADDER.includes(this.signed.position) || this.isCage || this.isSurveillance);
  }

  /** Whether somebody on the ladder holds this position or a higher one. */
  holds(position: Position): boolean {
    return this.signed !== null && LADDER.includes(this.signed.position) && LADDER.indexOf(this.signed.position) >= LADDER.indexOf(position);
  }

  async resume(): Promise<void> {
    try {
      await this.#came(await get<SignedInView>('/api/session'));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 401) this.#left();
    } finally {
      this.ready = true;
    }
  }

  async signIn(person: string, password: string): Promise<void> {
    await this.#came(await send<SignedInView>('POST', '/api/session', { person, password }));
    otherTabs.postMessage('came');
  }

  async comeAsGuest(): Promise<void> {
    await this.#came(await send<SignedInView>('POST', '/api/guests'));
    otherTabs.postMessage('came');
  }

  async signOut(): Promise<void> {
    await send('DELETE', '/api/session');
    this.#left();
    otherTabs.postMessage('left');
  }

  /** The session has ended without our doing: by inactivity, or from elsewhere. */
  ended(): void {
    this.#left();
  }

  async refresh(): Promise<void> {
    if (!this.signed) return;
    const asked = await get<Me>('/api/me');
    if (!this.signed) return; // they left meanwhile
    this.me = asked;
    clock.heard(asked.at);
    for (const told of this.#live.values()) this.#lay(told); // a socket that is open knows better than an answer that was on its way
  }

  /** What lies at a table, as its socket tells it: the figures on the screen are those of this moment (PLY-1). */
  atTable(told: AtTable): void {
    this.#live.set(told.table, told);
    this.#lay(told);
  }

  /** The socket of a table tells no more: what was heard of it last grows old. */
  unheard(table: string): void {
    this.#live.delete(table);
  }

  async acknowledgeCheck(): Promise<void> {
    await act('POST', '/api/me/reality-check');
    await this.refresh();
  }

  /** Somebody came in or left in another tab. What this one shows of somebody else is loaded anew. */
  async #changedElsewhere(): Promise<void> {
    const before = this.person;
    await this.resume();
    if (before && this.person && this.person !== before) location.reload();
  }

  async #came(signed: SignedInView): Promise<void> {
    useToken(signed.csrf);
    this.signed = signed;
    await this.refresh();
  }

  #lay({ table, chips, staked }: AtTable): void {
    const me = this.me;
    if (!me) return;
    const before = me.tables.find((each) => each.table === table);
    if (before?.chips === chips && before.staked === staked) return;
    const tables = [...me.tables.filter((each) => each.table !== table), { table, chips, staked }];
    const all = (amounts: string[]) => total(amounts, placesOf(chips));
    this.me = { ...me, tables, chips: all(tables.map((each) => each.chips)), staked: all(tables.map((each) => each.staked)) };
  }

  #left(): void {
    useToken('');
    this.signed = null;
    this.me = null;
  }
}

export const session = new Session();
