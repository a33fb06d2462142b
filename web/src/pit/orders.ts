// Having something done as soon as the round is over.

import { act } from '../lib/api';
import { say, type Texts } from '../lib/language.svelte';
import { notes } from '../lib/notes.svelte';
import type { Command, OrderView } from '../lib/contract';

const TEXTS = {
  done: ['Done.', '已执行。'], waits: ['It waits for the end of the round.', '将在本局结束后执行。'],
} satisfies Texts;

/** True where the house has taken it, be it at once or for later. */
export async function order(table: string, command: Command): Promise<boolean> {
  try {
    const given = await act<OrderView>('POST', `/api/tables/${encodeURIComponent(table)}/orders`, { command });
    if (given.state === 'refused') notes.show(given.says, 'bad', '', given.clause);
    else notes.show(say(given.state === 'done' ? TEXTS.done : TEXTS.waits), 'good');
    return given.state !== 'refused';
  } catch (error) {
    notes.problem(error);
    return false;
  }
}
