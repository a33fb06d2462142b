// Having something done as soon as the round is over.

import { act } from '../lib/api';
import { said, t } from '../lib/messages.svelte';
import { notes } from '../lib/notes.svelte';
import type { Command, OrderView } from '../lib/contract';

/** True where the house has taken it, be it at once or for later. */
export async function order(table: string, command: Command): Promise<boolean> {
  try {
    const given = await act<OrderView>('POST', `/api/tables/${encodeURIComponent(table)}/orders`, { command });
    if (given.refusal) notes.show(said(given.refusal.reason), 'bad', said(given.refusal.remedy));
    else notes.show(t(given.state === 'done' ? 'page.pit.done' : 'page.pit.waits'), 'good');
    return given.state !== 'refused';
  } catch (error) {
    notes.problem(error);
    return false;
  }
}
