// How a card is drawn and called.

import { say, type Text, type Texts } from '../lib/language.svelte';

const SUITS: Record<string, { sign: string; name: Text }> = {
  S: { sign: '♠', name: ['spades', '黑桃'] },
  H: { sign: '♥', name: ['hearts', '红心'] },
  D: { sign: '♦', name: ['diamonds', '方块'] },
  C: { sign: '♣', name: ['clubs', '梅花'] },
};
const RANKS: Record<string, Text> = { A: ['ace', 'A'], J: ['jack', 'J'], Q: ['queen', 'Q'], K: ['king', 'K'] };
const TEXTS = {
  down: ['a card face down', '一张暗牌'],
  card: ['{rank} of {suit}', '{suit}{rank}'],
} satisfies Texts;

/** What stands in the middle of a court card. */
export const FACES: Record<string, string> = { J: '將', Q: '后', K: '王' };

const L = 35, M = 50, R = 65; // columns of the pips
export const PIPS: Record<string, [x: number, y: number][]> = {
  2: [[M, 39], [M, 116]],
  3: [[M, 39], [M, 77], [M, 116]],
  4: [[L, 39], [R, 39], [L, 116], [R, 116]],
  5: [[L, 39], [R, 39], [M, 77], [L, 116], [R, 116]],
  6: [[L, 39], [R, 39], [L, 75], [R, 75], [L, 116], [R, 116]],
  7: [[L, 39], [R, 39], [M, 57], [L, 75], [R, 75], [L, 116], [R, 116]],
  8: [[L, 39], [R, 39], [M, 57], [L, 75], [R, 75], [M, 98], [L, 116], [R, 116]],
  9: [[L, 36], [R, 36], [L, 60], [R, 60], [M, 75], [L, 93], [R, 93], [L, 117], [R, 117]],
  10: [[L, 36], [R, 36], [M, 48], [L, 60], [R, 60], [L, 93], [R, 93], [M, 105], [L, 117], [R, 117]],
};

/** The rank as it is printed: the house writes T for ten. */
export function rankOf(face: string): string {
  return face.startsWith('T') ? '10' : face.slice(0, -1);
}

export function suitSign(face: string): string {
  return SUITS[face.slice(-1)]?.sign ?? '?';
}

export function isRed(face: string): boolean {
  return 'HD'.includes(face.slice(-1));
}

/** "Ten of hearts" in the reader's language; what lies face down says so. */
export function cardName(face: string | null): string {
  if (face === null) return say(TEXTS.down);
  const suit = SUITS[face.slice(-1)];
  const rank = rankOf(face);
  return say(TEXTS.card, { rank: RANKS[rank] ? say(RANKS[rank]) : rank, suit: suit ? say(suit.name) : '?' });
}
