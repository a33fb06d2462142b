// What may be chosen in a field, from what lies on the table.

import { named } from '../../lib/language.svelte';
import { t, word } from '../../lib/messages.svelte';
import type { FieldAsked, GameRules, View } from '../../lib/contract';
import { shown } from '../../lib/money';
import { spotId, spotName, spotOf } from '../../lib/spots';
import { seatOf } from '../people';
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
      if (question.name === 'decision') return (question.choices ?? []).filter((id) => RULINGS[view.round?.in_error.length ? 'in_error' : 'other'].includes(id)).map((id) => ({ value: id, text: word('choice', id) }));
      return (question.choices ?? []).map((id) => ({ value: id, text: word(rules.irregularities[id] ? 'irregularity' : 'choice', id) }));
    case 'patron':
    case 'patrons':
    case 'person':
      return [...people(question.name, view), ...(OF_THE_SEATED.includes(question.name) ? [] : spots(view))];
    case 'position on the layout':
      return Array.from({ length: view.notice?.positions ?? 0 }, (_, place) => ({ value: place + 1, text: String(place + 1) }));
    case 'wager':
    case 'wagers':
      return Object.keys(view.notice?.limits ?? {}).map((id) => ({ value: id, text: wager(id) }));
    case 'stakes':
    case 'wagers of patrons':
      return Object.values(view.round?.stakes ?? {}).map((stake) => ({
        value: [...(question.kind === 'stakes' ? [] : [stake.patron]), stake.place, stake.wager], text: `${stake.place} · ${wager(stake.wager)} · ${shown(stake.amount)} · ${seatOf(view, stake.patron)}`,
      }));
    case 'card on the table':
    case 'cards on the table':
      return (view.round?.cards ?? []).map((card, place) => ({ value: place, text: `${handName(rules, card.hand)} · ${cardName(card.face)}` }));
    case 'irregularities':
      return Object.keys(rules.irregularities).map((id) => ({ value: id, text: word('irregularity', id) }));
    default:
      return [];
  }
}

function people(asked: string, view: View): Option[] {
  const there = Object.values(view.seats).filter((each) => each.seat !== null || !OF_THE_SEATED.includes(asked));
  return there.map((each) => ({ value: each.person, text: each.seat === null ? each.person : `${t('page.dealer.seat', { n: each.seat })} · ${each.person}` }));
}

/** The spots of each position, up to the first where nothing lies. */
function spots(view: View): Option[] {
  if (!view.notice || view.notice.patrons === 'rated') return [];
  const lying = Object.values(view.round?.stakes ?? {}).flatMap((each) => spotOf(each.patron) ?? []);
  return Array.from({ length: view.notice.positions }, (_, index) => index + 1).flatMap((place) => {
    const last = Math.max(0, ...lying.filter((each) => each.place === place).map((each) => each.number));
    return Array.from({ length: last + 1 }, (_, index) => ({ place, number: index + 1 }));
  }).map((spot) => ({ value: spotId(spot), text: spotName(spot) }));
}

function handName(rules: GameRules, id: string): string {
  const hand = rules.hands.find((each) => each.id === id);
  return hand ? named(hand.name) : id;
}

/** What was told in answer to a question, as a colleague reads it: in the words in which it was chosen. */
export function toldText(question: FieldAsked, value: unknown, view: View | null, rules: GameRules | null): string {
  if (typeof value === 'boolean') return word('choice', value ? 'yes' : 'no');
  if (question.kind === 'hand of each card' && Array.isArray(value) && rules) return value.map((hand, place) => `${cardName(view?.round?.cards[place]?.face ?? null)} → ${handName(rules, String(hand))}`).join(', ');
  const told = optionsOf(question, view, rules).find((each) => JSON.stringify(each.value) === JSON.stringify(value));
  if (told) return told.text;
  if (Array.isArray(value)) return value.map((each) => toldText(question, each, view, rules)).join(', ');
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(([name, count]) => `${question.kind === 'count of cards' ? cardName(name) : name} × ${count}`).join(', ');
  if (question.kind === 'card' || question.kind === 'cards') return cardName(String(value));
  return question.kind === 'amount' ? shown(String(value)) : String(value);
}

const OF_THE_SEATED: readonly string[] = ['cut_by', 'declined']; // whoever stands is not asked to cut

/** What may be decided of a card drawn in error, and of anything else. */
const RULINGS = { in_error: ['burn', 'replace', 'void'], other: ['continue', 'void', 'burn'] };

/** Kinds of questions that this console can ask; commands with others are the pit's. */
const ASKED = new Set([
  'yes or no', 'hand', 'choice', 'result', 'card', 'cards', 'card on the table', 'cards on the table', 'patrons', 'irregularities', 'stakes', 'wagers of patrons', 'wagers', 'hand of each card',
  'order of cards', 'count of cards', 'patron', 'person', 'position on the layout', 'wager', 'number', 'seat', 'amount', 'amounts', 'text',
]);

export function canAsk(questions: FieldAsked[]): boolean {
  return questions.every((question) => ASKED.has(question.kind) || !question.required);
}

export function asked(questions: FieldAsked[]): FieldAsked[] {
  return questions.filter((question) => ASKED.has(question.kind));
}

/** Whether a question makes sense here: an electronic shoe tells its cards itself, and a physical one is not told how many to give. */
export function isAsked(command: string, question: FieldAsked, values: Record<string, unknown>, electronic: boolean, inError = false): boolean {
  if (question.required) return true;
  if (command === 'report-irregularity' && question.kind === 'irregularities') return false; // one report says one thing
  if (command === 'report-irregularity' && question.name === 'recoverable') return values['kind'] === 'order-altered';
  if (command === 'judge-irregularity' && question.kind === 'order of cards') return values['put_right'] === true;
  if (command === 'make-ruling' && question.kind === 'card') return values['decision'] === 'burn' && !electronic && !inError;
  if (command === 'make-ruling' && question.name === 'returns') return values['decision'] !== undefined && values['decision'] !== 'void';
  if (command === 'correct-payment' && question.name === 'dispute') return false; // the file of the dispute has the form for it
  if (command === 'correct-payment' && question.name === 'other') return values['error'] === 'wrong-patron';
  if (command === 'correct-payment' && question.name === 'handed_back') return (values['cause'] === 'hand' || spotOf(values['patron']) !== null) && values['error'] !== 'too-little';
  if (question.kind === 'amounts') return command === 'speak-wager'; // the chips that are handed over with it
  if (question.kind === 'card' || question.kind === 'cards') return !electronic;
  return question.name !== 'count' || electronic;
}
