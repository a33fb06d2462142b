// What is called out at the table, for those who listen: calls, cards, results, and how one's own wagers ended.

import { announcer } from '../lib/announcer.svelte';
import type { Connection } from '../lib/connection.svelte';
import { named } from '../lib/language.svelte';
import { said, t, type Message } from '../lib/messages.svelte';
import { shown, total } from '../lib/money';
import type { Rules, TableEvent } from '../lib/wire';
import { cardName } from '../parts/card';
import { play } from './sound';
import { isGain } from './staking';

/** Call out what happens; what is returned ends it. */
export function callOut(connection: Connection, rules: Rules): () => void {
  const isMe = (person: string) => person !== '' && person === connection.view?.viewer;
  let nets: string[] = [];
  const name = (hand: unknown) => {
    const found = rules.hands.find((each) => each.id === hand);
    return found ? named(found.name) : String(hand);
  };
  const heard: Record<string, (event: TableEvent) => void> = {
    'round-started': () => {
      nets = [];
      announcer.say(t('page.table.place-bets'));
      play('bell');
    },
    'betting-closed': () => announcer.say(t('page.table.no-more-bets')),
    'card-drawn': ({ told }) => {
      const card = told['card'] as { hand: string; face: string | null };
      announcer.say(`${name(card.hand)}: ${cardName(card.face)}. ${said(told['why'] as Message | string | undefined)}`);
      play('card');
    },
    'cards-revealed': ({ told }) => {
      announcer.say(`${name(told['hand'])}: ${(told['cards'] as string[]).map(cardName).join(', ')}`);
      play('card');
    },
    'totals-announced': ({ told }) => announcer.say(said(told['says'] as Message | string)),
    'result-announced': ({ told }) => announcer.say(said(told['says'] as Message | string)),
    'wager-placed': ({ by }) => isMe(by) && play('chip'),
    'wager-settled': ({ told }) => {
      if (isMe((told['stake'] as { patron: string }).patron)) nets = [...nets, String(told['net'])];
    },
    'round-ended': () => {
      if (!nets.length) return;
      const net = total(nets);
      announcer.say(`${t('page.table.net')} ${shown(net, { sign: true })}`);
      if (isGain(net)) play('win');
    },
  };
  return connection.listen((event) => heard[event.name]?.(event));
}
