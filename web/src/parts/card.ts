// How a card is drawn and called.

import type { Language } from '../lib/language.svelte';
import { inLanguage, t, type Code } from '../lib/messages.svelte';

const SUITS: Record<string, { sign: string; name: Code; path: string }> = {
  S: {
    sign: '♠', name: 'page.parts.suit-s',
    path: 'M0-10C3-6 10-1 10 4c0 3-2 4.5-4.5 4.5-2 0-3.7-1-4.5-2.5.2 2 1 3.4 2.4 4h-6.8c1.4-.6 2.2-2 2.4-4-.8 1.5-2.5 2.5-4.5 2.5C-8 8.5-10 7-10 4c0-5 7-10 10-14z',
  },
  H: {
    sign: '♥', name: 'page.parts.suit-h',
    path: 'M0 10C-3 5.5-10 .5-10-4.5-10-8-7.6-9.5-5-9.5c2.4 0 4.2 1.5 5 3.5.8-2 2.6-3.5 5-3.5 2.6 0 5 1.5 5 5C10 .5 3 5.5 0 10z',
  },
  D: { sign: '♦', name: 'page.parts.suit-d', path: 'M0-10.5C2-6.5 5-2.8 8 0 5 2.8 2 6.5 0 10.5-2 6.5-5 2.8-8 0-5-2.8-2-6.5 0-10.5z' },
  C: {
    sign: '♣', name: 'page.parts.suit-c',
    path: 'M0-10a4.6 4.6 0 0 1 3.7 7.3A4.6 4.6 0 1 1 1.2 4.6c.1 2.6.9 4.6 2.3 5.4h-7c1.4-.8 2.2-2.8 2.3-5.4A4.6 4.6 0 1 1-3.7-2.7 4.6 4.6 0 0 1 0-10z',
  },
};
const RANKS: Record<string, Code> = { A: 'page.parts.rank-a', J: 'page.parts.rank-j', Q: 'page.parts.rank-q', K: 'page.parts.rank-k' };

/** What stands in the middle of a court card. */
export const FACES: Record<string, string> = { J: '將', Q: '后', K: '王' };

const L = 33, M = 50, R = 67; // columns of the pips
const BOTH = (y: number): [number, number][] => [[L, y], [R, y]];
const SIX = [...BOTH(30), ...BOTH(70), ...BOTH(110)];
const EIGHT = [...BOTH(30), ...BOTH(56.7), ...BOTH(83.3), ...BOTH(110)];
/** Where the pips lie, on a card of 100 by 140. */
export const PIPS: Record<string, [x: number, y: number][]> = {
  2: [[M, 30], [M, 110]],
  3: [[M, 30], [M, 70], [M, 110]],
  4: [...BOTH(30), ...BOTH(110)],
  5: [...BOTH(30), [M, 70], ...BOTH(110)],
  6: SIX,
  7: [...SIX, [M, 50]],
  8: [...SIX, [M, 50], [M, 90]],
  9: [...EIGHT, [M, 70]],
  10: [...EIGHT, [M, 43.5], [M, 96.5]],
};

/** The rank as it is printed: the house writes T for ten. */
export function rankOf(face: string): string {
  return face.startsWith('T') ? '10' : face.slice(0, -1);
}

export function suitSign(face: string): string {
  return SUITS[face.slice(-1)]?.sign ?? '?';
}

/** The outline of the suit's sign, about the origin, 20 high. */
export function suitPath(face: string): string {
  return SUITS[face.slice(-1)]?.path ?? '';
}

export function isRed(face: string): boolean {
  return 'HD'.includes(face.slice(-1));
}

/** The rank as it is called: "King", "7". */
export function rankWord(face: string, language: Language): string {
  const rank = rankOf(face);
  const word = RANKS[rank] ? inLanguage(language, RANKS[rank]) : rank;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Ten of hearts" in the reader's language; what lies face down says so. */
export function cardName(face: string | null): string {
  if (face === null) return t('page.parts.down');
  const suit = SUITS[face.slice(-1)];
  const rank = rankOf(face);
  return t('page.parts.card', { rank: RANKS[rank] ? t(RANKS[rank]) : rank, suit: suit ? t(suit.name) : '?' });
}
