// A look at a table that goes on in the house; here it is asked how far it has come.

import { get, newId, Problem } from '../lib/api';
import { notes } from '../lib/notes.svelte';
import type { Progress } from '../lib/contract';

const EVERY_MS = 400;

export class Checking {
  readonly id = newId();
  progress = $state.raw<Progress | null>(null);
  failed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(
    readonly kind: 'verify' | 'resettle',
    readonly table: string,
    readonly day: string,
  ) {
    void this.#ask();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const asked = new URLSearchParams({ run: this.id, kind: this.kind, table: this.table, day: this.day });
    try {
      this.progress = await get<Progress>(`/api/audit/checks?${asked}`);
    } catch (error) {
      notes.problem(error);
      this.failed = !(error instanceof Problem) || error.status !== 0;
    }
    if (!this.#stopped && !this.failed && this.progress?.state !== 'done') this.#timer = setTimeout(() => void this.#ask(), EVERY_MS);
  }
}
