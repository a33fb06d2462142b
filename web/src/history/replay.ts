// A round that is over, as a row of frames: what lay on the table after each thing that happened, and what was said of it.

import type { Message } from '../lib/messages.svelte';
import type { Recalled, TableEvent } from '../lib/wire';

export type LaidCard = { hand: string; face: string | null };
export type Frame = {
  name: string; // of what happened: an event of the house, or "wagers" and "settled" for many at once
  cards: LaidCard[];
  hand: string; // that it is about; "" where none
  to: string;
  says: Message | string; // the house's own words
  clause: string;
  count: number; // of wagers
  fresh: number[]; // places of cards that came or were turned over with it
};
export type Settled = {
  patron: string; place: number; wager: string; amount: string; line: number; result: string; pays: string | null;
  net: string; clause: string;
};

const UNTOLD = new Set(['card-squeezed', 'wager-confirmed', 'holder-asked', 'patron-joined', 'patron-left', 'seat-taken', 'chips-bought', 'chips-cashed']);
const MANY: Record<string, string> = { 'wager-placed': 'wagers', 'wager-settled': 'settled' };

/** The frames of a round, in its order. Wagers that were placed, or settled, one after the other are one frame. */
export function framesOf(recalled: Recalled): Frame[] {
  const frames: Frame[] = [];
  let cards: LaidCard[] = [];
  for (const event of recalled.events) {
    if (UNTOLD.has(event.name)) continue;
    const before = cards;
    cards = laidAfter(event, before);
    const name = MANY[event.name] ?? event.name;
    const last = frames.at(-1);
    if (last && last.name === name && MANY[event.name]) last.count += 1;
    else frames.push(frame(event, name, before, cards));
  }
  return frames;
}

function frame(event: TableEvent, name: string, before: LaidCard[], cards: LaidCard[]): Frame {
  const told = event.told;
  const drawn = told['card'] as LaidCard | undefined;
  return {
    name, cards,
    hand: drawn?.hand ?? text(told['hand']),
    to: text(told['to']),
    says: words(told['why']) || words(told['says']) || words(told['reason']),
    clause: event.clause,
    count: 1,
    fresh: cards.flatMap((card, place) => (card.face === before[place]?.face && before[place] ? [] : [place])),
  };
}

function laidAfter(event: TableEvent, cards: LaidCard[]): LaidCard[] {
  const told = event.told;
  if (event.name === 'card-drawn') {
    const { hand, face } = told['card'] as LaidCard;
    return [...cards, { hand, face }];
  }
  if (event.name === 'cards-revealed') {
    const faces = [...(told['cards'] as string[])];
    return cards.map((card) => (card.hand === told['hand'] ? { ...card, face: faces.shift() ?? card.face } : card));
  }
  if (event.name === 'cards-exposed' || event.name === 'cards-substituted') {
    const faces = told['cards'] as string[];
    const places = told['places'] as number[];
    return cards.map((card, place) => (places.includes(place) ? { ...card, face: faces[places.indexOf(place)] ?? card.face } : card));
  }
  return cards;
}

/** What every wager came to. */
export function settledIn(recalled: Recalled): Settled[] {
  return recalled.events.filter((event) => event.name === 'wager-settled').map((event) => {
    const stake = event.told['stake'] as { patron: string; place: number; wager: string; amount: string };
    const { line, result, pays, net } = event.told as { line: number; result: string; pays: string | null; net: string };
    return { ...stake, line, result, pays, net, clause: event.clause };
  });
}

function words(value: unknown): Message | string {
  return typeof value === 'object' && value !== null && 'code' in value ? (value as Message) : text(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
