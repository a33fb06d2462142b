// A question to the house that takes a while: asked when the designer has come to rest, and forgotten when it is outdated.

import { untrack } from 'svelte';

import { Problem, send } from '../lib/api';

const PAUSE_MS = 500;

export class Asked<T> {
  answer = $state.raw<T | null>(null);
  refusal = $state.raw<Problem | null>(null);
  busy = $state(false);

  /** Ask; the function that is returned takes the question back. */
  ask(path: string, body: object): () => void {
    const asking = new AbortController();
    this.busy = true;
    const timer = setTimeout(async () => {
      try {
        this.answer = await send<T>('POST', path, body, asking.signal);
        this.refusal = null;
      } catch (error) {
        if (asking.signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        this.refusal = error;
      }
      this.busy = false;
    }, untrack(() => this.answer) ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }
}
