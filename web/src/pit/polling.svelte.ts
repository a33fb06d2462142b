// Something of the house that is asked for again and again while somebody looks at it.

import { get, Problem } from '../lib/api';
import { notes } from '../lib/notes.svelte';

export class Polled<T> {
  value = $state.raw<T | null>(null);
  broken = $state(false); // the house could not be reached the last time

  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #asking = false;

  /** `every` says after how many milliseconds the next question comes, by the answer. */
  constructor(
    readonly path: string,
    readonly every: (value: T) => number,
  ) {
    void this.refresh();
  }

  async refresh(): Promise<void> {
    if (this.#asking || this.#stopped) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    let wait = 3000;
    try {
      this.value = await get<T>(this.path);
      this.broken = false;
      wait = this.every(this.value);
    } catch (error) {
      if (error instanceof Problem && error.status !== 0 && !this.broken) notes.problem(error);
      if (!(error instanceof Problem)) throw error;
      this.broken = true;
    } finally {
      this.#asking = false;
      if (!this.#stopped) this.#timer = setTimeout(() => this.#again(), wait);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #again(): void {
    if (document.hidden) this.#timer = setTimeout(() => this.#again(), 1000);
    else void this.refresh();
  }
}
