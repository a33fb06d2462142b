// What may be chosen in a field, from what lies on the table.

import { named } from '../../lib/language.svelte';
import { word } from '../../lib/messages.svelte';
import type { FieldAsked, GameRules, View } from '../../lib/contract';
import { shown } from '../../lib/money';
import { cardName } from '../../parts/card';

export type Option = { value: string | number | boolean | readonly (string | number)[]; text: string };

export function optionsOf(question: FieldAsked, view: View | null, rules: GameRules | null): Option[] {
  if (!view || !rules) return [];
  const hands: Option[] = rules.hands.map((hand) => ({ value: hand.id, text: named(hand.name) }));
  const wager = (id: string): string => (rules.wagers[id] ? named(rules.wagers[id].name) : id);
  switch (question.kind) {
    case 'hand':
      return hands;
    case 'result':
      return [...hands, { value: 'tie', text: word('choice', 'tie') }];
    case 'choice':
      return (question.choices ?? []).map((id) => ({ value: id, text: word(rules.irregularities[id] ? 'irregularity' : 'choice', id) }));
    case 'patron':
    case 'patrons':
    case 'person':
      return Object.values(view.seats).map((each) => ({ value: each.person, text: each.seat === null ? each.person : `${each.seat} · ${each.person}` }));
    case 'position on the layout':
      return Array.from({ length: view.notice?.positions ?? 0 }, (_, place) => ({ value: place + 1, text: String(place + 1) }));
    case 'wager':
      return Object.keys(view.notice?.limits ?? {}).map((id) => ({ value: id, text: wager(id) }));
    case 'stakes':
      return Object.values(view.round?.stakes ?? {}).map((stake) => ({
        value: [stake.place, stake.wager], text: `${stake.place} · ${wager(stake.wager)} · ${shown(stake.amount)} · ${stake.patron}`,
      }));
    case 'cards on the table':
      return (view.round?.cards ?? []).map((card, place) => ({ value: place, text: `${handName(rules, card.hand)} · ${cardName(card.face)}` }));
    case 'irregularities':
      return Object.keys(rules.irregularities).map((id) => ({ value: id, text: word('irregularity', id) }));
    default:
      return [];
  }
}

function handName(rules: GameRules, id: string): string {
  const hand = rules.hands.find((each) => each.id === id);
  return hand ? named(hand.name) : id;
}

/** Kinds of questions that this console can ask; commands with others are the pit's. */
const ASKED = new Set([
  'yes or no', 'hand', 'choice', 'result', 'card', 'cards', 'cards on the table', 'patrons', 'irregularities', 'stakes', 'hand of each card',
  'order of cards', 'count of cards', 'patron', 'person', 'position on the layout', 'wager', 'number', 'seat', 'amount', 'text',
]);

export function canAsk(questions: FieldAsked[]): boolean {
  return questions.every((question) => ASKED.has(question.kind) || !question.required);
}

export function asked(questions: FieldAsked[]): FieldAsked[] {
  return questions.filter((question) => ASKED.has(question.kind));
}

/** Whether a question makes sense here: an electronic shoe tells its cards itself, and a physical one is not told how many to give. */
export function isAsked(command: string, question: FieldAsked, values: Record<string, unknown>, electronic: boolean): boolean {
  if (question.required) return true;
  if (command === 'judge-irregularity' && question.kind === 'order of cards') return values['put_right'] === true;
  if (command === 'make-ruling' && question.kind === 'card') return values['decision'] === 'burn' && !electronic;
  if (question.kind === 'card' || question.kind === 'cards') return !electronic;
  return question.name !== 'count' || electronic;
}
