// The rule that somebody wants to read: any clause that stands beside a card, a payment or a refusal can be opened.

import { get } from './api';
import type { ClauseText } from './contract';
import { notes } from './notes.svelte';

class Clauses {
  shown = $state.raw<ClauseText | null>(null);

  async open(id: string): Promise<void> {
    try {
      this.shown = await get<ClauseText>(`/api/clauses/${encodeURIComponent(id)}`);
    } catch (error) {
      notes.problem(error);
    }
  }

  close(): void {
    this.shown = null;
  }
}

export const clauses = new Clauses();
