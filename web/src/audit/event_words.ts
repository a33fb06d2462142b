// Records in words: `record.<kind>` of the catalogue, with what stands in the record; or the name of the kind, `event.<kind>`.

import { inWords } from '../lib/localization';
import { hasWord, reason, said, t, word, WORDS, type Family, type Message } from '../lib/messages.svelte';
import { decimal, shown } from '../lib/money';
import type { StoredEvent } from '../lib/contract';

const MONEY = new Set(['amount', 'added', 'net', 'cut', 'most', 'float_counted', 'drop', 'win', 'returned', 'commission', 'difference', 'claim', 'unpaid']);
const NAMES: Record<string, string> = { wager: 'wager', announced: 'hand', cards_say: 'hand', winner: 'hand', game: 'game' };
const KINDS: Record<string, Family> = {
  'irregularity-found': 'irregularity', 'judgement-awaited': 'irregularity', 'irregularity-judged': 'irregularity', 'chip-request-moved': 'choice', 'alert-raised': 'alert',
  'limit-changed': 'limit', 'limit-raise-requested': 'limit', 'limit-imposed': 'limit',
};
const REASONS = new Set(['reason', 'reference', 'why']); // what a person typed, or a reason of the program
const FAMILIES: Record<string, Family> = { stage: 'stage', span: 'span', decision: 'choice', result: 'choice' };

export function kindOf(event: StoredEvent): string {
  return event.event.split('/')[0] ?? event.event;
}

/** The record in a sentence; amounts are whole numbers of the smallest unit, with so many decimals. */
export function eventSentence(event: StoredEvent, decimals: number): string {
  const kind = kindOf(event);
  return hasWord('record', kind) ? word('record', kind, values(kind, event, decimals)) : word('event', kind);
}

function values(kind: string, event: StoredEvent, decimals: number): Record<string, string> {
  const flat: Record<string, unknown> = { ...event, ...inner(event['stake']), ...inner(event['request']), ...inner(event['card']) };
  return Object.fromEntries(Object.entries(flat).map(([name, value]) => [name, inSentence(kind, name, value, decimals)]));
}

/** A field as it stands in the sentence: names and words in the reader's language. */
function inSentence(kind: string, name: string, value: unknown, decimals: number): string {
  const family = name === 'kind' ? KINDS[kind] : FAMILIES[name];
  if (family && typeof value === 'string') return word(family, value);
  if (kind === 'area-capped' && name === 'most') return value === null ? '–' : String(value); // patrons, not money
  if (name === 'wagers' && Array.isArray(value)) return value.map((each) => inWords('wager', String(each), WORDS)).join(', ');
  if (value === 'tie' && NAMES[name] === 'hand') return t('page.parts.tie');
  if (NAMES[name] && typeof value === 'string') return String(inWords(NAMES[name], value, WORDS));
  return fieldText(name, value, decimals);
}

function inner(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function isMessage(value: object): value is Message {
  return 'code' in value && 'args' in value;
}

/** A field as people read it. */
export function fieldText(name: string, value: unknown, decimals: number): string {
  if (MONEY.has(name) && typeof value === 'number' && Number.isSafeInteger(value)) {
    return shown(decimal(BigInt(value), decimals), { sign: name === 'net' || name === 'win' });
  }
  if (value === null) return '–';
  if (REASONS.has(name) && typeof value === 'string') return reason(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(' – ');
  return isMessage(value) ? said(value) : JSON.stringify(value);
}

/** Every field as people read it; what stands within another is told with both names. */
export function flatFields(event: StoredEvent, decimals: number): [name: string, text: string][] {
  return Object.entries(event).flatMap(([name, value]): [string, string][] => {
    const parts = Object.entries(inner(value));
    return parts.length ? parts.map(([part, one]) => [`${name} · ${part}`, fieldText(part, one, decimals)]) : [[name, fieldText(name, value, decimals)]];
  });
}
