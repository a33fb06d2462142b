// Arguments of messages in words, by their kinds: as longhu.messages.localization does it for the server.

import { SvelteMap } from 'svelte/reactivity';

import { named, type Names } from './language.svelte';
import { decimal, shown } from './money';
import type { Message } from './contract';

export type Argument = Message['args'][string];
export type NameOf = (kind: string, id: string) => string | undefined;
export type Words = {
  said: (message: Message, nameOf?: NameOf) => string;
  word: (family: 'position' | 'command' | 'reason', id: string) => string;
  joined: (code: 'list-of-two' | 'list-of-more' | 'either-of-two', first: string, second: string) => string;
};

const SUITS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣' };
const names = new SvelteMap<string, Names>();
let decimals = 2;

/** How many decimals the money of the house has. */
export function useDecimals(places: number): void {
  decimals = places;
}

/** Remember what a game calls its wagers and hands, and itself. */
export function useNames(rules: { id: string; name: Names; wagers: Record<string, { name: Names }>; hands: readonly { id: string; name: Names }[] }): void {
  names.set(`game ${rules.id}`, rules.name);
  for (const [id, { name }] of Object.entries(rules.wagers)) names.set(`wager ${id}`, name);
  for (const hand of rules.hands) names.set(`hand ${hand.id}`, hand.name);
}

/** What is put into a sentence: numbers and choices as they are, for plurals and selections; the rest in words. */
export function inWords(kind: string, value: Argument, words: Words, nameOf?: NameOf): string | number {
  if (Array.isArray(value)) return list(kind, value, words, nameOf);
  if (typeof value === 'object') return words.said(value, nameOf);
  if (kind === 'number') return value;
  if (kind === 'choice') return String(value).replaceAll('-', '_'); // names of branches have no hyphens
  if (kind === 'money') return money(Number(value));
  if (kind === 'time') return moment(Number(value));
  if (kind === 'duration') return duration(Number(value), words);
  if (kind === 'person') return person(String(value), words);
  if (kind === 'percent') return percentage(String(value));
  if (kind === 'card') return card(String(value));
  if (kind === 'position' || kind === 'command' || kind === 'reason') return words.word(kind, String(value));
  return nameOf?.(kind, String(value)) ?? nameIn(kind, String(value));
}

function nameIn(kind: string, id: string): string {
  const found = names.get(`${kind} ${id}`);
  return found ? named(found) : id;
}

/** Hours and minutes: 1 h 30 min, 2 h, 0 min. */
function duration(minutes: number, words: Words): string {
  const hours = Math.floor(minutes / 60);
  const parts: Message[] = hours ? [{ code: 'duration-hours', args: { hours } }] : [];
  if (minutes % 60 || !hours) parts.push({ code: 'duration-minutes', args: { minutes: minutes % 60 } });
  return parts.map((each) => words.said(each)).join(' ');
}

/** Somebody by name; in public by position, or by the number of the visit: #7, and #7 nominee; a spot as it is: @3.2. */
function person(name: string, words: Words): string {
  const [, number, nominee] = /^#(\S+)( .*)?$/.exec(name) ?? [];
  if (number !== undefined) return words.said({ code: nominee ? 'nominee-of-patron' : 'numbered-patron', args: { number } });
  const [, place, spot] = /^@(\d+)\.(\d+)$/.exec(name) ?? [];
  if (place !== undefined && spot !== undefined) return words.said({ code: 'spot', args: { place: Number(place), number: Number(spot) } });
  return name === 'somebody' ? words.said({ code: 'somebody', args: {} }) : words.word('position', name);
}

function list(kind: string, values: Exclude<Argument, number | string | Message>, words: Words, nameOf?: NameOf): string {
  const either = kind.startsWith('any ');
  const one = either ? kind.slice('any '.length) : kind.replace(/s$/, '');
  const [first = '', ...others] = values.map((each) => String(inWords(one, each, words, nameOf)));
  if (one === 'card') return [first, ...others].join(' ');
  const last = others.pop();
  if (last === undefined) return first;
  const before = others.reduce((joined, each) => words.joined('list-of-more', joined, each), first);
  return words.joined(either ? 'either-of-two' : 'list-of-two', before, last);
}

/** An amount of minor units. */
export function money(units: number | bigint): string {
  return shown(decimal(BigInt(units), decimals));
}

/** A share as a percentage: 2.149%, −0.5%. */
export function percent(share: number, digits = 2): string {
  return percentage((share * 100).toFixed(digits));
}

/** The same for what has been worked out already, of which it is the digits. */
export function percentage(digits: string): string {
  return `${digits.replace('-', '\u2212')}%`;
}

/** A whole number with its separators: 1,500. */
export function whole(count: number): string {
  return count.toLocaleString('en-GB');
}

/** "5♦" of the house's 5D. */
export function card(face: string): string {
  return face.replaceAll(/[SHDC]/g, (suit) => SUITS[suit] ?? suit);
}

/** The time of day on the reader's clock: 16:20:05. */
export function timeOfDay(at: number): string {
  return moment(at, 'seconds').slice(-'16:20:05'.length);
}

/** The day on the reader's calendar: 2026-11-18, as fields for dates have it, too. */
export function dayOf(at: number): string {
  return moment(at).slice(0, '2026-11-18'.length);
}

/** An instant on the reader's clock: 2026-11-18 16:20; with seconds, and milliseconds, where they matter. */
/** An effective date as its document gives it, in the hour of its own place: `2025-07-28 09:00 +08:00`. */
export function inForce(date: string): string {
  return date.replace('T', ' ').replace(/:00([+-]|$)/, ' $1').trim();
}

export function moment(at: number, precision: 'minutes' | 'seconds' | 'milliseconds' = 'minutes'): string {
  const time = new Date(at);
  const two = (n: number, digits = 2): string => String(n).padStart(digits, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const minutes = `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
  if (precision === 'minutes') return minutes;
  const seconds = `${minutes}:${two(time.getSeconds())}`;
  return precision === 'seconds' ? seconds : `${seconds}.${two(time.getMilliseconds(), 3)}`;
}
