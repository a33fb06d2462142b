// The tables of the house as the lobby shows them: asked for every few seconds, counted down in between, and each shoe's roads when a round has ended.

import { get, look, Problem } from '../lib/api';
import { clock } from '../lib/clock.svelte';
import type { LobbyEntry, Roads } from '../lib/contract';

const EVERY_MS = 3000;

export class Floor {
  tables = $state.raw<LobbyEntry[] | null>(null);
  roads = $state<Record<string, Roads>>({});
  heard = $state(0); // when the house last answered, in its own time
  lost = $state(false);
  private = $state(false); // only for those who are signed in
  #rounds = new Map<string, string>(); // of which the roads are known
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor() {
    void this.look();
  }

  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.tables = await this.#ask<LobbyEntry[]>('/api/tables');
      this.heard = clock.read();
      this.lost = this.private = false;
      await Promise.all(this.tables.filter((each) => each.open).map((each) => this.#lookAtRoads(each)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.private = error.status === 401;
      this.lost = !this.private;
    }
    if (!this.#closed) this.#timer = setTimeout(() => void this.look(), document.hidden ? EVERY_MS * 4 : EVERY_MS);
  }

  /** Whole seconds left to bet at a table; null where there is no countdown. */
  secondsLeft(table: LobbyEntry): number | null {
    if (table.countdown === null) return null;
    return Math.max(0, Math.ceil((table.countdown - (clock.now - this.heard)) / 1000));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Anybody may look, where the house has spectators; where it has none, whoever is signed in. */
  async #ask<T>(path: string): Promise<T> {
    if (this.private) return get<T>(path);
    try {
      return await look<T>(path);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      return get<T>(path);
    }
  }

  async #lookAtRoads(table: LobbyEntry): Promise<void> {
    const stands = `${table.round}/${table.phase === 'paid' || table.phase === ''}`;
    if (this.#rounds.get(table.table) === stands) return;
    this.roads[table.table] = await this.#ask<Roads>(`/api/tables/${encodeURIComponent(table.table)}/roads`);
    this.#rounds.set(table.table, stands);
  }
}
