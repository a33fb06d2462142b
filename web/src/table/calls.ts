// What is called out at the table, for those who listen: calls, cards, results, and how one's own wagers ended.

import { announcer } from '../lib/announcer.svelte';
import type { Connection } from '../lib/connection.svelte';
import { named } from '../lib/language.svelte';
import { said, t } from '../lib/messages.svelte';
import { shown, total } from '../lib/money';
import type { GameRules, PublicEvent } from '../lib/contract';
import { announced } from '../parts/announced';
import { cardName } from '../parts/card';
import { play } from './sound';
import { isGain } from './staking';

/** Call out what happens; what is returned ends it. */
export function callOut(connection: Connection, rules: GameRules): () => void {
  const isMe = (person: string) => person !== '' && person === connection.view?.viewer;
  let nets: string[] = [];
  const name = (hand: unknown) => {
    const found = rules.hands.find((each) => each.id === hand);
    return found ? named(found.name) : String(hand);
  };
  const heard: { [Name in PublicEvent['name']]?: (event: Extract<PublicEvent, { name: Name }>) => void } = {
    'round-started': () => {
      nets = [];
      announcer.say(t('page.table.place-bets'));
      play('bell');
    },
    'betting-closed': () => announcer.say(t('page.table.no-more-bets')),
    'card-drawn': ({ told }) => {
      announcer.say(`${t('page.parts.labelled', { label: name(told.card.hand), value: cardName(told.card.face) })}. ${said(told.why)}`);
      play('card');
    },
    'cards-revealed': ({ told }) => {
      announcer.say(t('page.parts.labelled', { label: name(told.hand), value: told.cards.map(cardName).join(', ') }));
      play('card');
    },
    'totals-announced': (event) => announcer.say(said(announced(event, rules))),
    'result-announced': (event) => announcer.say(said(announced(event, rules))),
    'wager-placed': ({ by }) => isMe(by) && play('chip'),
    'wager-settled': ({ told }) => {
      if (isMe(told.stake.patron)) nets = [...nets, told.net];
    },
    'round-ended': () => {
      if (!nets.length) return;
      const net = total(nets);
      announcer.say(`${t('page.table.net')} ${shown(net, { sign: true })}`);
      if (isGain(net)) play('win');
    },
  };
  return connection.listen((event) => (heard[event.name] as ((event: PublicEvent) => void) | undefined)?.(event));
}
